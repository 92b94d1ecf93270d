internal import CGst

/// The format of decoded sound on a pad, and what can be done with a buffer of it. Streaming threads.
// unchecked: all it points to is GStreamer's table of formats, which stays.
nonisolated struct AudioFormat: @unchecked Sendable, Equatable {
    private var info = GstAudioInfo()

    /// nil while the pad has no format yet.
    init?(of pad: UnsafeMutablePointer<GstPad>) {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { gst_caps_unref(caps) }
        guard gst_audio_info_from_caps(&info, caps) != 0, info.bpf > 0, info.rate > 0 else { return nil }
    }

    /// Hertz.
    var rate: Int { Int(info.rate) }

    static func == (one: Self, other: Self) -> Bool {
        withUnsafePointer(to: one.info) { one in
            withUnsafePointer(to: other.info) { gst_audio_info_is_equal(one, $0) != 0 }
        }
    }

    /// The event that tells a pad of it.
    func event() -> UnsafeMutablePointer<GstEvent>? {
        guard let caps = withUnsafePointer(to: info, { gst_audio_info_to_caps($0) }) else { return nil }
        defer { gst_caps_unref(caps) }
        return gst_event_new_caps(caps)
    }

    /// Whether the channels of one moment lie side by side. Those of libmpg123, FLAC, Vorbis, Opus and AAC do; some of
    /// libav put each channel in a plane of its own.
    var isInterleaved: Bool { info.layout == GST_AUDIO_LAYOUT_INTERLEAVED }

    /// Samples per channel.
    func samples(in buffer: UnsafeMutablePointer<GstBuffer>) -> Int {
        Int(gst_buffer_get_size(buffer)) / Int(info.bpf)
    }

    /// The first `samples` of a buffer, which is taken over; nil when it cannot be cut.
    func cut(_ buffer: UnsafeMutablePointer<GstBuffer>, to samples: Int) -> UnsafeMutablePointer<GstBuffer>? {
        let time = buffer.pointee.pts
        guard let part = gst_audio_buffer_truncate(buffer, info.bpf, 0, UInt(samples)) else { return nil }
        part.pointee.pts = time
        part.pointee.duration = GstClockTime(samples) * 1_000_000_000 / GstClockTime(info.rate)
        return part
    }

    /// The loudest channel of each sample, 0…1; empty for formats no MP3 decoder of ours makes.
    func levels(of buffer: BufferRef) -> [Float] {
        guard isInterleaved else { return [] }
        return buffer.read { bytes in
            switch info.finfo.pointee.format {
            case GST_AUDIO_FORMAT_S16LE: peaks(bytes) { (value: Int16) in abs(Float(value)) / 32_768 }
            case GST_AUDIO_FORMAT_S32LE: peaks(bytes) { (value: Int32) in abs(Float(value)) / 2_147_483_648 }
            case GST_AUDIO_FORMAT_F32LE: peaks(bytes) { (value: Float) in abs(value) }
            default: []
            }
        }
    }

    private func peaks<Value>(_ bytes: UnsafeRawBufferPointer, _ level: (Value) -> Float) -> [Float] {
        let values = bytes.bindMemory(to: Value.self)
        let channels = Int(info.channels)
        return (0..<values.count / channels).map { sample in
            (0..<channels).reduce(0) { max($0, level(values[sample * channels + $1])) }
        }
    }
}

/// Owns one reference of a buffer.
// unchecked: GstBuffer's reference count is atomic, and whoever holds the only reference may read and write it.
nonisolated final class BufferRef: @unchecked Sendable {
    private var pointer: UnsafeMutablePointer<GstBuffer>?

    init(owning pointer: UnsafeMutablePointer<GstBuffer>) { self.pointer = pointer }

    deinit { if let pointer { gst_buffer_unref(pointer) } }

    /// The stream time in nanoseconds at which it is over; nil where it carries none.
    var endTime: UInt64? {
        guard let buffer = pointer?.pointee, buffer.pts != .max, buffer.duration != .max else { return nil }
        let (end, isTooLate) = UInt64(buffer.pts).addingReportingOverflow(UInt64(buffer.duration))
        return isTooLate ? nil : end
    }

    /// How long it sounds in nanoseconds; 0 where it does not say.
    var length: UInt64 {
        guard let length = pointer?.pointee.duration, length != .max else { return 0 }
        return UInt64(length)
    }

    /// Whether another one begins where this one ends, so that both could be one. `doubt`: nanoseconds.
    func isFollowed(by next: BufferRef, within doubt: Int64) -> Bool {
        guard let end = endTime, let next = next.pointer?.pointee, next.pts != .max, next.duration != .max,
            next.mini_object.flags & GST_BUFFER_FLAG_DISCONT.rawValue == 0, isPlain, isPlain(next)
        else { return false }
        return (-doubt...doubt).contains(Int64(clamping: next.pts) - Int64(clamping: end))
    }

    private var isPlain: Bool { pointer.map { isPlain($0.pointee) } ?? false }

    /// Neither stands for silence nor is known to be damaged: what is said of one must not be said of both.
    private func isPlain(_ buffer: GstBuffer) -> Bool {
        buffer.mini_object.flags & (GST_BUFFER_FLAG_GAP.rawValue | GST_BUFFER_FLAG_CORRUPTED.rawValue) == 0
    }

    /// Puts the samples of another one behind its own, which are taken over.
    func append(_ next: BufferRef) {
        let end = next.endTime
        guard let second = next.giveAway() else { return }
        guard let first = giveAway() else { return pointer = second }
        let whole = gst_buffer_append(first, second)
        pointer = whole
        guard let whole, let end, end >= whole.pointee.pts else { return }
        whole.pointee.duration = GstClockTime(end) - whole.pointee.pts
    }

    /// Hands the reference to the caller; only once.
    func giveAway() -> UnsafeMutablePointer<GstBuffer>? {
        defer { pointer = nil }
        return pointer
    }

    func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var map = GstMapInfo()
        guard let pointer, gst_buffer_map(pointer, &map, GST_MAP_READ) != 0 else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        defer { gst_buffer_unmap(pointer, &map) }
        return body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    }
}
