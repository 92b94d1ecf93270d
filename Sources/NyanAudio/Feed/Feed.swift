internal import CGst
internal import Dispatch
internal import NyanCore
internal import Synchronization

/// What a feed tells the engine. Comes on any thread.
nonisolated enum FeedReport: Sendable {
    /// The beginning of the sound is there: it can be given a deck. Once, and first but for hunger.
    case ready
    /// Bytes are wanted and this one, the first of them, is not there.
    case hungry(at: Int64)
    /// Enough bytes are there again after `hold`.
    case refilled
    /// Every byte is there.
    case complete
    /// The last byte was handed to the pipeline.
    case drained
    /// The bytes begin like a web page or another text: no sound.
    case notSound
    case unreadable
}

/// Hands the bytes of one load to its `appsrc`: answers need-data and seek-data on the streaming threads and wakes up
/// when the source has grown.
///
/// It pushes one block for each need-data since the last seek, never more: appsrc drops whatever comes between a seek and
/// the need-data after it (swift-facts.md §2.3). It never waits.
nonisolated final class Feed: Sendable {
    let load: LoadNumber
    /// The bytes as the pipeline sees them.
    let sound: FedSound
    private let report: @Sendable (Feed, FeedReport) -> Void
    private let state: Mutex<FeedState>
    /// Set while bytes are wanted that are not there. Outside the lock, so that a source may tell its changes while it
    /// holds a lock of its own.
    private let isWaiting = Atomic(false)
    /// A refill is waited for.
    private let isHeld = Atomic(false)
    /// The pipeline knows the size already.
    private let isSizeTold = Atomic(false)

    private static let block = 64 << 10
    /// Pumps for sources that have grown, away from whoever made them grow.
    private static let queue = DispatchQueue(label: "nyand.feed")

    init(_ load: LoadNumber, _ sound: FedSound, report: @escaping @Sendable (Feed, FeedReport) -> Void) {
        self.load = load
        self.sound = sound
        self.report = report
        state = Mutex(FeedState())
        let observation = sound.observe { [weak self] change in self?.changed(change) }
        state.withLock { $0.observation = observation }
    }

    /// Whether the pipeline waits for bytes that are not there.
    var isHungry: Bool { isWaiting.load(ordering: .acquiring) }

    /// Takes the appsrc that is to get the bytes, before it runs.
    func attach(_ appsrc: GstRef) {
        let size = sound.size ?? -1
        cgst_set_int(appsrc.raw, "stream-type", Int32(GST_APP_STREAM_TYPE_SEEKABLE.rawValue))
        cgst_set_int(appsrc.raw, "format", Int32(GST_FORMAT_BYTES.rawValue))
        gst_app_src_set_size(appsrc.appSource, Int(size))
        state.withLock { $0.appsrc = appsrc }
        isSizeTold.store(size >= 0, ordering: .releasing)
        var callbacks = GstAppSrcCallbacks()
        callbacks.need_data = feedNeedData
        callbacks.seek_data = feedSeekData
        let keep = Unmanaged.passRetained(self).toOpaque()
        gst_app_src_set_callbacks(appsrc.appSource, &callbacks, keep, releaseContext)
    }

    /// Reports `ready` as soon as the beginning of the sound is there; once.
    func open() {
        state.withLock { $0.isOpen = true }
        pump()
    }

    /// Ends all work; what the pipeline still asks is not answered.
    func close() {
        let (old, observation) = state.withLock { $0.close() }
        isWaiting.store(false, ordering: .releasing)
        // Dropped here, outside the lock: both may call back.
        _ = (old, observation)
    }

    /// Asks for a `refilled` report as soon as `bytes` more are there than were handed out by now, or the end is.
    func hold(bytes: Int64) {
        isHeld.store(true, ordering: .sequentiallyConsistent)
        state.withLock { $0.refill = FeedState.Refill(from: $0.offset, bytes: bytes) }
        pump()
    }

    /// The next seek of the pipeline is to read from `offset`, whatever it asks for.
    func expectSeek(to offset: Int64) { state.withLock { $0.reckoned = offset } }

    fileprivate func needData() {
        state.withLock { $0.isAsked = true }
        pump()
    }

    fileprivate func seekData(_ offset: Int64) {
        isWaiting.store(false, ordering: .releasing)
        let moved = state.withLock { $0.seek(to: offset) }
        // So that the end is where it was, as the pipeline counts from now on.
        if let moved, let size = sound.size { gst_app_src_set_size(moved.appsrc.appSource, Int(size + moved.by)) }
    }

    private func changed(_ change: CopyChange) {
        switch change {
        case .grew:
            let isAwaited = isHungry || isHeld.load(ordering: .acquiring) || !isSizeTold.load(ordering: .acquiring)
            if isAwaited { Self.queue.async { [weak self] in self?.grew() } }
        case .completed:
            Self.queue.async { [weak self] in
                guard let self else { return }
                grew()
                report(self, .complete)
            }
        case .broke: Self.queue.async { [weak self] in self.map { $0.report($0, .unreadable) } }
        }
    }

    private func grew() {
        if let size = sound.size, let appsrc = state.withLock({ $0.appsrc }),
            !isSizeTold.exchange(true, ordering: .acquiringAndReleasing)
        {
            gst_app_src_set_size(appsrc.appSource, Int(size))
        }
        pump()
    }

    /// Answers what is open, if anything is, and tells what came of it.
    private func pump() {
        let reports = state.withLock { state -> [FeedReport] in
            var reports: [FeedReport] = []
            if state.isOpen, !state.isReady, let told = judge(&state) { reports.append(told) }
            if state.isAsked, let appsrc = state.appsrc, let told = push(&state, into: appsrc) { reports.append(told) }
            if state.isRefilled(from: sound) {
                state.refill = nil
                isHeld.store(false, ordering: .releasing)
                reports.append(.refilled)
            }
            return reports
        }
        for told in reports { report(self, told) }
    }

    /// Looks whether the beginning of the sound is there.
    private func judge(_ state: inout FeedState) -> FeedReport? {
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        guard let form = sound.form, state.mayPass(sound) else { return state.hunger(sound) }
        isWaiting.store(false, ordering: .releasing)
        state.isReady = true
        state.answered()
        return form == .noSound ? .notSound : .ready
    }

    private func push(_ state: inout FeedState, into appsrc: GstRef) -> FeedReport? {
        // Before reading, or a change between the read and the mark would be missed.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        guard state.mayPass(sound) else { return state.hunger(sound) }
        guard let buffer = gst_buffer_new_allocate(nil, UInt(Self.block), nil) else { return .unreadable }
        var map = GstMapInfo()
        gst_buffer_map(buffer, &map, GST_MAP_WRITE)
        let room = UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size))
        let read = sound.read(at: state.offset, into: room)
        gst_buffer_unmap(buffer, &map)
        if read == .notYet {
            gst_buffer_unref(buffer)
            return state.hunger(sound)
        }
        isWaiting.store(false, ordering: .releasing)
        state.answered()
        guard case .bytes(let count) = read else {
            gst_buffer_unref(buffer)
            return state.finish(read, appsrc)
        }
        gst_buffer_resize(buffer, 0, count)
        state.push(buffer, count, into: appsrc)
        return nil
    }
}

nonisolated private func feedNeedData(
    _ appsrc: UnsafeMutablePointer<GstAppSrc>?, _ length: guint, _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<Feed>.fromOpaque(context).takeUnretainedValue().needData()
}

nonisolated private func feedSeekData(
    _ appsrc: UnsafeMutablePointer<GstAppSrc>?, _ offset: guint64, _ context: UnsafeMutableRawPointer?
) -> gboolean {
    guard let context else { return 0 }
    Unmanaged<Feed>.fromOpaque(context).takeUnretainedValue().seekData(Int64(clamping: offset))
    return 1
}
