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
    /// The next buffer is the first after `expectFirst`.
    private let isFirstAwaited = Atomic(false)
    private let onFirst: @Sendable () -> Void
    private let probe = Mutex<(pad: GstRef, id: UInt)?>(nil)

    /// `onFirst` is called on a streaming thread for the first buffer after `expectFirst`.
    init(_ sink: GstRef, volume: StreamVolume, onFirst: @escaping @Sendable () -> Void) {
        self.volume = volume
        self.onFirst = onFirst
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

    func forgetEdge() { edgeTime.store(-1, ordering: .releasing) }

    /// A load begins: its first buffer is to be told.
    func expectFirst() {
        forgetEdge()
        isFirstAwaited.store(true, ordering: .releasing)
    }

    fileprivate func passed(_ event: UnsafeMutablePointer<GstEvent>) {
        switch cgst_event_type(event) {
        case GST_EVENT_CAPS: isNewFormat.store(true, ordering: .releasing)
        case GST_EVENT_STREAM_START:
            // What was handed to the sink before this belongs to the sound before.
            lastEdgeTime.store(edgeTime.exchange(-1, ordering: .acquiringAndReleasing), ordering: .releasing)
        default: break
        }
    }

    fileprivate func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        if isNewFormat.exchange(false, ordering: .acquiringAndReleasing) { volume.apply() }
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
