import NyanCore

/// `{"error": 9, "message": …}`; the message is not passed on: nobody knows what it quotes.
nonisolated struct LastFMError: Decodable {
    var error: Int

    /// What to do, by the table of Last.fm's documentation.
    var refusal: ScrobbleRefusal {
        switch error {
        case 4, 9, 17:
            stopped("Last.fm does not know this login any more; `nyanctl scrobble login lastfm` makes a new one")
        case 10: stopped("Last.fm does not know this API key; look at it and `nyanctl scrobble login lastfm`")
        case 13: stopped("the shared secret does not belong to the API key; `nyanctl scrobble login lastfm`")
        case 26: stopped("Last.fm has suspended this API key; make another and `nyanctl scrobble login lastfm`")
        case 14:
            ScrobbleRefusal(
                .later(Failure(.challengeNeeded, "consent was not given yet on Last.fm's page"), seconds: nil))
        case 15: ScrobbleRefusal(.stopped(Failure(.denied, "the page was open for too long; begin the login anew")))
        case 6, 7: ScrobbleRefusal(.refused(Failure(.badAnswer, "Last.fm cannot read a listen (error \(error)).")))
        case 29:
            ScrobbleRefusal(.later(Failure(.serverBusy, "Last.fm asks to wait.", retry: .later), seconds: 60))
        // 2, 8, 11, 16 and whatever is new: the site has trouble.
        default:
            ScrobbleRefusal(
                .later(Failure(.serverBusy, "Last.fm has trouble (error \(error)).", retry: .later), seconds: nil))
        }
    }

    private func stopped(_ words: String) -> ScrobbleRefusal { ScrobbleRefusal(.stopped(Failure(.denied, words))) }
}

/// The answer of `track.scrobble`: an object for one listen, a list for more, and codes as numbers or as texts.
nonisolated struct LastFMScrobbles: Decodable {
    var verdicts: [ListenVerdict]

    init(from decoder: any Decoder) throws {
        let scrobbles = try decoder.container(keyedBy: Keys.self)
            .nestedContainer(keyedBy: Keys.self, forKey: .scrobbles)
        let judged: [Judged]
        if let many = try? scrobbles.decode([Judged].self, forKey: .scrobble) {
            judged = many
        } else {
            judged = [try scrobbles.decode(Judged.self, forKey: .scrobble)]
        }
        verdicts = judged.map(\.verdict)
    }

    private enum Keys: String, CodingKey { case scrobbles, scrobble }

    private struct Judged: Decodable {
        struct Ignored: Decodable {
            var code: Int
            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: Keys.self)
                let text = try? fields.decode(String.self, forKey: .code)
                code = try text.flatMap { Int($0) } ?? fields.decode(Int.self, forKey: .code)
            }
            private enum Keys: String, CodingKey { case code }
        }
        var ignoredMessage: Ignored?

        var verdict: ListenVerdict {
            switch ignoredMessage?.code ?? 0 {
            case 0: .taken
            case 1: .refused("Last.fm ignores this artist")
            case 2: .refused("Last.fm ignores this track")
            case 3: .refused("Last.fm takes nothing older than 14 days")
            // Our clock is ahead, or today's number is used up: both pass.
            case 4, 5: .later
            default: .refused("Last.fm ignores it (\(ignoredMessage?.code ?? 0))")
            }
        }
    }
}
