/// The answer to reading a copy.
public enum ByteRead: Sendable, Equatable {
    /// So many bytes were put into the buffer; at least one.
    case bytes(Int)
    /// Nothing at this offset yet; a change will be told.
    case notYet
    /// The offset is at or past the end of a sound whose size is known.
    case end
    /// The file cannot be read.
    case failed
}

/// A copy told its readers that something changed.
public enum CopyChange: Sendable, Equatable {
    /// Bytes came or the size became known.
    case grew
    /// Every byte is there.
    case completed
    /// The file could not be written or read any more.
    case broke(Failure)
}

/// Keeps an observation alive; dropping it ends it.
public final class Observation: Sendable {
    private let end: @Sendable () -> Void
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
}

/// Port: the bytes of one track as far as they are there. Safe to call from any thread; reads never wait.
public protocol ByteSource: AnyObject, Sendable {
    /// Bytes of the whole sound; nil until known.
    var size: Int64? { get }
    var isComplete: Bool { get }
    /// Copies bytes from `offset` on into `buffer`, as many as are there without a gap.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead
    /// How many bytes are there without a gap from `offset` on.
    func available(from offset: Int64) -> Int64
    /// Calls `change` on whatever thread made the change, until the observation is dropped.
    func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation
}

/// How a copy's bytes come: decides how resuming works.
public enum CopyKind: String, Sendable, Codable { case direct, hls }

/// What a server said identifies exactly these bytes; kept so that a changed file is never spliced.
public struct Validator: Sendable, Equatable, Codable {
    /// A strong ETag only.
    public var etag: String?
    public var lastModified: String?
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }
}

/// Where an HLS copy stands: segments are written in order, so a count is enough (vk-api.md §4.4).
public struct SegmentProgress: Sendable, Equatable, Codable {
    /// Segments fully written, from the first on.
    public var done: Int
    /// Length of the file after `done` segments.
    public var bytes: Int64
    /// EXTINF seconds of every segment: a fresh playlist must agree before it is continued.
    public var durations: [Double]
    public init(done: Int, bytes: Int64, durations: [Double]) {
        self.done = done
        self.bytes = bytes
        self.durations = durations
    }
}

/// Port: the growing file of one track, for whoever fills it. Safe to call from any thread; writes go to the page cache.
public protocol CopySink: ByteSource {
    var kind: CopyKind? { get }
    var validator: Validator? { get }
    var segments: SegmentProgress? { get }
    /// Counts how often everything was thrown away: bytes of two editions never belong together.
    var edition: Int { get }
    /// The first gap at or after `offset`, else the first gap at all; nil when complete. `upperBound` is nil when the
    /// size is unknown.
    func missing(from offset: Int64) -> (lower: Int64, upper: Int64?)?
    /// Bytes that are there, gaps not counted.
    var received: Int64 { get }
    /// Starts over or goes on as `kind`: differing kind, validator or total throws away what was there.
    /// - Returns: true when earlier bytes were kept.
    func begin(kind: CopyKind, total: Int64?, validator: Validator?) throws(Failure) -> Bool
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure)
    /// HLS: bytes of the next whole segment were written; remembers the count durably with them.
    func segmentDone(_ progress: SegmentProgress) throws(Failure)
    /// The end was reached; `total` is the true size. Completes only if no gap is left.
    func finish(total: Int64) throws(Failure)
    /// Throws away every byte and whatever is known about them.
    func reset() throws(Failure)
    /// Bytes of unknown origin come to those that are there: from now on nothing proves that an answer is of the same file.
    func forgetValidator() throws(Failure)
    /// Somebody listens to it now: the stream cache drops first what was not for longest.
    func notePlayed()
    /// Whether bytes of an earlier run are there that `check` has not looked at.
    var needsCheck: Bool { get }
    /// Compares what an earlier run left with what was written then, off the main actor, and lets go of what differs.
    /// - Returns: how many bytes differed.
    func check() async -> Int64
}

extension CopySink {
    public var edition: Int { 0 }
    public func notePlayed() {}
    public func forgetValidator() throws(Failure) {}
    public var needsCheck: Bool { false }
    public func check() async -> Int64 { 0 }
}
