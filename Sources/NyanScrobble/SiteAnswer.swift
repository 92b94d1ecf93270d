import NyanCore

/// What an answer says where it is no answer of the interface: trouble, a request to wait, HTML.
nonisolated enum SiteAnswer {
    /// A call that did not come through at all.
    static func lost(_ failure: Failure) -> ScrobbleRefusal { ScrobbleRefusal(.later(failure, seconds: nil)) }

    /// Whether it was heard while this machine's clock was far ahead: of a day that is not near by its clock now. That
    /// clock may be wrong now instead; it counts only where the site, too, will not have the listen.
    static func isAhead(_ listen: Listen, _ now: Int64) -> Bool { listen.began > now + 86_400 }
    static let ahead = ListenVerdict.refused("this machine's clock was ahead when it was heard")

    /// What a status means. `isOwn`: the words with it are the site's own; only then it is one that could not read the
    /// listens. A page of a proxy or a firewall says nothing of them, and must not cost them.
    static func refusal(_ response: HTTPResponse, from site: String, isOwn: Bool) -> ScrobbleRefusal {
        switch response.status {
        case 429:
            let failure = Failure(.serverBusy, "\(site) asks to wait.", retry: .later)
            return ScrobbleRefusal(.later(failure, seconds: wait(response.headers) ?? 60))
        case 500...:
            let failure = Failure(.serverBusy, "\(site) has trouble (\(response.status)).", retry: .later)
            return ScrobbleRefusal(.later(failure, seconds: wait(response.headers)))
        case let status where isOwn && [400, 413, 422].contains(status):
            return ScrobbleRefusal(
                .refused(Failure(.badAnswer, "\(site) cannot read what it was sent (\(response.status)).")))
        default:
            // A login page of a network one is in, a proxy's words, a wrong address.
            return ScrobbleRefusal(
                .later(
                    Failure(
                        .badAnswer, "\(site)'s address answered something else (\(response.status)).", retry: .later),
                    seconds: nil))
        }
    }

    /// Seconds to wait, as ListenBrainz says it, or as HTTP does; nil where neither is a number.
    private static func wait(_ headers: [String: String]) -> Double? {
        let texts = [headers["x-ratelimit-reset-in"], headers["retry-after"]].compactMap { $0 }
        return texts.compactMap { Double($0) }.first { $0.isFinite && $0 >= 0 }
    }

    static let userAgent = (name: "User-Agent", value: "nyand (Nyan Tunes)")
}
