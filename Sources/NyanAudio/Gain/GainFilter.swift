internal import CGst
internal import NyanCore
internal import Synchronization

/// How a sound is to be evened out.
struct GainWish {
    var mode: GainMode
    /// What is known of a sound whose bytes do not tell it.
    var loudness: Loudness?
}

/// ReplayGain in the way of one sound: two elements of its deck, and what they apply.
///
/// Not `rgvolume`: that of GStreamer 1.22 lets a NaN through, and its protection, `rglimiter`, bends every sample above
/// half of full scale (docs/decisions/0010). Gains come as TAG events, ahead of the sound's first sample.
final class GainFilter {
    /// In the order of the sound.
    let elements: [GstRef]

    init(_ wish: GainWish) throws(Failure) {
        let filter = try GstRuntime.make("capsfilter")
        elements = [try GstRuntime.make("audioconvert"), filter]
        // Floats, so that what is brought down by half keeps its low bits and nothing is cut before the sink.
        cgst_set_caps(filter.raw, "audio/x-raw,format=F32\(1.littleEndian == 1 ? "LE" : "BE"),layout=interleaved")
        guard let pad = gst_element_get_static_pad(filter.element, "src") else { return }
        defer { gst_object_unref(pad) }
        GainWorks(wish).watch(pad)
    }
}

/// The part of the filter that lives on the streaming thread.
nonisolated private final class GainWorks: SampleWorker {
    private struct State {
        var channels = 1
        var loudness: Loudness
        var stage = GainStage()
    }
    private let mode: GainMode
    private let state: Mutex<State>

    init(_ wish: GainWish) {
        mode = wish.mode
        let known = wish.loudness ?? Loudness()
        state = Mutex(State(loudness: known))
        state.withLock { $0.stage.want(known.factor(wish.mode)) }
    }

    override func passed(_ event: UnsafeMutablePointer<GstEvent>) {
        switch cgst_event_type(event) {
        case GST_EVENT_CAPS:
            var caps: UnsafeMutablePointer<GstCaps>?
            gst_event_parse_caps(event, &caps)
            var count: gint = 0
            guard let caps, gst_structure_get_int(gst_caps_get_structure(caps, 0), "channels", &count) != 0 else {
                return
            }
            state.withLock { $0.channels = max(1, Int(count)) }
        case GST_EVENT_TAG:
            let told = Loudness(taggedBy: event)
            state.withLock { state in
                let loudness = state.loudness.updated(by: told)
                guard loudness != state.loudness else { return }
                state.loudness = loudness
                state.stage.want(loudness.factor(mode))
            }
        default: break
        }
    }

    override func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer> {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return buffer }
        let bytes = UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size))
        let passes = state.withLock { $0.stage.passes(UnsafeBufferPointer(Self.samples(bytes))) }
        gst_buffer_unmap(buffer, &map)
        if passes { return buffer }
        return changing(buffer) { bytes in
            state.withLock { $0.stage.change(Self.samples(bytes), channels: $0.channels) }
        }
    }

    /// The caps in front of the probe say that it is floats and how they lie.
    private static func samples(_ bytes: UnsafeMutableRawBufferPointer) -> UnsafeMutableBufferPointer<Float> {
        bytes.bindMemory(to: Float.self)
    }
}
