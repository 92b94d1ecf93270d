internal import CGst
internal import NyanCore

/// The pipeline, kept warm between loads: decks on a `concat`, then the output. A thin door that turns our words into its
/// calls.
///
/// `concat` plays its pads one after the other, each to its last sample, and lets their running times join: that is all
/// there is to playing without gaps.
final class Pipeline {
    private let pipeline: GstRef
    private let concat: GstRef
    private let convert: GstRef
    private let resample: GstRef
    private let hand: Hand
    private var watch: BusWatch?
    private(set) var output: Output?
    /// The output was given back: whoever starts must see whether it still opens.
    private(set) var isReleased = true

    /// A deck and its place on `concat`.
    private struct Placed {
        let deck: Deck
        let pad: GstRef
    }
    private var playing: Placed?
    private var staged: Placed?

    init(onEvent: @escaping (PipelineEvent) -> Void) throws(Failure) {
        try GstRuntime.start()
        pipeline = try GstRuntime.make("pipeline")
        concat = try GstRuntime.make("concat")
        convert = try GstRuntime.make("audioconvert")
        resample = try GstRuntime.make("audioresample")
        hand = Hand(pipeline)
        for element in [concat, convert, resample] { gst_bin_add(cgst_bin(pipeline.raw), element.element) }
        cgst_link(concat.raw, convert.raw)
        cgst_link(convert.raw, resample.raw)
        watch = BusWatch(pipeline, onEvent: onEvent)
        guard watch != nil else { throw Failure(.internal, "no descriptor is left for the sound pipeline") }
        watch?.partOf = { [weak self] in self?.part($0) ?? .gone }
    }

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
            dropDecks()
            return
        }
        watch?.close()
        watch = nil
        if let output { hand.bury(output) }
        output = nil
        playing?.deck.feed.close()
        staged?.deck.feed.close()
    }

    /// Puts in another sink; the pipeline goes to NULL for it.
    func use(_ output: Output?) {
        lower(to: GST_STATE_NULL)
        guard !isStuck else { return }
        if let old = self.output {
            gst_element_unlink(resample.element, old.sink.element)
            gst_bin_remove(cgst_bin(pipeline.raw), old.sink.element)
        }
        if let output {
            gst_bin_add(cgst_bin(pipeline.raw), output.sink.element)
            cgst_link(resample.raw, output.sink.raw)
        }
        self.output = output
        isReleased = true
    }

    /// Stops the sound and keeps the output open.
    func rest() {
        guard !isReleased else { return dropDecks() }
        lower(to: GST_STATE_READY)
    }

    /// Stops the sound and gives the output back.
    func release() {
        lower(to: GST_STATE_NULL)
        isReleased = true
    }

    /// PLAYING or PAUSED, if there is a sound; an error message says why an element refused.
    func run(_ playing: Bool) {
        guard !isStuck, self.playing != nil else { return }
        isReleased = false
        hand.raise(to: playing ? GST_STATE_PLAYING : GST_STATE_PAUSED)
    }

    /// Flushing seek. `accurate` reads everything between the last known frame and the target; without it the target is
    /// converted to a byte offset by the bit rate, which is exact where that is constant.
    func seek(to position: Duration, accurate: Bool) -> Bool {
        let exactness = accurate ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | exactness.rawValue)
        guard !isStuck else { return false }
        output?.tap.forgetEdge()
        return hand.perform { pipeline in
            gst_element_seek_simple(pipeline.element, GST_FORMAT_TIME, flags, Int(position.nanoseconds)) != 0
        }
    }

    /// The stream position now; nil when the pipeline cannot say.
    func position() -> Duration? {
        var time: gint64 = -1
        guard !isStuck, !isLate, gst_element_query_position(pipeline.element, GST_FORMAT_TIME, &time) != 0, time >= 0
        else { return nil }
        return .nanoseconds(time)
    }

    /// The duration as the demuxer or parser has it, true or estimated.
    func duration() -> Duration? {
        var time: gint64 = -1
        guard !isStuck, !isLate, let out = playing?.deck.out,
            gst_pad_query_duration(out.pad, GST_FORMAT_TIME, &time) != 0, time > 0
        else { return nil }
        return .nanoseconds(time)
    }
}

// Which sounds are in it.
extension Pipeline {
    var hasSound: Bool { playing != nil }

    /// The feed that follows the one that sounds, if it has come that far.
    var stagedFeed: Feed? { staged?.deck.feed }

