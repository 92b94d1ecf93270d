/// Names in VK's addresses that are no person's and no group's screen name: pages of the site's own, and what it numbers.
enum VKNames {
    /// Pages of the site.
    private static let pages: Set<String> = [
        "about", "ads", "album", "albums", "api", "app", "apps", "artist", "artists", "audio", "audios", "away", "blog",
        "board", "bookmarks", "bugs", "calls", "clip", "clips", "club", "dev", "discover", "docs", "edit", "events",
        "fave", "feed", "friends", "games", "gifts", "groups", "help", "im", "join", "jobs", "legal", "licence", "live",
        "login", "mail", "market", "music", "notifications", "podcasts", "photos", "privacy", "restore", "search",
        "settings", "share", "stats", "stickers", "stories", "support", "terms", "video", "videos", "vkpay", "wall",
    ]

    /// With `OWNER_NUMBER` behind them.
    private static let things: Set<String> = [
        "album", "albums", "app", "article", "board", "clip", "clips", "doc", "gifts", "live", "market", "note", "page",
        "photo", "photos", "podcast", "poll", "product", "story", "stories", "tag", "topic", "video", "videos", "wall",
        "write",
    ]

    /// With an `OWNER` alone.
    private static let lists: Set<String> = [
        "albums", "app", "board", "clips", "docs", "gifts", "market", "photos", "podcasts", "stories", "tag", "videos",
        "write",
    ]

    /// Whether the first part of a path is taken by VK.
    static func areTaken(_ name: String) -> Bool {
        let name = name.lowercased()
        if pages.contains(name) || name.hasSuffix(".php") { return true }
        let kind = name.prefix { $0 != "-" && !$0.isNumber && $0 != "_" }
        let numbers = name.dropFirst(kind.count)
        let parts = (numbers.first == "-" ? numbers.dropFirst() : numbers)
            .split(separator: "_", omittingEmptySubsequences: false)
        guard let owner = parts.first, isNumber(owner) else { return false }
        if parts.count == 1 { return lists.contains(String(kind)) }
        return things.contains(String(kind)) && isNumber(parts[1])
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }
}
