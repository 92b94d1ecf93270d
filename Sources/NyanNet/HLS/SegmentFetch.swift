import Dispatch
import NyanCore

/// Fetches one small file of a playlist (a segment, a key, a variant) whole into memory, with quick retries.
///
/// Answers once: the body as sent, or the failure that ended it. A broken connection, a server's 500 and "not there"
/// (404, 410) are tried twice more at once; a silent server, "asks to wait" and "not for you" (403) are not.
final class SegmentFetch {
    /// Far above 22 s at 320 kbit/s.
    private static let largest = 8 << 20
    private static let retryDelays: [DispatchTimeInterval] = [.milliseconds(200), .milliseconds(800)]

    /// How many there are, of all transfers together.
    private(set) static var count = 0

    private let transfer: CurlTransfer
    private let url: Secret
    private let range: Range<Int64>?
    private let speedLimit: Int?
    private var answer: ((Result<ResponseBody, Failure>) -> Void)?
    private var exchange: Exchange?
    private var tries = 0
    private var body: [UInt8] = []
    private var problem: (failure: Failure, isPassing: Bool)?

    struct ResponseBody {
        var bytes: [UInt8]
        /// After redirects.
        var url: Secret
    }

    /// Begins at once. `answer` is called once, never from inside libcurl, unless cancelled before.
    init(
        _ transfer: CurlTransfer, url: Secret, range: Range<Int64>? = nil, speedLimit: Int?,
        answer: @escaping (Result<ResponseBody, Failure>) -> Void
    ) {
        self.transfer = transfer
        self.url = url
        self.range = range
        self.speedLimit = speedLimit
        self.answer = answer
        Self.count += 1
        begin()
    }

    isolated deinit { Self.count -= 1 }

    func cancel() {
        answer = nil
        exchange?.cancel()
        exchange = nil
    }

    private func begin() {
        guard answer != nil, !transfer.isOver else { return }
        body = []
        problem = nil
        let headers = range.map { [(name: "Range", value: "bytes=\($0.lowerBound)-\($0.upperBound - 1)")] } ?? []
        exchange = transfer.start(
            url, headers: headers, speedLimit: speedLimit, onHead: { [self] in judge($0) },
            onBody: { [self] in take($0) }, onEnd: { [self] in ended($0) })
    }

    private func judge(_ head: ResponseHead) -> Bool {
        if let failure = NetworkFailure.of(mediaStatus: head.status, headers: head.headers, host: head.host) {
            // One file that is not there may be on its way to this server; an address that expired is seen soon enough.
            let isMissing = head.status == 404 || head.status == 410
            problem = (failure, isPassing: isMissing || head.status >= 500 && head.status != 503)
        } else if head.status == 416 || WebAddress(head.url.revealed)?.path.contains("/err404") == true {
            problem = (RangeAnswer.expired(head), false)
        } else if let range, head.status != 206 || !Self.names(range, head) {
            problem = (Failure(.badAnswer, "\(head.host) does not send the part that was asked for."), false)
        } else if let length = head.headers["content-length"].flatMap({ Int($0) }), length <= Self.largest {
            body.reserveCapacity(length)
        }
        return problem == nil
    }

    /// Whether a partial answer is the part that was asked for.
    private static func names(_ range: Range<Int64>, _ head: ResponseHead) -> Bool {
        guard let bytes = ContentRange(head.headers["content-range"])?.bytes else { return false }
        return bytes.lowerBound == range.lowerBound && bytes.upperBound == range.upperBound - 1
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= Self.largest else {
            problem = (Failure(.badAnswer, "A part of the sound is too long."), false)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func ended(_ end: Exchange.End) {
        exchange = nil
        switch end {
        case .complete(let head): give(.success(ResponseBody(bytes: body, url: head.url)))
        case .failed(let failure): retry(failure, isPassing: failure.code == .network)
        case .stopped:
            guard let problem else { return }
            retry(problem.failure, isPassing: problem.isPassing)
        }
    }

    private func retry(_ failure: Failure, isPassing: Bool) {
        guard isPassing, tries < Self.retryDelays.count else { return give(.failure(failure)) }
        let delay = Self.retryDelays[tries]
        tries += 1
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { [self] in begin() }
    }

    private func give(_ result: Result<ResponseBody, Failure>) {
        let answer = answer
        self.answer = nil
        body = []
        answer?(result)
    }
}
