internal import CGst
internal import NyanCore

extension Loudness {
    /// The ReplayGain values a TAG event carries.
    nonisolated init(taggedBy event: UnsafeMutablePointer<GstEvent>) {
        var list: UnsafeMutablePointer<GstTagList>?
        // The list stays the event's.
        gst_event_parse_tag(event, &list)
        self.init(in: list)
    }

    /// The same of a TAG message.
    nonisolated init(toldBy message: UnsafeMutablePointer<GstMessage>) {
        var list: UnsafeMutablePointer<GstTagList>?
        gst_message_parse_tag(message, &list)
        self.init(in: list)
        if let list { gst_tag_list_unref(list) }
    }

    /// GStreamer's readers have turned decimal commas into points and other texts into zero; what they made of the rest
    /// and cannot be meant is left out.
    private nonisolated init(in list: UnsafeMutablePointer<GstTagList>?) {
        func value(_ tag: String) -> Double? {
            var value = 0.0
            guard let list, gst_tag_list_get_double(list, tag, &value) != 0 else { return nil }
            return value
        }
        // Old files refer to another loudness than today's 89 dB and say so.
        let reference = value(GST_TAG_REFERENCE_LEVEL).flatMap { (60...110).contains($0) ? $0 : nil } ?? 89
        func gain(_ tag: String) -> Double? { value(tag).map { $0 + 89 - reference } }
        self.init(
            trackGain: gain(GST_TAG_TRACK_GAIN), trackPeak: value(GST_TAG_TRACK_PEAK),
            albumGain: gain(GST_TAG_ALBUM_GAIN), albumPeak: value(GST_TAG_ALBUM_PEAK))
    }
}
