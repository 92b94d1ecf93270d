internal import CGst
internal import NyanCore
internal import Synchronization

/// The loudness of sounds whose bytes do not carry it, found again by the stream that comes out of the decoder.
///
/// Not as an ID3v2 tag in front of the bytes, nor as a TAG event at the source: every finished copy has a tag of its
/// own, and id3demux of GStreamer 1.22 lets through neither the tag before it nor the event. Nor at the decoder: it is
/// used again for the next sound. What is the same from the source to the sink is the stream's id.
nonisolated final class GainNotes: Sendable {
    private struct Note {
        let uri: String
        let loudness: Loudness
        /// As the source names its stream; nil before there is one.
        var stream: String?
    }

    /// Oldest first.
    private let notes = Mutex<[Note]>([])
    /// One sounds and one is staged; what is older was replaced.
    private static let most = 4

    /// Keeps what is known of the sound that will be read from `uri`.
    func keep(_ loudness: Loudness?, for uri: String) {
        guard let loudness, loudness.hasGain else { return }
        notes.withLock { $0 = $0.suffix(Self.most - 1) + [Note(uri: uri, loudness: loudness)] }
    }

    /// What is known of a stream. Parsers keep the source's id or add to it.
    func loudness(of stream: String) -> Loudness? {
        notes.withLock { notes in notes.last { $0.stream.map(stream.hasPrefix) == true }?.loudness }
    }

    /// Learns the ids of the sources that playbin3 makes.
    func serve(_ playbin: GstRef) {
        playbin.connect("source-setup", self, unsafeBitCast(namedSourceSetup, to: GCallback.self))
    }

    fileprivate func started(_ stream: String, from source: UnsafeMutableRawPointer) {
        guard let text = cgst_uri_of(source) else { return }
        defer { g_free(text) }
        let uri = String(cString: text)
        notes.withLock { notes in
            if let index = notes.firstIndex(where: { $0.uri == uri }) { notes[index].stream = stream }
        }
    }
}

/// The id of a STREAM_START event's stream.
nonisolated func streamID(_ event: UnsafeMutablePointer<GstEvent>) -> String? {
    var id: UnsafePointer<CChar>?
    gst_event_parse_stream_start(event, &id)
    return id.map { String(cString: $0) }
}

/// playbin3 made a source: its first event will say how it names its stream. Main or streaming thread.
private nonisolated let namedSourceSetup:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, source, context in
        guard let source, let context,
            let pad = gst_element_get_static_pad(source.assumingMemoryBound(to: GstElement.self), "src")
        else { return }
        let keep = Unmanaged.passRetained(Unmanaged<GainNotes>.fromOpaque(context).takeUnretainedValue()).toOpaque()
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, sourceTold, keep, releaseContext)
        gst_object_unref(pad)
    }

/// Streaming thread of the source.
nonisolated private func sourceTold(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let pad, let info, let context, let event = gst_pad_probe_info_get_event(info),
        cgst_event_type(event) == GST_EVENT_STREAM_START, let stream = streamID(event),
        let source = gst_pad_get_parent_element(pad)
    else { return GST_PAD_PROBE_OK }
    Unmanaged<GainNotes>.fromOpaque(context).takeUnretainedValue().started(stream, from: source)
    gst_object_unref(source)
    return GST_PAD_PROBE_REMOVE
}
