internal import CGst
internal import NyanCore
internal import Synchronization

/// Brings what reaches a sink down to silence while it lives. The stream's volume, which is the listener's, is not
/// touched: the samples are scaled on their way. Nothing is in their way before and after.
final class Fade {
    private let pad: GstRef
    private let probe: UInt

    /// Begins at once. nil where the sink has no pad.
    init?(_ sink: GstRef, over length: Duration) {
        guard let found = gst_element_get_static_pad(sink.element, "sink") else { return nil }
        pad = GstRef(owning: found)
        let works = FadeWorks(FadeRamp(length: length.inSeconds))
        if let caps = gst_pad_get_current_caps(found) {
            works.take(caps)
            gst_mini_object_unref(UnsafeMutableRawPointer(caps).assumingMemoryBound(to: GstMiniObject.self))
        }
        probe = works.watch(found)
    }

    /// Samples pass as they are from now on.
    func remove() { gst_pad_remove_probe(pad.pad, probe) }
}

/// The part of it that lives on the streaming thread.
nonisolated private final class FadeWorks: SampleWorker {
    private struct State {
        var ramp: FadeRamp
        /// nil = samples that cannot be scaled pass as they are.
        var format: SampleFormat?
        var channels = 1
        var rate = 44_100
    }
    private let state: Mutex<State>

    init(_ ramp: FadeRamp) { state = Mutex(State(ramp: ramp)) }

    func take(_ caps: UnsafeMutablePointer<GstCaps>) {
        guard let structure = gst_caps_get_structure(caps, 0) else { return }
        var (channels, rate): (gint, gint) = (1, 44_100)
        gst_structure_get_int(structure, "channels", &channels)
        gst_structure_get_int(structure, "rate", &rate)
        let isPlain = gst_structure_has_name(structure, "audio/x-raw") != 0
        let name = gst_structure_get_string(structure, "format").map { String(cString: $0) } ?? ""
        state.withLock { state in
            state.format = isPlain ? SampleFormat(name) : nil
            state.channels = Int(channels)
            state.rate = Int(rate)
        }
    }

    override func passed(_ event: UnsafeMutablePointer<GstEvent>) {
        guard cgst_event_type(event) == GST_EVENT_CAPS else { return }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        if let caps { take(caps) }
    }

    override func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer> {
        guard state.withLock({ $0.format }) != nil else { return buffer }
        return changing(buffer) { bytes in
            state.withLock { state in
                guard let format = state.format else { return }
                state.ramp.scale(bytes, format, channels: state.channels, rate: state.rate)
            }
        }
    }
}
