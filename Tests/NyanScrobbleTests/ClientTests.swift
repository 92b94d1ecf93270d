import FoundationEssentials
import NyanCore
import NyanTestKit
import Testing

@testable import NyanScrobble

private let keys = ScrobbleKeys(token: Secret("tok-canary"), apiKey: Secret("apikey"), sharedSecret: Secret("mysecret"))

/// What a call ended with.
private func refusal(_ work: () async throws(ScrobbleRefusal) -> Void) async -> ScrobbleDelivery.Answer? {
    do throws(ScrobbleRefusal) {
        try await work()
        return nil
    } catch {
        return error.answer
    }
}

@Suite("ListenBrainz")
struct ListenBrainzTests {
    let stand = SiteStand()
    let client: ListenBrainzClient
    init() {
        client = ListenBrainzClient(
            http: stand, url: "https://lb.test", version: "9", wallClock: { 1_790_000_500 })
    }

    private func document() throws -> String {
        let body = try #require(stand.seen.last?.body)
        struct Document: Decodable { let listen_type: String }
        _ = try JSONDecoder().decode(Document.self, from: Data(body))
        return String(decoding: body, as: UTF8.self)
    }

    @Test("one listen goes as single, more as import, what plays without a time; the token only in the header")
    func forms() async throws {
        for _ in 0..<3 { stand.will(200, #"{"status":"ok"}"#) }
        #expect(try await client.submit([.numbered(1)], keys) == [.taken])
        let request = try #require(stand.seen.last)
        #expect(request.url.revealed == "https://lb.test/1/submit-listens" && request.method == .post)
        #expect(request.headers.contains { $0.name == "Authorization" && $0.value == "Token tok-canary" })
        let single = try document()
        #expect(single.contains(#""listen_type":"single""#) && single.contains(#""listened_at":1790000001"#))
        #expect(single.contains(#""artist_name":"Á & B""#) && single.contains(#""release_name":"L=P""#))
        #expect(single.contains(#""duration_ms":180000"#) && single.contains(#""media_player":"Nyan Tunes""#))
        #expect(!single.contains("canary"))
        #expect(try await client.submit([.numbered(1), .numbered(2)], keys) == [.taken, .taken])
        #expect(try document().contains(#""listen_type":"import""#))
        try await client.nowPlaying(.numbered(3), keys)
        let playing = try document()
        #expect(playing.contains(#""listen_type":"playing_now""#) && !playing.contains("listened_at"))
    }

    @Test("a token is proved by its owner's name")
    func proof() async throws {
        stand.will(200, #"{"code":200,"message":"Token valid.","valid":true,"user_name":"anna"}"#)
        #expect(try await client.prove(Secret("t")) == "anna")
        stand.will(200, #"{"code":200,"message":"Token invalid.","valid":false}"#)
        let answer = await refusal { () throws(ScrobbleRefusal) in _ = try await client.prove(Secret("t")) }
        guard case .stopped = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
    }

    @Test(
        "what goes wrong is told apart: wait, a wait of a named length, keys refused, a listen that cannot be read",
        arguments: [
            (401, #"{"code":401,"error":"Invalid"}"#, [:], "stopped"),
            (403, #"{"code":403,"error":"no"}"#, [:], "stopped"),
            // A network one has to sign in to.
            (403, "<html>", [:], "later"), (200, "<html>", [:], "later"), (401, "<html>", [:], "later"),
            (302, "", [:], "later"), (404, #"{"code":404}"#, [:], "later"),
            (429, "{}", ["x-ratelimit-reset-in": "3"], "later 3"), (429, "{}", ["retry-after": "9"], "later 9"),
            (429, "", [:], "later 60"), (503, "", ["retry-after": "120"], "later 120"), (500, "oops", [:], "later"),
            (400, #"{"code":400,"error":"bad"}"#, [:], "refused"), (413, #"{"error":"big"}"#, [:], "refused"),
            // A proxy or a firewall on the way: no word about the listens.
            (400, "<html>", [:], "later"), (413, "", [:], "later"), (422, #"{"detail":[]}"#, [:], "later"),
            (400, #"{"success":false}"#, [:], "later"),
        ] as [(Int, String, [String: String], String)])
    func trouble(_ status: Int, _ body: String, _ headers: [String: String], _ expected: String) async {
        stand.will(status, body, headers)
        let answer = await refusal { () throws(ScrobbleRefusal) in _ = try await client.submit([.numbered(1)], keys) }
        #expect(short(answer) == expected)
    }

    @Test("a listen of a day far ahead that is refused, alone, is judged: many of them are no fault of the site")
    func ahead() async throws {
        var far = Listen.numbered(1)
        far.began += 300 * 86_400
        for _ in 0..<2 { stand.will(400, #"{"code":400,"error":"in the future"}"#) }
        #expect(try await client.submit([far], keys) == [.refused("this machine's clock was ahead when it was heard")])
        let pair = await refusal { () throws(ScrobbleRefusal) in
            _ = try await client.submit([far, .numbered(2)], keys)
        }
        #expect(short(pair) == "refused")
        stand.will(200, #"{"status":"ok"}"#)
        #expect(try await client.submit([far], keys) == [.taken], "this machine's clock is behind now")
    }

    @Test("texts are cut so that no listen is too big, whatever they hold")
    func sizes() async throws {
        stand.will(200, "{}")
        let long = String(repeating: "\u{1F469}\u{200D}\u{1F469}", count: 3000)
        _ = try await client.submit([Listen(artist: long, title: long + "\0", album: long, began: 1)], keys)
        #expect(stand.lastBody.utf8.count < 10_240 && !stand.lastBody.contains("\\u0000"))
    }
}

private func short(_ answer: ScrobbleDelivery.Answer?) -> String {
    switch answer {
    case nil: "taken"
    case .judged: "judged"
    case .refused: "refused"
    case .stopped: "stopped"
    case .later(_, let seconds): seconds.map { "later \(Int($0))" } ?? "later"
    }
}

@Suite("Last.fm")
struct LastFMTests {
    let stand = SiteStand()
    let client: LastFMClient
    init() {
        client = LastFMClient(http: stand, url: "https://ws.audioscrobbler.com/2.0", wallClock: { 1_790_000_500 })
    }

    @Test("the signature is the MD5 of what is sorted by bytes: artist[10] before artist[1]")
    func signature() {
        // By md5sum of "api_keyxxxartist[10]bartist[1]amethodauth.getSessiontokenyyymysecret".
        let fields = [
            (name: "token", value: "yyy"), (name: "artist[1]", value: "a"), (name: "artist[10]", value: "b"),
            (name: "api_key", value: "xxx"), (name: "method", value: "auth.getSession"),
        ]
        #expect(LastFMSignature.text(of: fields, secret: "mysecret") == "068f3d61f283cb188436ec3877c94d03")
        #expect(LastFMSignature.text(of: [], secret: "") == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test("a batch is numbered, signed and sent in the body alone; each listen has its verdict")
    func batch() async throws {
        stand.will(
            200,
            """
            {"scrobbles":{"@attr":{"accepted":1,"ignored":2},"scrobble":[{"ignoredMessage":{"code":"0","#text":""}},
            {"ignoredMessage":{"code":"2","#text":""}},{"ignoredMessage":{"code":5}}]}}
            """)
        let verdicts = try await client.submit([.numbered(1), .numbered(2), .numbered(3)], keys)
        #expect(verdicts == [.taken, .refused("Last.fm ignores this track"), .later])
        let form = stand.lastForm
        #expect(form["artist[0]"] == "Á & B" && form["track[2]"] == "Ы 3" && form["album[1]"] == "L=P")
        #expect(form["timestamp[1]"] == "1790000002" && form["duration[0]"] == "180")
        #expect(form["sk"] == "tok-canary" && form["method"] == "track.scrobble" && form["format"] == "json")
        #expect(form["api_sig"]?.count == 32)
        #expect(stand.seen[0].url.revealed == "https://ws.audioscrobbler.com/2.0/")
        #expect(!stand.lastBody.contains("mysecret"))
    }

    @Test("one listen's answer is an object; older than 14 days is not even sent")
    func single() async throws {
        stand.will(200, #"{"scrobbles":{"@attr":{},"scrobble":{"ignoredMessage":{"code":"0"}}}}"#)
        var old = Listen.numbered(1)
        old.began -= 15 * 86_400
        let verdicts = try await client.submit([old, .numbered(2)], keys)
        #expect(verdicts == [.refused("Last.fm takes nothing older than 14 days"), .taken])
        #expect(stand.lastForm["track[0]"] == "Ы 2" && stand.lastForm["track[1]"] == nil)
        #expect(try await client.submit([old], keys).count == 1)
        #expect(stand.seen.count == 1)
    }

    @Test("a listen of a day that is far ahead, by the site's clock too, is not waited for; one of tomorrow is")
    func ahead() async throws {
        let code = #"{"ignoredMessage":{"code":"4"}}"#
        stand.will(200, #"{"scrobbles":{"scrobble":[\#(code),\#(code),{"ignoredMessage":{"code":"0"}}]}}"#)
        var (far, near, sound) = (Listen.numbered(1), Listen.numbered(2), Listen.numbered(3))
        far.began += 300 * 86_400
        near.began += 3600
        // The site takes it: this machine's clock is behind now.
        sound.began += 300 * 86_400
        let verdicts = try await client.submit([far, near, sound], keys)
        #expect(verdicts == [.refused("this machine's clock was ahead when it was heard"), .later, .taken])
    }

    @Test(
        "errors are told apart, whatever the status",
        arguments: [
            (200, #"{"error":9,"message":"tok-canary"}"#, "stopped"), (403, #"{"error":10}"#, "stopped"),
            (403, #"{"error":13}"#, "stopped"), (403, #"{"error":26}"#, "stopped"), (403, #"{"error":4}"#, "stopped"),
            (200, #"{"error":11}"#, "later"), (503, #"{"error":16}"#, "later"), (500, #"{"error":8}"#, "later"),
            (200, #"{"error":29}"#, "later 60"), (400, #"{"error":6}"#, "refused"), (200, "<html>", "later"),
            (502, "<html>", "later"), (200, #"{"error":99}"#, "later"), (429, "", "later 60"),
            (400, "<html>", "later"), (413, "", "later"), (422, "{}", "later"),
        ] as [(Int, String, String)])
    func trouble(_ status: Int, _ body: String, _ expected: String) async {
        stand.will(status, body)
        let answer = await refusal { () throws(ScrobbleRefusal) in _ = try await client.submit([.numbered(1)], keys) }
        #expect(short(answer) == expected)
        #expect(!"\(String(describing: answer))".contains("canary"))
    }

    @Test("consent: a token, a page, and a session once it was given")
    func consent() async throws {
        stand.will(200, #"{"token":"t o"}"#)
        let grant = try await client.begin(apiKey: Secret("apikey"), sharedSecret: Secret("mysecret"))
        #expect(grant.page.revealed == "https://www.last.fm/api/auth/?api_key=apikey&token=t+o")
        stand.will(403, #"{"error":14,"message":"This token has not been authorized"}"#)
        let pending = await refusal { () throws(ScrobbleRefusal) in _ = try await client.finish(grant) }
        guard case .later(let failure, _) = pending else {
            Issue.record("\(String(describing: pending))")
            return
        }
        #expect(failure.code == .challengeNeeded)
        stand.will(200, #"{"session":{"subscriber":0,"name":"anna","key":"sess"}}"#)
        let (made, name) = try await client.finish(grant)
        #expect(name == "anna" && made.token == Secret("sess") && made.apiKey == Secret("apikey"))
        client.url = "http://libre.test:8080/2.0"
        stand.will(200, #"{"token":"t"}"#)
        let other = try await client.begin(apiKey: Secret("a"), sharedSecret: Secret("b"))
        #expect(other.page.revealed.hasPrefix("http://libre.test:8080/api/auth/?"))
    }
}
