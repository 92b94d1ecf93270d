/// Audio objects as a method answers them: `{count, items}`, or a bare array (vk-api.md §2.2 `getById`).
nonisolated struct VKAudioList: Decodable {
    /// How long VK says the list is; nil when it did not say.
    var count: Int?
    var audios: [VKAudio]
    /// Items VK sent, unreadable ones included.
    var itemCount: Int

    private enum Unreadable: Error { case shape }

    /// - Throws: when it is neither form; an object without both members says nothing at all.
    init(from decoder: any Decoder) throws {
        let items: LenientArray<VKAudio>
        if let bare = try? LenientArray<VKAudio>(from: decoder) {
            items = bare
            // PHP writes an empty object as an empty array (vk-api.md §5).
            count = bare.sentCount == 0 ? 0 : nil
        } else {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            count = fields.int("count").map { max($0, 0) }
            guard count != nil || fields.has("items") else { throw Unreadable.shape }
            items = try fields.list("items")
        }
        audios = items.elements
        itemCount = items.sentCount
    }
}

/// A person as `users.get` answers (vk-api.md §2.7).
nonisolated struct VKUser: Decodable {
    var id: Int64
    /// Raw names, joined.
    var name: String
    /// `deleted` or `banned`.
    var isDeactivated: Bool

    private enum Unreadable: Error { case identity }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        guard let id = fields.int64("id"), id > 0 else { throw Unreadable.identity }
        self.id = id
        name = ["first_name", "last_name"].compactMap(fields.filledText).joined(separator: " ")
        isDeactivated = fields.filledText("deactivated") != nil
    }
}
