import NyanCore

/// An `error` object as VK's methods answer it, with HTTP status 200 (vk-api.md §3.1).
///
/// `words` is VK's own sentence: only looked at, never shown, because VK repeats the request's data in places.
nonisolated struct VKError: Decodable, Sendable {
    /// 0 when VK named no number, as its login endpoint does.
    var code: Int
    var subcode: Int
    /// In lower case, for comparison only.
    var words: String
    /// The account itself is blocked (`ban_info`).
    var isBan: Bool
    /// What VK wants from the person, as it was sent; nil where it wants nothing.
    var challenge: Challenge?

    init(code: Int, subcode: Int = 0, words: String = "", isBan: Bool = false) {
        self.code = code
        self.subcode = subcode
        self.words = words.lowercased()
        self.isBan = isBan
    }

    /// Never throws: whatever stands under `error` is an error.
    init(from decoder: any Decoder) {
        let fields = try? decoder.container(keyedBy: AnyKey.self)
        self.init(
            code: fields?.int("error_code") ?? 0, subcode: fields?.int("error_subcode") ?? 0,
            words: fields?.text("error_msg") ?? "", isBan: fields?.has("ban_info") ?? false)
        challenge = fields.flatMap { ChallengeReading.challenge(code: code, $0) }
    }
}
