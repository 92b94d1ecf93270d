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
        let mask = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
        gst_pad_add_probe(pad, mask, gainPassing, Unmanaged.passRetained(GainWorks(wish)).toOpaque(), releaseContext)
    }
}

/// The part of the filter that lives on the streaming thread.
nonisolated private final class GainWorks: Sendable {
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

    func passed(_ event: UnsafeMutablePointer<GstEvent>) {
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

    /// - Returns: the buffer to go on with: the same, or a copy if others hold it. Takes over the reference.
    func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer> {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return buffer }
        let passes = state.withLock { $0.stage.passes(UnsafeBufferPointer(Self.samples(map))) }
        gst_buffer_unmap(buffer, &map)
        if passes { return buffer }
        let object = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
        guard let own = gst_mini_object_make_writable(object) else { return buffer }
        let ours = UnsafeMutableRawPointer(own).assumingMemoryBound(to: GstBuffer.self)
        guard gst_buffer_map(ours, &map, GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)) != 0
        else { return ours }
        state.withLock { $0.stage.change(Self.samples(map), channels: $0.channels) }
        gst_buffer_unmap(ours, &map)
        return ours
    }

    /// The caps in front of the probe say that it is floats and how they lie.
    private static func samples(_ map: GstMapInfo) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Float.self)
    }
}

/// Streaming thread: right before the samples leave the filter.
nonisolated private func gainPassing(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context else { return GST_PAD_PROBE_OK }
    let works = Unmanaged<GainWorks>.fromOpaque(context).takeUnretainedValue()
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
        if let buffer = gst_pad_probe_info_get_buffer(info) {
            info.pointee.data = UnsafeMutableRawPointer(works.passed(buffer))
        }
    } else if let event = gst_pad_probe_info_get_event(info) {
        works.passed(event)
    }
    return GST_PAD_PROBE_OK
}