    /// The feed whose sound the sink gets already although it is not heard yet: what sounds has come to its end. A seek
    /// would go to it.
    var handedOver: Feed? {
        guard let staged, playing != nil else { return nil }
        let active = cgst_get_object(concat.raw, "active-pad")
        defer { if let active { gst_object_unref(active) } }
        return active == playing?.pad.raw ? nil : staged.deck.feed
    }

    /// Makes `feed`, whose beginning is there, the sound to play. The pipeline rests; `run` starts it.
    func put(_ feed: Feed, gain: GainWish?) throws(Failure) {
        output?.route?.prepare()
        playing = try place(feed, gain)
    }

    /// Lets `feed`, whose beginning is there, follow what sounds; it decodes a little ahead and waits.
    func stage(_ feed: Feed, gain: GainWish?) throws(Failure) {
        unstage()
        let placed = try place(feed, gain, isLocked: true)
        staged = placed
        let bin = placed.deck.bin
        _ = hand.perform { _ in gst_element_set_state(bin.element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE }
    }

    /// Takes back what was to follow; not for what is handed over.
    func unstage() {
        // What the sink gets already goes with the rest: `concat` would tell the sink of an end from this thread.
        guard let staged, handedOver == nil else { return }
        self.staged = nil
        remove(staged)
    }

    /// The staged sound is heard: it is the one that plays now.
    func switchOver() {
        guard let staged else { return }
        let old = playing
        playing = staged
        self.staged = nil
        let bin = staged.deck.bin
        gst_element_set_locked_state(bin.element, 0)
        _ = hand.perform { _ in gst_element_sync_state_with_parent(bin.element) != 0 }
        if let old { remove(old) }
    }

    /// What an element that said something is part of.
    private func part(_ element: UnsafeMutableRawPointer) -> PipelinePart {
        let isIn = { (bin: GstRef?) in bin.map { element == $0.raw || cgst_has_ancestor(element, $0.raw) != 0 } ?? false
        }
        if isIn(output?.sink) { return .output }
        if isIn(staged?.deck.bin) { return .staged }
        return isIn(pipeline) ? .playing : .gone
    }

    /// `isLocked`: kept out of the pipeline's own state changes, which would fail with it if it is no good; one may be
    /// under way on another thread.
    private func place(_ feed: Feed, _ gain: GainWish?, isLocked: Bool = false) throws(Failure) -> Placed {
        let deck = try Deck(feed, gain: gain)
        guard let pad = gst_element_request_pad_simple(concat.element, "sink_%u").map({ GstRef(owning: $0) }) else {
            throw Failure(.internal, "the sound pipeline could not be made")
        }
        gst_element_set_locked_state(deck.bin.element, isLocked ? 1 : 0)
        gst_bin_add(cgst_bin(pipeline.raw), deck.bin.element)
        // Unchecked: a check would ask the sink for its formats, and that one its server, which may not answer.
        gst_pad_link_full(deck.out.pad, pad.pad, GST_PAD_LINK_CHECK_NOTHING)
        return Placed(deck: deck, pad: pad)
    }

    private func dropDecks() {
        let old = [playing, staged].compactMap { $0 }
        (playing, staged) = (nil, nil)
        for placed in old { remove(placed) }
    }

    /// Takes a deck out that does not sound. Its pad goes first: that wakes a thread that waits there for its turn.
    private func remove(_ placed: Placed) {
        placed.deck.feed.close()
        let (bin, out, pad) = (placed.deck.bin, placed.deck.out, placed.pad)
        _ = hand.perform { [concat] pipeline in
            // A GstBin that loses a part right when the last of its parts is ready may forget to go on to PLAYING; a
            // moment later it is over. While it waits for its sink there is no such danger.
            gst_element_get_state(pipeline.element, nil, nil, GstClockTime(20_000_000))
            gst_element_release_request_pad(concat.element, pad.pad)
            gst_pad_unlink(out.pad, pad.pad)
            // A state change of the whole pipeline may be under way on a thread of its own: it must pass this one by.
            gst_element_set_locked_state(bin.element, 1)
            gst_bin_remove(cgst_bin(pipeline.raw), bin.element)
            gst_element_set_state(bin.element, GST_STATE_NULL)
            // decodebin may just have found its sound, and `Entrance.open` have started what was stopped already.
            cgst_end(bin.raw)
            return true
        }
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
