import FoundationEssentials
public import NyanCore

/// ListenBrainz, or a server that speaks its language (Maloja, Koito…): JSON, and the person's token in a header.
///
/// Facts from its documentation ("Core API", "JSON documentation"): `single` is one listen just heard, `import` are saved
/// ones; a request may hold 1,000 listens and some 10 MB, each listen 10,240 bytes; every answer has `X-RateLimit-*`.
public final class ListenBrainzClient: ScrobbleClient, ScrobbleTokenProof {
    /// Base of the interface without a slash at the end.
    public var url: String
    private let http: any HTTPClient
    private let version: String
    /// Seconds since 1970.
    private let wallClock: () -> Int64

    public init(http: any HTTPClient, url: String, version: String, wallClock: @escaping () -> Int64) {
        self.http = http
        self.url = url
        self.version = version
        self.wallClock = wallClock
    }

    public let batch = 100

    /// A listen may have 10,240 bytes of JSON: so many characters of each text leave room whatever they are.
    private nonisolated static let longestText = 800

    public func submit(_ listens: [Listen], _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) -> [ListenVerdict] {
        let kind = listens.count == 1 ? "single" : "import"
        do throws(ScrobbleRefusal) {
            try await send(kind, listens.map { payload($0, dated: true) }, keys)
        } catch {
            // The site refuses a batch for one listen of the future; alone it is judged, however many there are.
            guard case .refused = error.answer, listens.count == 1, SiteAnswer.isAhead(listens[0], wallClock()) else {
                throw error
            }
            return [SiteAnswer.ahead]
        }
        return listens.map { _ in .taken }
    }

    public func nowPlaying(_ listen: Listen, _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) {
        try await send("playing_now", [payload(listen, dated: false)], keys)
    }

    public func prove(_ token: Secret) async throws(ScrobbleRefusal) -> String {
        let response = try await call(.get, "validate-token", nil, token)
        guard let proof = try? JSONDecoder().decode(Proof.self, from: Data(response.body)), response.status < 400
        else { throw refusal(response) }
        guard proof.valid else { throw Self.unknownToken }
        return proof.user_name ?? "ListenBrainz"
    }

    private func send(_ kind: String, _ payload: [Submission.Payload], _ keys: ScrobbleKeys)
        async throws(ScrobbleRefusal)
    {
        let submission = Submission(listen_type: kind, payload: payload)
        guard let body = try? JSONEncoder().encode(submission) else {
            throw ScrobbleRefusal(.refused(Failure(.internal, "the listens cannot be written as JSON")))
        }
        let response = try await call(.post, "submit-listens", Array(body), keys.token)
        // Servers of one's own answer `{"status": "ok"}` or with more; what is no JSON is no such server.
        guard response.status == 200,
            (try? JSONDecoder().decode(Acknowledgement.self, from: Data(response.body))) != nil
        else { throw refusal(response) }
    }

    private func call(
        _ method: HTTPRequest.Method, _ name: String, _ body: [UInt8]?, _ token: Secret
    ) async throws(ScrobbleRefusal) -> HTTPResponse {
        let headers = [
            (name: "Authorization", value: "Token \(token.revealed)"),
            (name: "Content-Type", value: "application/json"), SiteAnswer.userAgent,
        ]
        let request = HTTPRequest(
            method, url: Secret("\(url)/1/\(name)"), headers: headers, body: body, timeout: .seconds(30),
            maxBytes: 1 << 20)
        do { return try await http.send(request) } catch { throw SiteAnswer.lost(error) }
    }

    private func refusal(_ response: HTTPResponse) -> ScrobbleRefusal {
        let words = try? JSONDecoder().decode(Acknowledgement.self, from: Data(response.body))
        guard response.status == 401 || response.status == 403, words != nil else {
            return SiteAnswer.refusal(response, from: "ListenBrainz", isOwn: words?.error?.isEmpty == false)
        }
        return Self.unknownToken
    }

    private nonisolated static let unknownToken = ScrobbleRefusal(
        .stopped(
            Failure(
                .denied, "ListenBrainz does not know this token; copy it anew and `nyanctl scrobble login listenbrainz`"
            )))

    private func payload(_ listen: Listen, dated: Bool) -> Submission.Payload {
        let about = Submission.About(
            duration_ms: listen.seconds > 0 ? listen.seconds * 1000 : nil, media_player: "Nyan Tunes",
            submission_client: "nyand", submission_client_version: version)
        let metadata = Submission.Metadata(
            artist_name: Self.cut(listen.artist), track_name: Self.cut(listen.title),
            release_name: listen.album.map(Self.cut), additional_info: about)
        return Submission.Payload(listened_at: dated ? listen.began : nil, track_metadata: metadata)
    }

    private nonisolated static func cut(_ text: String) -> String {
        var cut = String(text.unicodeScalars.prefix(longestText).map(Character.init))
        // NUL is refused for the whole batch.
        cut.removeAll { $0 == "\0" }
        return cut
    }
}

/// The document of `submit-listens`; its keys are the site's.
private nonisolated struct Submission: Encodable {
    struct Payload: Encodable {
        /// Left out of `playing_now`, which must have none.
        var listened_at: Int64?
        var track_metadata: Metadata
    }

    struct Metadata: Encodable {
        var artist_name: String
        var track_name: String
        var release_name: String?
        var additional_info: About
    }

    struct About: Encodable {
        var duration_ms: Int?
        var media_player: String
        var submission_client: String
        var submission_client_version: String
    }

    var listen_type: String
    var payload: [Payload]
}

/// Any JSON object: what tells the interface from a page of the web.
private nonisolated struct Acknowledgement: Decodable {
    var status: String?
    var code: Int?
    var error: String?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        status = try? fields.decode(String.self, forKey: .status)
        code = try? fields.decode(Int.self, forKey: .code)
        error = try? fields.decode(String.self, forKey: .error)
    }

    private enum Keys: String, CodingKey { case status, code, error }
}

private nonisolated struct Proof: Decodable {
    var valid: Bool
    var user_name: String?
}
