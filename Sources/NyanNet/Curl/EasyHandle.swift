import CCurl
import NyanCore

/// One of libcurl's easy handles with the options of a request; used again and again through the session's pool.
final class EasyHandle {
    /// Reads in one turn of libcurl 7.88 while its socket has more, whatever the speed limit says.
    private static let readsInATurn = 100

    /// Bytes of one read. A turn then keeps the main actor for a few milliseconds at most, and lets a limited transfer
    /// run ahead by half a second's worth.
    private static func bufferSize(speedLimit: Int?) -> Int {
        guard let speedLimit else { return 64 << 10 }
        return min(max(speedLimit / (2 * readsInATurn), 1 << 10), 16 << 10)
    }

    /// How long a limited transfer may have to rest after a turn that ran ahead.
    static func longestRest(speedLimit: Int) -> Duration {
        .milliseconds(1000 * readsInATurn * bufferSize(speedLimit: speedLimit) / max(1, speedLimit))
    }

    let raw: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// Nil when memory is out.
    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
    }

    isolated deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(headerList)
    }

    /// Forgets the last request; connections, names and TLS sessions stay with the session.
    func reset() {
        curl_easy_reset(raw)
        curl_slist_free_all(headerList)
        headerList = nil
    }

    /// Sets every option for `request`.
    func prepare(_ request: WireRequest, limits: CurlSession.Limits, proxy: String?) {
        reset()
        ConnectionSockets.serve(raw)
        set(CURLOPT_URL, request.url.revealed)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect.milliseconds))
        set(CURLOPT_BUFFERSIZE, Self.bufferSize(speedLimit: request.speedLimit))
        if let proxy, !proxy.isEmpty { set(CURLOPT_PROXY, proxy) }
        if request.acceptsGzip { set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        if let timeout = request.timeout {
            set(CURLOPT_TIMEOUT_MS, max(1, Int(timeout.milliseconds)))
        } else {
            set(CURLOPT_LOW_SPEED_LIMIT, limits.leastBytesPerSecond)
            set(CURLOPT_LOW_SPEED_TIME, max(1, Int(limits.silence.milliseconds / 1000)))
        }
        limit(bytesPerSecond: request.speedLimit)
        if request.method == .post { setBody(request.body ?? []) }
        setHeaders(request.headers)
    }

    /// Takes effect at the next turn, also in the middle of a transfer; a new limit should come with a new request, or the
    /// buffer is too large for it.
    func limit(bytesPerSecond: Int?) {
        nyan_easy_set_offset(raw, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(bytesPerSecond ?? 0))
    }

    /// The absolute target of a redirect, as libcurl resolved it.
    var redirectTarget: String? {
        nyan_easy_text(raw, CURLINFO_REDIRECT_URL).map { String(cString: $0) }
    }

    private func setBody(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        nyan_easy_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // An empty body still needs an address, or libcurl would read the body from a callback.
        (body.isEmpty ? [0] : body).withUnsafeBytes { bytes in _ = nyan_easy_set_body(raw, bytes.baseAddress) }
    }

    private func setHeaders(_ headers: [(name: String, value: String)]) {
        // A line break inside a value would begin a header of somebody else's choosing.
        for (name, value) in headers where !(name + value).utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) {
            guard let list = curl_slist_append(headerList, value.isEmpty ? "\(name);" : "\(name): \(value)") else {
                return
            }
            headerList = list
        }
        // Without this libcurl waits a second for "100 Continue" before larger bodies.
        if let list = curl_slist_append(headerList, "Expect:") { headerList = list }
        nyan_easy_set_headers(raw, headerList)
    }

    private func set(_ option: CURLoption, _ value: Int) { nyan_easy_set_long(raw, option, value) }
    private func set(_ option: CURLoption, _ value: String) { nyan_easy_set_text(raw, option, value) }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    nonisolated var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
