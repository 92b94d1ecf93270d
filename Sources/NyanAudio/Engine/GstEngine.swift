internal import Dispatch
public import NyanCore

/// Makes sound with GStreamer: decks fed from `ByteSource`s, one behind the other (DESIGN.md §4, docs/decisions/0011).
///
/// Nothing is loaded before the first `load` or `warmUp`. The feeds and probes on GStreamer's threads touch locked boxes
/// only; everything here is on the main actor.
public final class GstEngine: AudioEngine {
    public var onEvent: (@MainActor (EngineEvent) -> Void)?
    /// The sound of this load is wanted from this byte on, and it is not there: the transfer should move here.
    public var onWant: (@MainActor (LoadNumber, Int64) -> Void)?

    /// The setting `audio.replaygain`; takes effect with the next sound, also one that is staged already.
    public var gainMode: GainMode {
        didSet { if gainMode != oldValue, pipeline?.handedOver == nil { stageAnew() } }
    }

    let sinkSetting: String
    var volume: Double
    var pipeline: Pipeline?
    var current: Current?
    var following: Following?
    var wantsPlaying = false
    var audioOutput = AudioOutput.ok
    /// When the search for a better output than silence may be made again.
    var nextOutputSearch = Duration.zero
    /// A piece of GStreamer was missing at the last attempt: it may be installed by now.
    var lacksPiece = false
    /// Fires when a sound that is all there has not started: some damage makes decoders wait without a word.
    let watchdog = OneShot()
    /// Runs while the feed is dry and the sink still has sound.
    let hungerTimer = OneShot()
    /// Runs while the end of one sound is heard and the sink has the next already.
    let seamTimer = OneShot()
    /// Opens sinks, off the main actor.
    let opening = Opening()
    /// The sink takes no sound although there is some.
    var stall: Stall?
    /// What the sink had taken when it was looked at last.
    var lastLook: SinkLook?
    /// Runs while the sink stands still and something is to be heard.
    let stallTimer = OneShot()
    /// The output was given back in a long pause.
    var isResting = false
    /// Since when a stream waits that has not really run yet.
    var freshSince: Duration?
    /// Runs in the first seconds of a pause.
    let restTimer = OneShot()
    /// Runs while somebody waits for an output.
    let searchTimer = OneShot()
    var isAwaitingOutput = false
    /// Brings the sound down before the sleep timer pauses; nil at any other time.
    var fade: Fade?
    /// How often it was looked for since it was waited for.
    var searches = 0
    /// The stream group the sink has taken up and that is not told yet.
    var joinedGroup: UInt32?

    /// - Parameters:
    ///   - sink: the setting `audio.sink`: `auto`, or a sink description as gst-launch takes it.
    ///   - initialVolume: 0…1.
    ///   - gainMode: the setting `audio.replaygain`.
    public init(sink: String, initialVolume: Double, gainMode: GainMode = .off) {
        sinkSetting = sink
        self.gainMode = gainMode
        volume = min(max(initialVolume, 0), 1)
    }

    /// Loads GStreamer and opens the output, so that the first sound comes at once. Failing is fine: `load` tries again.
    public func warmUp() { _ = try? ready() }

    public func load(_ load: LoadNumber, _ sound: Sound, at position: Duration, playing: Bool) {
        wantsPlaying = playing
        dropFollowing()
        let feed = makeFeed(load, sound)
        var next = Current(load, sound, feed, startAt: max(position, .zero))
        do {
            if lacksPiece { GstRuntime.lookAgain() }
            lacksPiece = false
            let pipeline = try ready()
            begin(next, in: pipeline)
        } catch {
            lacksPiece = error.code == .missingDecoder
            feed.close()
            pipeline?.rest()
            forgetProgress()
            next.phase = .over
            current = next
            emit(.failed(load, error))
        }
    }

