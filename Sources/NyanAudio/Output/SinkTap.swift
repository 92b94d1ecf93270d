internal import CGst
internal import NyanCore
internal import Synchronization

/// Watches what goes into the sink: how far the sound reaches that was handed to it, and where a new format begins.
nonisolated final class SinkTap: Sendable {
    private let volume: StreamVolume
    /// End of the newest buffer in the sink, stream time in nanoseconds; −1 before the first.
    private let edgeTime = Atomic<Int64>(-1)
    /// The edge the sound before had when the newest one joined it.
    private let lastEdgeTime = Atomic<Int64>(-1)
    private let isNewFormat = Atomic(false)
    /// How many buffers went in.
    private let passes = Atomic<UInt64>(0)
    /// The last buffer went in: no more comes before a flush or another stream.
    private let isAtEnd = Atomic(false)
    /// The next buffer is to be told to `onMove`.
    private let isMoveAwaited = Atomic(false)
    private let onMove: @Sendable () -> Void
    private let route: Route?
    /// The next buffer is the first after `expectFirst`.
    private let isFirstAwaited = Atomic(false)
    private let onFirst: @Sendable () -> Void
    private let probe = Mutex<(pad: GstRef, id: UInt)?>(nil)

    /// `onFirst` is called on a streaming thread for the first buffer after `expectFirst`, `onMove` for the first after
    /// `expectMove`.
    init(
        _ sink: GstRef, volume: StreamVolume, route: Route?, onFirst: @escaping @Sendable () -> Void,
        onMove: @escaping @Sendable () -> Void
    ) {
        self.volume = volume
        self.route = route
        self.onFirst = onFirst
        self.onMove = onMove
        guard let pad = gst_element_get_static_pad(sink.element, "sink") else { return }
        let keep = Unmanaged.passRetained(self).toOpaque()
        let mask = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
        let id = gst_pad_add_probe(pad, mask, tapped, keep, releaseContext)
        probe.withLock { $0 = (GstRef(owning: pad), id) }
    }

    /// Lets go of the sink, which holds the tap: without this neither is ever freed.
    func remove() {
        guard let (pad, id) = probe.withLock({ $0 }) else { return }
        probe.withLock { $0 = nil }
        gst_pad_remove_probe(pad.pad, id)
    }

    /// How far the sound reaches that the sink has; nil before the first buffer after a load, a seek or a join.
    var edge: Duration? {
        let time = edgeTime.load(ordering: .acquiring)
        return time < 0 ? nil : .nanoseconds(time)
    }

    /// Where the sound before the newest join ends; nil if nothing joined.
    var seam: Duration? {
        let time = lastEdgeTime.load(ordering: .acquiring)
        return time < 0 ? nil : .nanoseconds(time)
    }

    /// How many buffers went in so far: while this stands still, the sink takes nothing, or there is nothing to take.
    var count: UInt64 { passes.load(ordering: .relaxed) }

    /// Whether the last buffer went in.
    var hasEnded: Bool { isAtEnd.load(ordering: .relaxed) }

    /// Whether the sink was told of a new format and has not yet got anything in it: it makes a stream for it.
    var isPreparing: Bool { isNewFormat.load(ordering: .acquiring) }

    /// The next buffer is to be told.
    func expectMove() { isMoveAwaited.store(true, ordering: .releasing) }

    func forgetEdge() { edgeTime.store(-1, ordering: .releasing) }

    /// A load begins: its first buffer is to be told.
    func expectFirst() {
        forgetEdge()
        isFirstAwaited.store(true, ordering: .releasing)
    }

    fileprivate func passed(_ event: UnsafeMutablePointer<GstEvent>) {
        switch cgst_event_type(event) {
        case GST_EVENT_CAPS: isNewFormat.store(true, ordering: .releasing)
        case GST_EVENT_EOS: isAtEnd.store(true, ordering: .relaxed)
        case GST_EVENT_SEGMENT: isAtEnd.store(false, ordering: .relaxed)
        case GST_EVENT_STREAM_START:
            // What was handed to the sink before this belongs to the sound before.
            lastEdgeTime.store(edgeTime.exchange(-1, ordering: .acquiringAndReleasing), ordering: .releasing)
        default: break
        }
    }

    fileprivate func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        passes.add(1, ordering: .relaxed)
        if isMoveAwaited.exchange(false, ordering: .acquiringAndReleasing) { onMove() }
        if isNewFormat.load(ordering: .acquiring) {
            volume.enforce()
            route?.opened()
            isNewFormat.store(false, ordering: .releasing)
        } else {
            volume.look()
        }
        let time = buffer.pointee.pts
        guard time != UInt64.max else { return }
        let length = buffer.pointee.duration == UInt64.max ? 0 : buffer.pointee.duration
        edgeTime.store(Int64(clamping: time &+ length), ordering: .releasing)
        if isFirstAwaited.exchange(false, ordering: .acquiringAndReleasing) { onFirst() }
    }
}

/// Streaming thread, before the sink sees the buffer or the event.
nonisolated private func tapped(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context else { return GST_PAD_PROBE_OK }
    let tap = Unmanaged<SinkTap>.fromOpaque(context).takeUnretainedValue()
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
        if let buffer = gst_pad_probe_info_get_buffer(info) { tap.passed(buffer) }
    } else if let event = gst_pad_probe_info_get_event(info) {
        tap.passed(event)
    }
    return GST_PAD_PROBE_OK
}
