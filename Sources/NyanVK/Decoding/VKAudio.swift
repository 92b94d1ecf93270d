/// An audio object as VK sends it, the fields nyand uses (vk-api.md §2.1).
nonisolated struct VKAudio: Decodable {
    var owner: Int64
    var id: Int64
    /// Texts are raw: entities are not decoded yet.
    var artist: String
    var title: String
    var subtitle: String?
    var album: String?
    /// Whole seconds, 0 = unknown.
    var duration: Int
    /// Empty when VK sent none.
    var url: String
    var accessKey: String?
    /// 0 unless VK restricts the track; the values' meanings are undocumented.
    var contentRestricted: Int
    var isExplicit: Bool
    var coverURL: String?
    var date: Int64?

    /// A release as far as a track shows it.
    private struct Album: Decodable {
        var title: String?
        var cover: VKCover?
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            title = fields.filledText("title")
            cover = fields.object("thumb")
        }
    }

    private enum Unreadable: Error { case identity }

    /// - Throws: when the identity is missing; everything else has a default.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        guard let owner = fields.int64("owner_id"), owner != 0, let id = fields.int64("id"), id > 0 else {
            throw Unreadable.identity
        }
        self.owner = owner
        self.id = id
        artist = fields.text("artist") ?? ""
        title = fields.text("title") ?? ""
        subtitle = fields.filledText("subtitle")
        // What is longer than any sound is as good as no length; sums of it would not be numbers any more.
        duration = fields.int("duration").map { (0...AnswerLimits.duration).contains($0) ? $0 : 0 } ?? 0
        url = fields.address("url") ?? ""
        accessKey = fields.filledText("access_key").flatMap { $0.utf8.count <= AnswerLimits.key ? $0 : nil }
        contentRestricted = fields.int("content_restricted") ?? 0
        isExplicit = fields.flag("is_explicit")
        date = fields.int64("date")
        let release: Album? = fields.object("album")
        album = release?.title
        let own: VKCover? = fields.object("thumb")
        coverURL = own?.bestURL ?? release?.cover?.bestURL
    }
}

/// A cover in several sizes, any of which may be missing (vk-api.md §2.1 `album.thumb`).
nonisolated struct VKCover: Decodable {
    /// Side length in pixels to address.
    private var urls: [Int: String] = [:]

    private struct Size: Decodable {
        var width: Int
        var url: String?
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            width = fields.int("width") ?? 0
            url = fields.address("src") ?? fields.address("url")
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let sizes: LenientArray<Size>? = fields.object("sizes")
        for size in sizes?.elements ?? [] { urls[size.width] = size.url }
        for key in fields.allKeys where key.stringValue.hasPrefix("photo_") {
            guard let side = Int(key.stringValue.dropFirst("photo_".count)) else { continue }
            urls[side] = fields.address(key.stringValue) ?? urls[side]
        }
        urls = urls.filter { $0.value.hasPrefix("https://") || $0.value.hasPrefix("http://") }
    }

    /// 600 pixels if there are, then 300, then the largest.
    var bestURL: String? {
        urls[600] ?? urls[300] ?? urls.max { $0.key < $1.key }?.value
    }
}
