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

    var appsrc: GstRef?
    var observation: Observation?
    /// Where the next block is read.
    var offset: Int64 = 0
    /// The pipeline is ready to take bytes.
    var isOpen = false
    /// A need-data came since the last seek and is not answered yet.
    var isAsked = false
    /// The end was told to the pipeline since the last seek.
    var isDrained = false
    var refill: Refill?
    /// When the last block was handed out, monotonic; nil before the first.
    private var lastPush: Duration?
    /// The pipeline has a decoder for this sound, and it works.
    private var isSettled = false
    /// Who waits for that.
    private var waiters: [DispatchSemaphore] = []
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
    mutating func hunger(_ sound: FedSound) -> FeedReport? {
        let missing = sound.sourceOffset(offset + sound.available(from: offset))
        guard toldHungryAt != missing else { return nil }
        toldHungryAt = missing
        return .hungry(at: missing)
    }

    /// Answers a need-data with a block.
    mutating func push(_ buffer: UnsafeMutablePointer<GstBuffer>, _ count: Int, into appsrc: GstRef) {
        offset += Int64(count)
        lastPush = monotonicNow()
        gst_app_src_push_buffer(appsrc.appSource, buffer)
    }

    mutating func settle() {
        isSettled = true
        for waiter in waiters { waiter.signal() }
        waiters = []
    }

    /// What to wait on until the sound is settled; nil if it is, or if nothing was handed out since `patience` ago.
    mutating func settling(since patience: Duration) -> DispatchSemaphore? {
        guard !isSettled, let lastPush, monotonicNow() - lastPush < patience else { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        waiters.append(semaphore)
        return semaphore
    }

    /// Ends all work. Hands out what is to be dropped outside the lock.
    mutating func close() -> (GstRef?, Observation?) {
        defer {
            appsrc = nil
            observation = nil
            refill = nil
        }
        settle()
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
