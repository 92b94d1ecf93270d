import Dispatch
public import NyanCore

/// Fetches locations over libcurl: an MP3 by ranges, an HLS playlist by segments. Main actor only.
public final class CurlFetcher: Fetcher {
    private let session: CurlSession

    public init(session: CurlSession) { self.session = session }

    /// Begins an attempt; the first event comes after this has returned. The attempt goes on to its end even if the
    /// returned value is dropped.
    public func start(
        _ location: Location, userAgent: String, into copy: any CopySink, from offset: Int64,
        onEvent: @escaping @MainActor (TransferEvent) -> Void
    ) -> any Transfer {
        let transfer = CurlTransfer(
            location, userAgent: userAgent, copy: copy, session: session, onEvent: onEvent)
        transfer.open(from: offset)
        return transfer
    }
}

/// One attempt at a copy's missing bytes: looks at what the location is, then lets a `DirectRun` or a `SegmentRun` work.
final class CurlTransfer: Transfer {
    let copy: any CopySink
    private(set) var speedLimit: Int?

    private let location: Location
    private let userAgent: String
    private let session: CurlSession
    private let onEvent: (TransferEvent) -> Void
    private lazy var pacer = ProgressPacer { [weak self] in self?.tellProgress() }
    private(set) var isOver = false
    // The runs hold the transfer and it holds them: that keeps an attempt alive to its end, where both are let go.
    private var direct: DirectRun?
    private var segments: SegmentRun?

    init(
        _ location: Location, userAgent: String, copy: any CopySink, session: CurlSession,
        onEvent: @escaping (TransferEvent) -> Void
    ) {
        self.location = location
        self.userAgent = userAgent
        self.copy = copy
        self.session = session
        self.onEvent = onEvent
    }

    /// Whether the location is a file or a playlist is seen by its first bytes, so every attempt begins as a direct one.
    func open(from offset: Int64) {
        direct = DirectRun(self, url: location.url, wanted: offset)
        DispatchQueue.main.async { [self] in direct?.next() }
    }

    func prefer(offset: Int64) { direct?.prefer(offset: offset) }

    func cancel() { close() }

    /// HLS: holds from the next segment on.
    func limit(bytesPerSecond: Int?) {
        guard bytesPerSecond != speedLimit else { return }
        speedLimit = bytesPerSecond
        direct?.limitChanged()
    }

    /// Begins a request of this attempt. Nil when that is impossible: the attempt ends soon, yet never from in here, as
    /// the caller is in the middle of writing down what it began.
    func start(
        _ url: Secret, headers: [(name: String, value: String)] = [], speedLimit: Int?,
        onHead: @escaping (ResponseHead) -> Bool, onBody: @escaping (UnsafeRawBufferPointer) -> Bool,
        onEnd: @escaping (Exchange.End) -> Void
    ) -> Exchange? {
        guard WebAddress(url.revealed) != nil else {
            failSoon(NetworkFailure.badAddress())
            return nil
        }
        let own = [("User-Agent", userAgent), ("Accept", "*/*"), ("Accept-Encoding", "identity")]
        let request = WireRequest(url: url, headers: own + headers, acceptsGzip: true, speedLimit: speedLimit)
        let exchange = session.start(request, onHead: onHead, onBody: onBody, onEnd: onEnd)
        if exchange == nil { failSoon(NetworkFailure.outOfMemory) }
        return exchange
    }

    private func failSoon(_ failure: Failure) { DispatchQueue.main.async { [self] in fail(failure) } }

    /// The location is a playlist: go on by segments.
    func turn(toPlaylist bytes: [UInt8], url: Secret) {
        direct = nil
        let run = SegmentRun(self)
        segments = run
        run.begin(bytes, url: url)
    }

    func progressed() { pacer.note() }

    /// Whom the location names, for messages.
    var host: String { WebAddress(location.url.revealed)?.host ?? "The server" }

    func finish() { end(.finished) }

    func fail(_ failure: Failure) { end(.failed(failure)) }

    private func end(_ event: TransferEvent) {
        guard !isOver else { return }
        pacer.flush()
        // The listener may have cancelled while it was told the last progress.
        guard !isOver else { return }
        close()
        onEvent(event)
    }

    private func close() {
        isOver = true
        pacer.stop()
        direct?.cancel()
        segments?.cancel()
        direct = nil
        segments = nil
    }

    private func tellProgress() {
        onEvent(.progress(received: copy.received, total: copy.size ?? segments?.estimatedTotal))
    }
}