    public func stage(_ load: LoadNumber, _ sound: Sound) {
        finishJoin()
        guard let pipeline, let now = current, now.phase != .over else { return }
        if !now.isTold, let before = now.untoldEnd {
            // The one that was to follow has not begun, and the one before it is over: this one begins in its place.
            now.feed.close()
            return beginLate(load, sound, endOf: before, in: pipeline)
        }
        let isTooLate = pipeline.handedOver != nil
        dropFollowing()
        following = Following(load, sound, makeFeed(load, sound))
        // Something else is on its way to the sink already: only starting over gets rid of it.
        if isTooLate { reload(at: place(), announcing: nil) } else { following?.feed.open() }
    }

    public func unstage() {
        finishJoin()
        if let now = current, now.phase != .over, !now.isTold, let before = now.untoldEnd {
            // The one that was to follow has not begun: what is left is the end of the one before it.
            stop(telling: .ended(before.load))
        }
        let isTooLate = pipeline?.handedOver != nil
        dropFollowing()
        if isTooLate { reload(at: place(), announcing: nil) }
    }

    public func setPlaying(_ playing: Bool) {
        finishJoin()
        wantsPlaying = playing
        guard let pipeline, var now = current else { return }
        wishInStall(playing)
        restTimer.cancel()
        if playing {
            if wake() { return }
            forgiveLoss()
            if renew() { return }
        } else {
            noteFresh()
            awaitRest()
        }
        switch now.phase {
        case .prerolling: if now.startAt == .zero { pipeline.run(playing) }
        case .positioning, .over: break
        case .sounding:
            guard now.heldAt == nil else { return }
            now.setClock(place(), running: playing && stall == nil)
            current = now
            pipeline.run(playing)
            if playing { watchHunger() }
        }
    }

    public func seek(to position: Duration) {
        finishJoin()
        let target = max(position, .zero)
        guard let pipeline, var now = current, now.phase != .over else { return }
        if wake(at: target) { return }
        if !now.isTold, let before = now.untoldEnd {
            // The listener means the one whose end has not been told.
            goBack(into: before, at: target, in: pipeline)
        } else if pipeline.handedOver != nil {
            // The pipeline would seek in the sound that follows.
            reload(at: target, announcing: target)
        } else if now.phase != .sounding || now.seekTarget != nil {
            now.nextSeek = target
            current = now
        } else {
            startSeek(to: target)
        }
    }

    public func stop() {
        forgetProgress()
        current?.feed.close()
        current = nil
        dropFollowing()
        wantsPlaying = false
        stopSearch()
        pipeline?.release()
    }

    /// What is under way is over, and this is told of it.
    private func stop(telling event: EngineEvent) {
        guard var now = current else { return }
        now.feed.close()
        now.phase = .over
        current = now
        forgetProgress()
        pipeline?.rest()
        emit(event)
    }

    public func setVolume(_ volume: Double) {
        self.volume = min(max(volume, 0), 1)
        pipeline?.output?.volume.set(self.volume)
    }

    public func position() -> (load: LoadNumber, position: Duration)? {
        watchSink()
        return current.map { ($0.load, place()) }
    }

    /// Where the current sound is, asked of the pipeline if it can say.
    func place() -> Duration {
        guard var now = current else { return .zero }
        if let wanted = now.nextSeek ?? now.seekTarget ?? now.heldAt ?? stall?.place { return wanted }
        switch now.phase {
        case .prerolling, .positioning: return now.startAt
        case .over: return now.clock.anchor
        case .sounding:
            // Before the first buffer of a joined sound the pipeline answers for the sound before.
            guard joinedGroup == nil, pipeline?.output?.tap.edge != nil, let position = pipeline?.position() else {
                return now.clock.value(at: monotonicNow(), length: now.length)
            }
            now.setClock(position, running: wantsPlaying)
            current = now
            return position
        }
    }

    /// Tells an event after the call that caused it has returned, in order.
    func emit(_ event: EngineEvent) {
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.onEvent?(event) } }
    }
}
