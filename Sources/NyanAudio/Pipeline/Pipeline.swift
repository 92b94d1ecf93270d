internal import CGst
internal import NyanCore

/// One playbin3, kept warm between loads: a thin door that turns our words into its calls.
final class Pipeline {
    private let playbin: GstRef
    let desk = FeedDesk()
    private let inputs = LeakedInputs()
    private let descent: Descent
    private var watch: BusWatch?
    private(set) var output: Output?
    /// The output was given back: whoever starts must see whether it still opens.
    private(set) var isReleased = true

    /// Only sound is decoded, and playsink adds no volume of its own: `StreamVolume` is the only one.
    private static let audioOnly: Int32 = 0x02

    init(onEvent: @escaping (PipelineEvent) -> Void) throws(Failure) {
        try GstRuntime.start()
        if let lack = GstRuntime.missingForPipeline { throw .missing(lack.element, lack.package) }
        guard let playbin = GstRef.make("playbin3") else { throw .missing("playbin3", "gstreamer1.0-plugins-base") }
        self.playbin = playbin
        descent = Descent(playbin)
        cgst_set_int(playbin.raw, "flags", Self.audioOnly)
        desk.serve(playbin)
        inputs.watch(playbin)
        watch = BusWatch(playbin) { [descent, inputs] event in
            if case .streamStart = event { descent.later { inputs.free() } }
            onEvent(event)
        }
        guard watch != nil else { throw Failure(.internal, "no descriptor is left for the sound pipeline") }
    }

    /// `descent` brings it down, off the main actor.
    isolated deinit { desk.start(nil) }

    /// It could not be stopped, or is of no use any more: it says nothing, and another one is to be made.
    var isStuck: Bool { descent.isStuck || isSpoilt }
    private var isSpoilt = false

    private func lower(to state: GstState) {
        descent.lower(to: state)
        guard isStuck else {
            watch?.flush()
            descent.later { [inputs] in inputs.free() }
            if keepsPad { spoil() }
            return
        }
        watch = nil
        // Closing its output would wait for the same locks: it is left behind with the pipeline.
        if let output { _ = Unmanaged.passRetained(output) }
    }

    /// Whether the pad of the last sound is still there although the pipeline is at rest.
    ///
    /// playbin3 1.22 forgets it when a sound failed or ended before its first sample, because it then believes that it
    /// never got beyond READY; at the next sound it finds the pad and aborts the process (an assertion in its
    /// reconfigure_output).
    private var keepsPad: Bool {
        guard let playsink = gst_bin_get_by_name(playbin.raw.assumingMemoryBound(to: GstBin.self), "playsink") else {
            return false
        }
        defer { gst_object_unref(UnsafeMutableRawPointer(playsink)) }
        guard let pad = gst_element_get_static_pad(playsink, "audio_sink") else { return false }
        gst_object_unref(UnsafeMutableRawPointer(pad))
        return true
    }

    /// Gives up a pipeline that would abort; its output is closed.
    private func spoil() {
        isSpoilt = true
        watch = nil
        descent.lower(to: GST_STATE_NULL)
        guard !descent.isStuck else {
            if let output { _ = Unmanaged.passRetained(output) }
            return
        }
        cgst_set_object(playbin.raw, "audio-sink", nil)
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

    /// - Returns: false when an element refused at once; an error message says why.
    @discardableResult
    func run(_ playing: Bool) -> Bool {
        guard !isStuck else { return false }
        isReleased = false
        return gst_element_set_state(playbin.element, playing ? GST_STATE_PLAYING : GST_STATE_PAUSED)
            != GST_STATE_CHANGE_FAILURE
    }

    /// Flushing seek. `accurate` reads everything between the last known frame and the target; without it the target is
    /// converted to a byte offset by the bit rate, which may be off by some tenths of a second in VBR (swift-facts.md §5).
    func seek(to position: Duration, accurate: Bool) -> Bool {
        let exactness = accurate ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | exactness.rawValue)
        guard !isStuck else { return false }
        output?.tap.forgetEdge()
        return gst_element_seek_simple(playbin.element, GST_FORMAT_TIME, flags, Int(position.nanoseconds)) != 0
    }

    /// The stream position now; nil when the pipeline cannot say.
    func position() -> Duration? {
        var time: gint64 = -1
        guard !isStuck, gst_element_query_position(playbin.element, GST_FORMAT_TIME, &time) != 0, time >= 0 else {
            return nil
        }
        return .nanoseconds(time)
    }

    /// The duration as the demuxer or parser has it, true or estimated.
    func duration() -> Duration? {
        var time: gint64 = -1
        guard !isStuck, gst_element_query_duration(playbin.element, GST_FORMAT_TIME, &time) != 0, time > 0 else {
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
