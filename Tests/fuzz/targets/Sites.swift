import FoundationEssentials
@testable import NyanCore
@testable import NyanScrobble

extension Fuzz {
    /// Readers of what scrobbling sites answer.
    static let sites: [String: Target] = [
        "scrobbles": { bytes in
            _ = (try? JSONDecoder().decode(LastFMScrobbles.self, from: Data(bytes)))?.verdicts
            let error = try? JSONDecoder().decode(LastFMError.self, from: Data(bytes))
            if let refusal = error?.refusal { look(refusal) }
            guard let first = bytes.first else { return }
            let lines = fields(Array(bytes.dropFirst()))
            for isOwn in [false, true] {
                let response = HTTPResponse(
                    status: [200, 400, 401, 413, 422, 429, 500, 503][Int(first & 7)],
                    headers: ["retry-after": lines[0], "x-ratelimit-reset-in": lines[lines.count - 1]], body: bytes)
                look(SiteAnswer.refusal(response, from: "Last.fm", isOwn: isOwn))
            }
        }
    ]

    private static func look(_ refusal: ScrobbleRefusal) {
        guard case .later(let failure, let seconds) = refusal.answer else { return }
        hold(isTame(failure.message), "a message is a line")
        hold(seconds.map { $0.isFinite && $0 >= 0 } ?? true, "a wait is a length")
    }
}
