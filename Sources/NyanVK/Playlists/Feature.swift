import NyanCore

/// A part of VK that a token's client may lack while the rest works (vk-issues.md D7), with its own words for refusals.
nonisolated enum Feature: String {
    case playlists, recommendations, lyrics
    case status = "the status"

    /// The failure for VK's error number; nil = the common table's words are good.
    func failure(for code: Int?, at method: String) -> Failure? {
        switch (code, self) {
        case (3, _), (23, _):
            Failure(
                .unsupported, "VK keeps \(rawValue) from this login's client (VK error \(code ?? 3) at \(method))")
        case (104, .playlists): Failure(.notFound, "VK knows no such playlist (VK error 104)")
        case (15, .playlists), (7, .playlists), (200, .playlists), (201, .playlists), (204, .playlists):
            Failure(
                .denied,
                "VK does not open this playlist to you: it is private, somebody else's, or needs the key that its "
                    + "address has (VK error \(code ?? 15))")
        case (300, .playlists): Failure(.denied, "The playlist is full (VK error 300)")
        case (104, .recommendations): Failure(.notFound, "VK recommends nothing like this track (VK error 104)")
        default: nil
        }
    }
}

extension VKSource {
    /// A call whose refusal says nothing about the rest of VK's music: a method that this token's client does not have
    /// (error 3, 23) is a missing feature and no useless account.
    func feature<Response: Decodable>(
        _ method: String, _ parameters: [(name: String, value: String)], of feature: Feature,
        mayRepeat: Bool = true
    ) async throws(Failure) -> Response {
        do throws(Reaction) {
            return try await callSignedIn(method, parameters, mayRepeat: mayRepeat)
        } catch {
            throw feature.failure(for: error.vkCode, at: method) ?? error.failure
        }
    }
}
