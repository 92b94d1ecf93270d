public import NyanCore

extension VKSource {
    /// VK gives at most 300 a page, and many fewer may come (vk-api.md §2.2 `audio.search`).
    private static let searchPage = 300
    private static let leastLaterPage = 100
    /// Results beyond are said to be out of reach.
    private static let mostFound = 1000
    /// Pages asked for at most: enough where VK leaves out five of six rows.
    private static let mostPages = 20

    public func search(_ text: String, count: Int, byArtist: Bool) async throws(Failure) -> [Track] {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Failure(.badArgument, "There is nothing to search for")
        }
        let wanted = min(max(count, 1), Self.mostFound)
        var found: [Track] = []
        var seen: Set<TrackID> = []
        var offset = 0
        for _ in 0..<Self.mostPages {
            // Where rows were left out, the next page holds known ones too: a small one would get nowhere.
            let asked = min(Self.searchPage, max(wanted - found.count, offset > 0 ? Self.leastLaterPage : 1))
            let list = try await searchPage(text, offset: offset, count: asked, byArtist: byArtist)
            // Fewer than asked is not the end; no more is.
            guard list.itemCount > 0 else { break }
            let fresh = list.audios.map(\.track).filter { seen.insert($0.id).inserted }
            found += fresh
            offset += fresh.isEmpty ? asked : list.itemCount
            if found.count >= wanted || offset >= list.count ?? .max { break }
        }
        return Array(found.prefix(wanted))
    }

    private func searchPage(
        _ text: String, offset: Int, count: Int, byArtist: Bool
    ) async throws(Failure) -> VKAudioList {
        var parameters = [
            (name: "q", value: text), (name: "auto_complete", value: "1"), (name: "count", value: String(count)),
        ]
        if offset > 0 { parameters.append((name: "offset", value: String(offset))) }
        if byArtist { parameters.append((name: "performer_only", value: "1")) }
        return try await listing("audio.search", parameters)
    }
}
