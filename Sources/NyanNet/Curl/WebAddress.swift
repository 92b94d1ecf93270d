import CCurl

/// Where a request goes, as libcurl itself reads the URL. Only `host` is fit for showing.
nonisolated struct WebAddress: Sendable, Equatable {
    var scheme: String
    var host: String
    /// The scheme's own port when the URL names none.
    var port: String
    var path: String

    /// Nil when libcurl cannot read it or it is neither http nor https.
    init?(_ text: String) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard nyan_url_get(handle, part, &found, flags) == CURLUE_OK, let found else { return nil }
            defer { curl_free(found) }
            return String(cString: found)
        }
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
            let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)) ?? ""
        self.path = part(CURLUPART_PATH) ?? "/"
    }

    /// Whether secrets meant for one may be sent to the other.
    func isSameOrigin(as other: Self) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether a call made to the other may be answered from here: over https not by what anybody on the way could write.
    func isAsSafe(as other: Self) -> Bool { other.scheme == "http" || scheme == "https" }
}
