internal import CGst
internal import NyanCore
internal import Synchronization

/// ReplayGain in the way of the sound: an element for playbin3's `audio-filter`, and what it applies.
///
/// Not `rgvolume`: of GStreamer 1.22 it keeps a sound's gain for an untagged one that joins it (it forgets at EOS only,
/// and a join has none), lets a NaN through, and its protection, `rglimiter`, bends every sample above half of full
/// scale. Gains come as TAG events, which travel with each stream, so they switch on its very first sample.
final class GainFilter {
    let element: GstRef
    private let works: GainWorks

    /// - Returns: nil where even `audioconvert` is missing; then nothing sounds anyway.
    init?(_ mode: GainMode, _ notes: GainNotes) {
        // Floats, so that what is brought down by half keeps its low bits and nothing is cut before the sink.
        let format = "audio/x-raw,format=F32\(1.littleEndian == 1 ? "LE" : "BE"),layout=interleaved"
        let description = "audioconvert ! capsfilter name=nyand-gain caps=\(format)"
        guard let bin = gst_parse_bin_from_description(description, 1, nil) else { return nil }
        element = GstRef(owning: gst_object_ref_sink(bin))
        works = GainWorks(mode, notes)
        guard let filter = gst_bin_get_by_name(element.raw.assumingMemoryBound(to: GstBin.self), "nyand-gain") else {
            return nil
        }
        defer { gst_object_unref(filter) }
        guard let pad = gst_element_get_static_pad(filter, "src") else { return nil }
        defer { gst_object_unref(pad) }
        let mask = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
        gst_pad_add_probe(pad, mask, gainPassing, Unmanaged.passRetained(works).toOpaque(), releaseContext)
    }

    /// Takes effect with the next sound; `off` lets it through untouched.
    func use(_ mode: GainMode) { works.use(mode) }
}

/// The part of the filter that lives on the streaming thread.
nonisolated private final class GainWorks: Sendable {
    private struct State {
        /// Counts from the next sound on.
        var wish: GainMode
        var mode: GainMode
        /// Group of the sound that passes: another number is another sound.
        var group: UInt32?
        var channels = 1
        var loudness = Loudness()
        var stage = GainStage()
    }
    private let state: Mutex<State>
    private let notes: GainNotes

    init(_ mode: GainMode, _ notes: GainNotes) {
        state = Mutex(State(wish: mode, mode: mode))
        self.notes = notes
    }

    func use(_ mode: GainMode) { state.withLock { $0.wish = mode } }

    func passed(_ event: UnsafeMutablePointer<GstEvent>) {
        switch cgst_event_type(event) {
        case GST_EVENT_STREAM_START: started(event)
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
                state.stage.want(loudness.factor(state.mode))
            }
        default: break
        }
    }

    /// A stream begins, or says so again: then its tags do not come again.
    private func started(_ event: UnsafeMutablePointer<GstEvent>) {
        var group: guint = 0
        let known = streamID(event).flatMap(notes.loudness) ?? Loudness()
        let isKnown = gst_event_parse_group_id(event, &group) != 0
        state.withLock { state in
            if isKnown, group == state.group { return }
            state.group = isKnown ? group : nil
            state.mode = state.wish
            state.loudness = known
            state.stage.begin()
            state.stage.want(known.factor(state.mode))
        }
    }

    /// - Returns: the buffer to go on with: the same, or a copy if others hold it. Takes over the reference.
    func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer> {
        guard state.withLock({ $0.mode != .off }) else { return buffer }
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
