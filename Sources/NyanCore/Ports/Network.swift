/// One HTTP call. Header and body may hold secrets: never described, never logged.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable { case get = "GET", post = "POST" }

    public var method: Method
    public var url: Secret
    /// Sent to the first host only, never to the target of a redirect on another host.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]?
    public var timeout: Duration
    /// A longer answer is a failure.
    public var maxBytes: Int

    public init(
        _ method: Method, url: Secret, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), maxBytes: Int = 8 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maxBytes = maxBytes
    }
}

/// What came back, whatever the status.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// Names in lower case; a repeated header keeps its last value. Without `set-cookie`.
    public var headers: [String: String]
    /// The values of all `Set-Cookie` lines, in order.
    public var setCookies: [Secret]
    public var body: [UInt8]
    public init(status: Int, headers: [String: String], setCookies: [Secret] = [], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.setCookies = setCookies
        self.body = body
    }
}

/// Port: short HTTP exchanges. Cancelling the task ends the call with `.cancelled`.
@MainActor public protocol HTTPClient: AnyObject {
    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse
}

/// What a transfer tells whoever started it, on the main actor, in order.
public enum TransferEvent: Sendable, Equatable {
    /// Bytes came: how many are there, and of how many if known.
    case progress(received: Int64, total: Int64?)
    /// The copy is complete.
    case finished
    /// The attempt is over; what is there stays. `.expiredLocation`: a fresh location may help.
    case failed(Failure)
}

/// One attempt at a copy's missing bytes.
@MainActor public protocol Transfer: AnyObject {
    /// The reader wants bytes from here first. A ranged transfer moves there; an HLS one goes on in order.
    func prefer(offset: Int64)
    /// Ends it without an event; what is there stays.
    func cancel()
    /// Bytes a second this transfer may take; nil = no limit.
    func limit(bytesPerSecond: Int?)
}

/// Port: fetches a location into a copy, MP3 by ranges or HLS by segments, judged by content (vk-api.md §4.1).
@MainActor public protocol Fetcher: AnyObject {
    func start(
        _ location: Location, userAgent: String, into copy: any CopySink, from offset: Int64,
        onEvent: @escaping @MainActor (TransferEvent) -> Void
    ) -> any Transfer
}
