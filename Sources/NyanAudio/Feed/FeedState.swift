internal import CGst
internal import Dispatch
internal import NyanCore

/// What a feed knows under its lock: where it reads, and what was asked of it. Reads the source, pushes nothing.
nonisolated struct FeedState: Sendable {
    /// Bytes that must be there before the clock may run again.
    struct Refill: Sendable {
        var from: Int64
        var bytes: Int64
    }

    /// What must be there after a load or a seek before the first byte is handed out: about 0.8 s of the best MP3.
    static let firstBytes: Int64 = 32 << 10

    /// The pipeline knows an MP3 when it has seen so much after the tag.
    private static let firstBlock: Int64 = 16 << 10
    private static let laterBlock: Int64 = 64 << 10

    var appsrc: GstRef?
    var observation: Observation?
    /// Where the next block is read.
    var offset: Int64 = 0
    /// A need-data came since the last seek and is not answered yet.
    var isAsked = false
    /// The end was told to the pipeline since the last seek.
    var isDrained = false
    var refill: Refill?
    /// The streaming thread works on a block of ours: it has not asked again.
    private var isBusy = false
    /// The pipeline knows what kind of sound it is and has built its decoder.
    private var isSettled = false
    private var settlesAt = Int64.max
    /// Who waits for the streaming thread to ask again.
    private var waiter: DispatchSemaphore?
    private var isGated = true
    /// The missing offset that was reported last, so that it is reported once.
    private var toldHungryAt: Int64?

    mutating func seek(to offset: Int64) {
        self.offset = offset
        isAsked = false
        isDrained = false
        isGated = true
        toldHungryAt = nil
        if refill != nil { refill = Refill(from: offset, bytes: Self.firstBytes) }
    }

    /// Whether the first bytes after a load or a seek are there.
    mutating func mayPass(_ source: any ByteSource) -> Bool {
        if isGated, !has(Self.firstBytes, from: offset, in: source) { return false }
        isGated = false
        return true
    }

    mutating func answered() {
        isAsked = false
        toldHungryAt = nil
    }

    /// The report of a missing byte, once for each.
    mutating func hunger(_ source: any ByteSource) -> FeedReport? {
        let missing = offset + source.available(from: offset)
        guard toldHungryAt != missing else { return nil }
        toldHungryAt = missing
        return .hungry(at: missing)
    }

    /// Answers a need-data with a block that begins with `head`.
    mutating func push(_ buffer: UnsafeMutablePointer<GstBuffer>, _ count: Int, head: [UInt8], into appsrc: GstRef) {
        if offset == 0 { settlesAt = MP3Length.tagSize(head) + Self.firstBlock }
        offset += Int64(count)
        isBusy = true
        gst_app_src_push_buffer(appsrc.appSource, buffer)
    }

    /// The streaming thread has done its work on the last block; `atEnd`: and on the end.
    mutating func returned(atEnd: Bool) {
        isBusy = false
        if atEnd || offset >= settlesAt { isSettled = true }
        waiter?.signal()
        waiter = nil
    }

    /// Bytes to hand out at once. Small at first: a thread with a large block may sit in a full queue for seconds before
    /// it comes back to say that the sound is known.
    var block: Int { Int(isSettled ? Self.laterBlock : Self.firstBlock) }

    /// Samples of this sound were heard: its kind is known.
    mutating func settle() { isSettled = true }

    /// What to wait on until the streaming thread is out of the parts that must not be stopped; nil if it is.
    mutating func quietness() -> DispatchSemaphore? {
        guard isBusy, !isSettled else { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        waiter = semaphore
        return semaphore
    }

    /// Ends all work. Hands out what is to be dropped outside the lock.
    mutating func close() -> (GstRef?, Observation?) {
        defer {
            appsrc = nil
            observation = nil
            refill = nil
        }
        return (appsrc, observation)
    }

    /// Carries out an answer that has no bytes.
    mutating func finish(_ read: ByteRead, _ appsrc: GstRef) -> FeedReport {
        guard read == .end else { return .unreadable }
        isDrained = true
        gst_app_src_end_of_stream(appsrc.appSource)
        return .drained
    }

    func isRefilled(from source: any ByteSource) -> Bool {
        guard let refill else { return false }
        return isDrained || has(refill.from + refill.bytes - offset, from: offset, in: source)
    }

    /// Whether so many bytes are there from `offset` on, or all up to the end.
    private func has(_ bytes: Int64, from offset: Int64, in source: any ByteSource) -> Bool {
        if source.isComplete { return true }
        let there = source.available(from: offset)
        if there >= bytes { return true }
        return source.size.map { offset + there >= $0 } ?? false
    }
}
