internal import CGst
internal import NyanCore
internal import Synchronization

/// Cuts the end of a decoded sound: the samples that are the encoder's filling, not the music.
///
/// Sits on a decoder and holds back the newest buffers until it is known that they are not the end. How much is cut is
/// counted from the true end of what was decoded, so neither a header that lies nor a length that is not known yet
/// matters. What passes is put together to `Blocks` here, as this is where the end is seen in time. All calls are on the pad's
/// streaming thread, except those of a flush, during which it rests.
// unchecked: the pad is used on its own streaming thread only.
nonisolated final class TailTrim: @unchecked Sendable {
    /// Samples looked at where nobody told how much is filling: LAME puts at most 1727 there, a decoder 529 less.
    static let longestFilling = 1727 - MP3Head.decoderDelay
    /// How many samples before those tell what is loud.
    static let reference = 2304
    /// Filling is this much below the loudest sample before it, −20 dB. Measured with LAME at 128 and 320 kbit/s over
    /// tones, chords, noise and a decay: at most 5 samples off (docs/decisions/0011).
    static let quiet: Float = 0.1

    /// A Vorbis block has at most 4,096 samples of its own, an Opus packet 5,760.
    static let longestBlock = 5760

    private struct State {
        /// Held back, oldest first.
        var held: [HeldBuffer] = []
        /// Let through and not yet handed on.
        var blocks = Blocks()
        /// Of what is held and put together; nil before the first buffer.
        var format: AudioFormat?
        /// Handing out what was held: buffers pass.
        var isEmptying = false
        /// The end was heard of: what a decoder with a delay still puts out passes, as nothing would push it later.
        var isOver = false

        mutating func drop() {
            held = []
            blocks = Blocks()
            isOver = false
        }
    }

    private struct HeldBuffer: Sendable {
        let buffer: BufferRef
        let samples: Int
    }

    private let sound: FedSound
    private let state = Mutex(State())
    /// Where the decoded sound comes out. The decoder outlives the probes on its pads.
    private let out: UnsafeMutablePointer<GstPad>

    private init(_ sound: FedSound, _ out: UnsafeMutablePointer<GstPad>) {
        self.sound = sound
        self.out = out
    }

    /// Puts one on a new decoder.
    ///
    /// The end is seen on the sink pad: when the source pad hears of it, nothing may be pushed before it any more. Those
    /// decoders whose tails are cut have put out by then what they were given; what others still put out passes whole.
    static func watch(_ decoder: UnsafeMutablePointer<GstElement>, _ sound: FedSound) {
        guard let sink = gst_element_get_static_pad(decoder, "sink") else { return }
        defer { gst_object_unref(sink) }
        guard let source = gst_element_get_static_pad(decoder, "src") else { return }
        defer { gst_object_unref(source) }
        let trim = TailTrim(sound, source)
        let events = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
        gst_pad_add_probe(
            sink, GstPadProbeType(rawValue: events), heardEvent, Unmanaged.passRetained(trim).toOpaque(),
            releaseContext)
        gst_pad_add_probe(
            source, GST_PAD_PROBE_TYPE_BUFFER, decoded, Unmanaged.passRetained(trim).toOpaque(), releaseContext)
    }

    /// A decoded buffer: keeps it and lets an older one pass in its place.
    fileprivate func passed(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
    ) -> GstPadProbeReturn {
        let tail = sound.tail ?? .nothing
        guard let format = AudioFormat(of: out), mayHold(format) else { return GST_PAD_PROBE_OK }
        let newest = HeldBuffer(buffer: BufferRef(owning: buffer), samples: format.samples(in: buffer))
        let mayGather = format.isInterleaved && sound.isComplete
        let next = state.withLock { state -> BufferRef? in
            state.held.append(newest)
            let kept = state.held.dropFirst().reduce(0) { $0 + $1.samples }
            guard kept >= reach(of: tail) else { return nil }
            return state.blocks.add(state.held.removeFirst().buffer, mayGather: mayGather)
        }
        // Handled: our reference is the one the pad had.
        guard let ready = next?.giveAway() else { return GST_PAD_PROBE_HANDLED }
        info.pointee.data = UnsafeMutableRawPointer(ready)
        return GST_PAD_PROBE_OK
    }

    /// False for a buffer that must pass. One of another format than what is held has that go first.
    private func mayHold(_ format: AudioFormat) -> Bool {
        let (mayHold, before) = state.withLock { state -> (Bool, AudioFormat?) in
            guard !state.isEmptying, !state.isOver else { return (false, nil) }
            defer { state.format = format }
            return (true, state.format)
        }
        guard mayHold, let before, before != format else { return mayHold }
        // The decoder changed it by itself, and the pad has the new one already.
        empty(isEnd: false, as: (before, format))
        return true
    }

    /// An event before the decoder has seen it.
    fileprivate func heard(_ event: UnsafeMutablePointer<GstEvent>) {
        switch cgst_event_type(event) {
        case GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP:
            state.withLock { $0.drop() }
        case GST_EVENT_EOS:
            state.withLock { $0.isOver = true }
            empty(isEnd: true)
        case GST_EVENT_SEGMENT_DONE:
            state.withLock { $0.isOver = true }
            empty(isEnd: false)
        // A change in mid-sound: what was decoded before it goes before it.
        case GST_EVENT_SEGMENT, GST_EVENT_STREAM_START:
            empty(isEnd: false)
            state.withLock { $0.isOver = false }
        case GST_EVENT_CAPS, GST_EVENT_GAP: empty(isEnd: false)
        default: break
        }
    }

    /// Hands out what is held; between the two formats of `change`, where the pad has the second one already.
    private func empty(isEnd: Bool, as change: (from: AudioFormat, to: AudioFormat)? = nil) {
        let (block, held, format) = state.withLock { state in
            defer { state.held = [] }
            state.isEmptying = true
            return (state.blocks.rest(), state.held, change?.from ?? state.format)
        }
        defer { state.withLock { $0.isEmptying = false } }
        guard block != nil || !held.isEmpty else { return }
        if let change { gst_pad_push_event(out, change.from.event()) }
        defer { if let change { gst_pad_push_event(out, change.to.event()) } }
        if let block = block?.giveAway() { gst_pad_push(out, block) }
        guard !held.isEmpty, let format else { return }
        var rest = held.reduce(0) { $0 + $1.samples }
        if isEnd { rest -= filling(of: held, sound.tail ?? .nothing, format) }
        for one in held where rest > 0 {
            let kept = min(rest, one.samples)
            rest -= kept
            guard let buffer = one.buffer.giveAway() else { continue }
            guard let part = kept == one.samples ? buffer : format.cut(buffer, to: kept) else { continue }
            gst_pad_push(out, part)
        }
    }

    /// How many of the last samples are filling.
    private func filling(of held: [HeldBuffer], _ tail: FedSound.Tail, _ format: AudioFormat) -> Int {
        switch tail {
        case .nothing: return 0
        case .samples(let count): return count
        case .beyondOggEnd:
            guard let end = sound.oggEnd, let last = held.last?.buffer.endTime else { return 0 }
            let excess = (Double(last) / 1e9 - Double(end.count) / Double(end.rate)) * Double(format.rate)
            return Int(max(0, min(excess, Double(Self.longestBlock))).rounded())
        case .silence:
            let levels = held.flatMap { format.levels(of: $0.buffer) }
            let end = levels.suffix(Self.longestFilling)
            let loudest = levels.dropLast(Self.longestFilling).suffix(Self.reference).max() ?? 0
            // Below −80 dB everything is silence.
            let limit = max(loudest * Self.quiet, 1e-4)
            guard let last = end.lastIndex(where: { $0 > limit }) else { return end.count }
            return levels.count - 1 - last
        }
    }

    private func reach(of tail: FedSound.Tail) -> Int {
        switch tail {
        case .nothing: 0
        case .samples(let count): count
        case .beyondOggEnd: Self.longestBlock
        case .silence: Self.longestFilling + Self.reference
        }
    }
}

/// A decoded buffer on a decoder's source pad. Streaming thread.
nonisolated private func decoded(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context, let buffer = gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
    return Unmanaged<TailTrim>.fromOpaque(context).takeUnretainedValue().passed(buffer, info)
}

/// An event on a decoder's sink pad. Streaming thread, or the seeking one for a flush.
nonisolated private func heardEvent(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context, let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
    Unmanaged<TailTrim>.fromOpaque(context).takeUnretainedValue().heard(event)
    return GST_PAD_PROBE_OK
}
