import NyanCore

/// One request as libcurl is to make it.
nonisolated struct WireRequest {
    var method = HTTPRequest.Method.get
    var url: Secret
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// For the whole exchange, redirects included; nil for a transfer, which ends only when the server falls silent.
    var timeout: Duration?
    /// Gzip is wished for in answers of the API only, as ranges of a packed body are worthless; a media server that packs
    /// all the same is understood (its requests name "identity" themselves).
    var acceptsGzip = false
    /// Bytes a second; nil = no limit.
    var speedLimit: Int?

    /// Headers that tell nothing about a person: these alone go on to another host after a redirect.
    private static let harmless: Set<String> = [
        "user-agent", "accept", "accept-encoding", "accept-language", "range", "if-range",
    ]

    /// The request that follows a redirect (RFC 9110 §15.4); nil for a post that leads to another host: its secrets must not
    /// go there, and without them the answer would be no answer to what was asked.
    func redirected(to target: Secret, status: Int, sameOrigin: Bool) -> Self? {
        var next = self
        next.url = target
        if !sameOrigin {
            next.headers = headers.filter { Self.harmless.contains($0.name.lowercased()) }
        }
        guard method == .post else { return next }
        guard sameOrigin else { return nil }
        if status == 307 || status == 308 { return next }
        next.method = .get
        next.body = nil
        next.headers = next.headers.filter { !$0.name.lowercased().hasPrefix("content-") }
        return next
    }
}

/// What came before a body: the last answer's status and headers.
nonisolated struct ResponseHead {
    var status: Int
    /// Names in lower case; a repeated header keeps its last value.
    var headers: [String: String]
    /// The values of all `Set-Cookie` lines, in order.
    var setCookies: [Secret] = []
    /// The URL that answered, after redirects: what a playlist's references are relative to.
    var url: Secret
    /// The host that answered, for messages.
    var host: String
    /// Whether HTTP says where the body ends. If not, a connection that broke looks like the end of the file.
    var isEndAnnounced = true
}
