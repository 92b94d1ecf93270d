internal import CGst
internal import NyanCore

/// One playbin3, kept warm between loads: a thin door that turns our words into its calls.
final class Pipeline {
    private let playbin: GstRef
    let desk = FeedDesk()
    private let hand: Hand
    private var watch: BusWatch?
    private(set) var output: Output?
    /// The output was given back: whoever starts must see whether it still opens.
    private(set) var isReleased = true

    /// Only sound is decoded, and playsink adds no volume of its own: `StreamVolume` is the only one.
    private static let audioOnly: Int32 = 0x02

    init(onEvent: @escaping (PipelineEvent) -> Void) throws(Failure) {
        try GstRuntime.start()
        guard let playbin = GstRef.make("playbin3") else { throw .missing("playbin3", "gstreamer1.0-plugins-base") }
        self.playbin = playbin
        hand = Hand(playbin)
        cgst_set_int(playbin.raw, "flags", Self.audioOnly)
        desk.serve(playbin)
        watch = BusWatch(playbin, onEvent: onEvent)
        guard watch != nil else { throw Failure(.internal, "no descriptor is left for the sound pipeline") }
    }

    /// `hand` brings it down, off the main actor.
    isolated deinit { desk.start(nil) }

    /// It could not be stopped: it says nothing any more, and another one is to be made.
    var isStuck: Bool { hand.isStuck }

    /// Something that was asked of it has not returned yet: it cannot be asked where it is.
    var isLate: Bool { hand.isLate }

    /// Calls `late` when something asked of the pipeline does not return in time, and `returned` once it has.
    func watchHand(late: @escaping () -> Void, returned: @escaping () -> Void) {
        hand.onLate = late
        hand.onReturn = returned
    }

    private func lower(to state: GstState) {
        hand.lower(to: state)
        guard isStuck else {
            watch?.flush()
            return
        }
        watch = nil
        if let output { hand.bury(output) }
        output = nil
    }

    /// Puts in another sink; the pipeline goes to NULL for it.
    func use(_ output: Output?) {
        desk.start(nil)
        lower(to: GST_STATE_NULL)
        guard !isStuck else { return }
        cgst_set_object(playbin.raw, "audio-sink", output?.sink.raw)
        self.output = output
        isReleased = true
        watch?.output = output?.sink
    }

    /// Stops what sounds, forgets what it said, and makes `feed` the next to play.
    func prepare(_ feed: Feed) {
        rest()
        guard !isStuck else { return }
        output?.route?.prepare()
        desk.start(feed)
        cgst_set_string(playbin.raw, "uri", feed.uri)
    }

    /// Stops the sound and keeps the output open.
    func rest() {
        desk.start(nil)
        guard !isReleased else { return }
        lower(to: GST_STATE_READY)
    }

    /// Stops the sound and gives the output back.
    func release() {
        desk.start(nil)
        lower(to: GST_STATE_NULL)
        isReleased = true
    }

    /// PLAYING or PAUSED; an error message says why an element refused. `next` follows on another thread.
    func run(_ playing: Bool, then next: (@Sendable () -> Void)? = nil) {
        guard !isStuck else { return }
        isReleased = false
        hand.raise(to: playing ? GST_STATE_PLAYING : GST_STATE_PAUSED, then: next)
    }

    /// Flushing seek. `accurate` reads everything between the last known frame and the target; without it the target is
    /// converted to a byte offset by the bit rate, which may be off by some tenths of a second in VBR (swift-facts.md §5).
    func seek(to position: Duration, accurate: Bool) -> Bool {
        let exactness = accurate ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | exactness.rawValue)
        guard !isStuck else { return false }
        output?.tap.forgetEdge()
        return hand.perform { playbin in
            gst_element_seek_simple(playbin.element, GST_FORMAT_TIME, flags, Int(position.nanoseconds)) != 0
        }
    }

    /// The stream position now; nil when the pipeline cannot say.
    func position() -> Duration? {
        var time: gint64 = -1
        guard !isStuck, !isLate, gst_element_query_position(playbin.element, GST_FORMAT_TIME, &time) != 0, time >= 0
        else {
            return nil
        }
        return .nanoseconds(time)
    }

    /// The duration as the demuxer or parser has it, true or estimated.
    func duration() -> Duration? {
        var time: gint64 = -1
        guard !isStuck, !isLate, gst_element_query_duration(playbin.element, GST_FORMAT_TIME, &time) != 0, time > 0
        else {
            return nil
        }
        return .nanoseconds(time)
    }
}

extension Duration {
    /// Whole nanoseconds, cut off at what fits.
    nonisolated var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole + attoseconds / 1_000_000_000
    }

    nonisolated var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
