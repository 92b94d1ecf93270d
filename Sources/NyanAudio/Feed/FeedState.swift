internal import CGst
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
    /// The engine wants to know when the beginning is there.
    var isOpen = false
    /// The beginning is there, and that was told.
    var isReady = false
    /// A need-data came since the last seek and is not answered yet.
    var isAsked = false
    /// The end was told to the pipeline since the last seek.
    var isDrained = false
    var refill: Refill?
    /// Where the next seek goes, as the engine has reckoned.
    var reckoned: Int64?
    private var isGated = true
    /// The missing offset that was reported last, so that it is reported once.
    private var toldHungryAt: Int64?

    /// - Returns: by how much the pipeline's offsets are beyond the sound's from now on, if they differ.
    mutating func seek(to asked: Int64) -> (appsrc: GstRef, by: Int64)? {
        defer { reckoned = nil }
        offset = reckoned ?? asked
        isAsked = false
        isDrained = false
        isGated = true
        toldHungryAt = nil
        if refill != nil { refill = Refill(from: offset, bytes: Self.firstBytes) }
        guard reckoned != nil, let appsrc else { return nil }
        return (appsrc, asked - offset)
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
        gst_app_src_push_buffer(appsrc.appSource, buffer)
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
