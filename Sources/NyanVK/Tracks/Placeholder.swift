import NyanCore

/// The one fake track VK answers with when token and User-Agent do not belong together (vk-api.md §1.9).
nonisolated enum Placeholder {
    /// The sentence for a whole answer that is a fake.
    static let failure = Failure(
        .clientRefused,
        "VK answered with its placeholder track: token and User-Agent do not match; log in with the token's profile")

    /// An address of the fake sound. With `extra=` it is the website's hidden form of a real address instead (§4.6).
    static func isAddress(_ url: String) -> Bool {
        let (path, rest) = parts(url)
        return path.contains(fileName) && !rest.contains("extra=")
    }

    /// The website's hidden form: no fake, but nothing that can be fetched either.
    static func isHiddenAddress(_ url: String) -> Bool {
        let (path, rest) = parts(url)
        return path.contains(fileName) && rest.contains("extra=")
    }

    /// The fake's fixed identity.
    static func isIdentity(_ audio: VKAudio) -> Bool { audio.owner == 100 && audio.id == 1 }

    /// Whether an answer is a fake as a whole: it holds the fake's identity, or nothing but fake sounds.
    ///
    /// One fake sound alone counts only if the list is no longer than that (`count`; nil = the list's length says
    /// nothing): a single track may have the fake sound by itself, also as the last page of a library.
    static func isWhole(_ audios: [VKAudio], count: Int?) -> Bool {
        if audios.contains(where: isIdentity) { return true }
        return audios.allSatisfy { isAddress($0.url) } && (audios.count > 1 || (audios.count == 1 && count == 1))
    }

    private static let fileName = "audio_api_unavailable"

    private static func parts(_ url: String) -> (path: Substring, rest: Substring) {
        let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        return (url[..<end], url[end...])
    }
}
