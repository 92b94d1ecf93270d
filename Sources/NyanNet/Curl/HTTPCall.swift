public import NyanCore

extension CurlSession: HTTPClient {
    /// Sends a short request and waits for the whole answer, whatever its status.
    ///
    /// Throws `.network`, `.timeout`, `.badAnswer` (too long, not HTTP, redirects in circles) or `.cancelled`.
    public func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        guard !Task.isCancelled else { throw NetworkFailure.cancelled }
        guard WebAddress(request.url.revealed) != nil else { throw NetworkFailure.badAddress() }
        let call = HTTPCall(maxBytes: request.maxBytes)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                call.begin(request, on: self) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            Task { @MainActor in call.cancel() }
        }
        return try result.get()
    }
}

/// One `send`: gathers the body and answers exactly once.
private final class HTTPCall {
    private let maxBytes: Int
    private var body: [UInt8] = []
    private var isTooLong = false
    private var exchange: Exchange?
    private var answer: ((Result<HTTPResponse, Failure>) -> Void)?

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    func begin(
        _ request: HTTPRequest, on session: CurlSession, answer: @escaping (Result<HTTPResponse, Failure>) -> Void
    ) {
        self.answer = answer
        let wire = WireRequest(
            method: request.method, url: request.url, headers: request.headers, body: request.body,
            timeout: request.timeout, acceptsGzip: true)
        exchange = session.start(
            wire, onHead: { [self] in fits($0) }, onBody: { [self] in keep($0) }, onEnd: { [self] in end($0) })
        if exchange == nil { give(.failure(NetworkFailure.outOfMemory)) }
    }

    func cancel() {
        exchange?.cancel()
        give(.failure(NetworkFailure.cancelled))
    }

    private func fits(_ head: ResponseHead) -> Bool {
        isTooLong = head.headers["content-length"].flatMap { Int($0) }.map { $0 > maxBytes } ?? false
        return !isTooLong
    }

    /// Counts unpacked bytes, so a small answer cannot unpack into a huge one.
    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLong = body.count + bytes.count > maxBytes
        if !isTooLong { body.append(contentsOf: bytes) }
        return !isTooLong
    }

    private func end(_ end: Exchange.End) {
        switch end {
        case .complete(let head):
            give(
                .success(
                    HTTPResponse(
                        status: head.status, headers: head.headers, setCookies: head.setCookies, body: body)))
        case .stopped:
            give(.failure(NetworkFailure.tooLong(host: exchange?.host ?? "The server")))
        case .failed(let failure):
            give(.failure(failure))
        }
    }

    private func give(_ result: Result<HTTPResponse, Failure>) {
        let answer = answer
        self.answer = nil
        exchange = nil
        answer?(result)
    }
}
