import FoundationEssentials
public import NyanCore

/// Last.fm, or a site that speaks its language (Libre.fm…): forms, signed with the person's own API key.
///
/// Facts from its documentation ("Scrobbling 2.0", "Authentication"): 50 listens of a call at most, older than 14 days
/// none; `track.scrobble` judges each of them (`ignoredMessage`).
public final class LastFMClient: ScrobbleClient, ScrobbleConsent {
    /// Base of the interface without a slash at the end.
    public var url: String
    private let http: any HTTPClient
    /// Seconds since 1970.
    private let wallClock: () -> Int64

    public init(http: any HTTPClient, url: String, wallClock: @escaping () -> Int64) {
        self.http = http
        self.url = url
        self.wallClock = wallClock
    }

    public let batch = 50
    /// Seconds; older listens are refused there.
    private nonisolated static let oldest: Int64 = 14 * 86_400

    public func submit(_ listens: [Listen], _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) -> [ListenVerdict] {
        let now = wallClock()
        let limit = now - Self.oldest
        let fresh = listens.filter { $0.began > limit }
        var verdicts = fresh.isEmpty ? [] : try await scrobble(fresh, keys)
        return listens.map { listen in
            guard listen.began > limit else { return .refused("Last.fm takes nothing older than 14 days") }
            let verdict = verdicts.removeFirst()
            // Waiting for that day would hold up all that came after.
            return verdict == .later && SiteAnswer.isAhead(listen, now) ? SiteAnswer.ahead : verdict
        }
    }

    private func scrobble(_ listens: [Listen], _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) -> [ListenVerdict] {
        var fields: [(name: String, value: String)] = []
        for (index, listen) in listens.enumerated() {
            fields += Self.fields(listen).map { (name: "\($0.name)[\(index)]", value: $0.value) }
            fields.append((name: "timestamp[\(index)]", value: "\(listen.began)"))
        }
        let body = try await call("track.scrobble", fields, keys)
        // Taken, even where it is not said of which: sending all once more would count them twice.
        guard let answer = try? JSONDecoder().decode(LastFMScrobbles.self, from: Data(body)),
            answer.verdicts.count == listens.count
        else { return listens.map { _ in .taken } }
        return answer.verdicts
    }

    public func nowPlaying(_ listen: Listen, _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) {
        _ = try await call("track.updateNowPlaying", Self.fields(listen), keys)
    }

    public func begin(apiKey: Secret, sharedSecret: Secret) async throws(ScrobbleRefusal) -> ScrobbleGrant {
        let keys = ScrobbleKeys(token: Secret(""), apiKey: apiKey, sharedSecret: sharedSecret)
        let body = try await call("auth.getToken", [], keys, isSignedIn: false)
        guard let token = (try? JSONDecoder().decode(Token.self, from: Data(body)))?.token else {
            throw ScrobbleRefusal(.later(Failure(.badAnswer, "Last.fm gave no token."), seconds: nil))
        }
        let asked = FormBody.encode([(name: "api_key", value: apiKey.revealed), (name: "token", value: token)])
        let page = Array("\(Self.pages(of: url))/api/auth/?".utf8) + asked
        var pending = keys
        pending.token = Secret(token)
        return ScrobbleGrant(keys: pending, page: Secret(String(decoding: page, as: UTF8.self)))
    }

    public func finish(_ grant: ScrobbleGrant) async throws(ScrobbleRefusal) -> (keys: ScrobbleKeys, name: String) {
        let body = try await call(
            "auth.getSession", [(name: "token", value: grant.keys.token.revealed)], grant.keys, isSignedIn: false)
        guard let session = (try? JSONDecoder().decode(Session.self, from: Data(body)))?.session else {
            throw ScrobbleRefusal(.later(Failure(.badAnswer, "Last.fm gave no session."), seconds: nil))
        }
        var keys = grant.keys
        keys.token = Secret(session.key)
        return (keys, session.name)
    }

    private nonisolated static func fields(_ listen: Listen) -> [(name: String, value: String)] {
        var fields = [(name: "artist", value: listen.artist), (name: "track", value: listen.title)]
        if let album = listen.album { fields.append((name: "album", value: album)) }
        if listen.seconds > 0 { fields.append((name: "duration", value: "\(listen.seconds)")) }
        return fields
    }

    /// The site where consent is given: Last.fm's pages have a host of their own.
    private nonisolated static func pages(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return url }
        let host = parts[2].prefix { $0 != "/" }
        return host == "ws.audioscrobbler.com" ? "https://www.last.fm" : "\(parts[0])//\(host)"
    }

    private func call(
        _ method: String, _ parameters: [(name: String, value: String)], _ keys: ScrobbleKeys, isSignedIn: Bool = true
    ) async throws(ScrobbleRefusal) -> [UInt8] {
        var fields = parameters + [(name: "method", value: method)]
        fields.append((name: "api_key", value: keys.apiKey?.revealed ?? ""))
        if isSignedIn { fields.append((name: "sk", value: keys.token.revealed)) }
        guard let signature = LastFMSignature.text(of: fields, secret: keys.sharedSecret?.revealed ?? "") else {
            throw ScrobbleRefusal(
                .stopped(Failure(.unsupported, "OpenSSL here has no MD5, which Last.fm's signatures need")))
        }
        fields += [(name: "api_sig", value: signature), (name: "format", value: "json")]
        let headers = [
            (name: "Content-Type", value: "application/x-www-form-urlencoded"), SiteAnswer.userAgent,
        ]
        let request = HTTPRequest(
            .post, url: Secret(url + "/"), headers: headers, body: FormBody.encode(fields), timeout: .seconds(30),
            maxBytes: 1 << 20)
        let response: HTTPResponse
        do { response = try await http.send(request) } catch { throw SiteAnswer.lost(error) }
        // The words count whatever the status: many failures come with 200.
        if let error = try? JSONDecoder().decode(LastFMError.self, from: Data(response.body)) { throw error.refusal }
        guard response.status == 200, response.body.first == UInt8(ascii: "{") else {
            throw SiteAnswer.refusal(response, from: "Last.fm", isOwn: false)
        }
        return response.body
    }

    private nonisolated struct Token: Decodable { var token: String }
    private nonisolated struct Session: Decodable {
        struct Inner: Decodable { var name: String, key: String }
        var session: Inner
    }
}
