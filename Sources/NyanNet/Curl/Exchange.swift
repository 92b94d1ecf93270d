import CCurl
import Glibc
import NyanCore

/// One request and its answer, redirects followed by hand so that no secret header reaches another host.
///
/// `onHead` and `onBody` run inside libcurl: they only look and keep; false ends the exchange. `onEnd` runs once,
/// outside of libcurl, unless the exchange was cancelled. Redirect answers are not shown to any of them.
final class Exchange {
    enum End {
        case complete(ResponseHead)
        /// A handler said false.
        case stopped
        case failed(Failure)
    }

    /// As many as browsers' and players' habits allow; more is a circle.
    private static let mostRedirects = 5
    /// A redirect's body is thrown away; a longer one is not waited for.
    private static let mostRedirectBytes = 256 << 10

    private(set) var request: WireRequest
    let easy: EasyHandle
    private let onHead: (ResponseHead) -> Bool
    private let onBody: (UnsafeRawBufferPointer) -> Bool
    private let onEnd: (End) -> Void
    private weak var session: CurlSession?

    private var lines = HeaderLines()
    private var headShown = false
    private var bodyBegan = false
    /// A handler said false.
    private(set) var stopped = false
    private(set) var isCancelled = false
    private var redirects = 0
    private var thrownAway = 0
    /// Bytes of the body so far, and announced; 0 = not announced.
    private var received = 0
    private var length = 0
    private let began: timespec
    /// When the server last sent anything, or the exchange began.
    private var lastSign: timespec

    init(
        _ request: WireRequest, easy: EasyHandle, session: CurlSession,
        onHead: @escaping (ResponseHead) -> Bool, onBody: @escaping (UnsafeRawBufferPointer) -> Bool,
        onEnd: @escaping (End) -> Void
    ) {
        self.request = request
        self.easy = easy
        self.session = session
        self.onHead = onHead
        self.onBody = onBody
        self.onEnd = onEnd
        began = Self.now()
        lastSign = began
    }

    /// Ends it without any further call. May be used from inside a handler.
    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        session?.drop(self)
    }

    /// Puts the request's options and the callbacks into the handle.
    func prepare(limits: CurlSession.Limits, proxy: String?) {
        lastSign = Self.now()
        var request = request
        if let timeout = request.timeout { request.timeout = timeout - Self.elapsed(since: began) }
        easy.prepare(request, limits: limits, proxy: proxy)
        let me = Unmanaged.passUnretained(self).toOpaque()
        // Both are called only from inside the session's own calls on the main queue, while the session keeps `self`.
        nyan_easy_on_header(
            easy.raw,
            { bytes, size, count, me in
                guard let bytes, let me else { return 0 }
                let exchange = Unmanaged<Exchange>.fromOpaque(me).takeUnretainedValue()
                exchange.lastSign = Exchange.now()
                exchange.lines.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return exchange.lines.isTooLong ? 0 : size * count
            }, me)
        nyan_easy_on_body(
            easy.raw,
            { bytes, size, count, me in
                guard let bytes, let me else { return 0 }
                let exchange = Unmanaged<Exchange>.fromOpaque(me).takeUnretainedValue()
                let taken = exchange.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return taken ? size * count : 0
            }, me)
    }

    /// What to do after libcurl is done with the handle.
    enum Next { case again, over(End) }

    func ended(_ code: CURLcode) -> Next {
        if !stopped, isRedirect, code == CURLE_OK || thrownAway > Self.mostRedirectBytes { return followRedirect() }
        if lines.isTooLong { return .over(.failed(NetworkFailure.tooLong(host: host))) }
        if stopped { return .over(.stopped) }
        guard code == CURLE_OK else { return .over(.failed(NetworkFailure.of(code, host: host))) }
        // An answer without a body still has a head to look at.
        if !headShown, !showHead() { return .over(.stopped) }
        return .over(.complete(head))
    }

    func tell(_ end: End) {
        if !isCancelled { onEnd(end) }
    }

    /// How long the server may still be silent; zero or less: too long. Nil for a call, which has its own time limit.
    ///
    /// libcurl's own speed limit notices silence too, but averages over five seconds first.
    func patience(_ limits: CurlSession.Limits) -> Duration? {
        guard request.timeout == nil else { return nil }
        let rest = request.speedLimit.map { EasyHandle.longestRest(speedLimit: $0) } ?? .zero
        return limits.silence + rest - Self.elapsed(since: lastSign)
    }

    func liftLimit() {
        request.speedLimit = nil
        easy.limit(bytesPerSecond: nil)
    }

    /// Host and port: whom connections are counted by.
    var place: String { WebAddress(request.url.revealed).map { "\($0.host):\($0.port)" } ?? "" }

    var host: String { WebAddress(request.url.revealed)?.host ?? "the server" }

    private var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(lines.status) && lines.fields["location"] != nil
    }

    private var head: ResponseHead {
        ResponseHead(
            status: lines.status, headers: lines.fields, setCookies: lines.setCookies, url: request.url, host: host,
            isEndAnnounced: lines.isEndAnnounced)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastSign = Self.now()
        if isCancelled { return false }
        if isRedirect {
            thrownAway += bytes.count
            return thrownAway <= Self.mostRedirectBytes
        }
        if !headShown, !showHead() { return false }
        received += bytes.count
        if isSteady { session?.steady.note(bytes.count) }
        // The first bytes say what it is: they are handed on as they are.
        guard bodyBegan, let gathering = session?.gathering else {
            bodyBegan = true
            return hand(bytes)
        }
        return gathering.take(bytes, for: self)
    }

    /// Shows the next bytes of the body; false ends the exchange.
    func hand(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isCancelled, !stopped else { return false }
        stopped = !onBody(bytes)
        return !stopped && !isCancelled
    }

    /// In the middle of a long body that comes as fast as it can.
    private var isSteady: Bool {
        request.timeout == nil && request.speedLimit == nil && received > 512 << 10 && length - received > 256 << 10
    }

    private func showHead() -> Bool {
        length = lines.fields["content-length"].flatMap { Int($0) } ?? 0
        headShown = true
        stopped = !onHead(head)
        return !stopped
    }

    private func followRedirect() -> Next {
        redirects += 1
        guard redirects <= Self.mostRedirects else {
            return .over(.failed(NetworkFailure.tooManyRedirects(host: host)))
        }
        guard let target = easy.redirectTarget, let there = WebAddress(target),
            let here = WebAddress(request.url.revealed),
            request.timeout == nil || there.isAsSafe(as: here),
            let next = request.redirected(
                to: Secret(target), status: lines.status, sameOrigin: there.isSameOrigin(as: here))
        else {
            return .over(
                .failed(Failure(.badAnswer, "\(host) redirects to where nyand must not follow.", retry: .later)))
        }
        request = next
        lines = HeaderLines()
        thrownAway = 0
        return .again
    }

    private static func now() -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now
    }

    private static func elapsed(since start: timespec) -> Duration {
        let end = now()
        return .seconds(end.tv_sec - start.tv_sec) + .nanoseconds(end.tv_nsec - start.tv_nsec)
    }
}
