internal import Dispatch
internal import NyanCore

/// Starting a load, and starting it over.
extension GstEngine {
    /// How long a sound that is all there may take to its first sample.
    private static let patience = Duration.seconds(3)

    func makeFeed(_ load: LoadNumber, _ sound: Sound) -> Feed {
        Feed(load, FedSound(sound.bytes)) { [weak self] feed, report in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.heard(report, from: feed) } }
        }
    }

    /// The pipeline with an open output.
    func ready(orSilence: Bool = true) throws(Failure) -> Pipeline {
        opening.onAnswer = { [weak self] isThere in self?.serverAnswered(isThere) }
        let pipeline: Pipeline
        if let warm = self.pipeline, !warm.isStuck { pipeline = warm } else { pipeline = try makePipeline() }
        try openOutput(of: pipeline, orSilence: orSilence)
        guard pipeline.isStuck else { return pipeline }
        let fresh = try makePipeline()
        try openOutput(of: fresh, orSilence: orSilence)
        return fresh
    }

    private func makePipeline() throws(Failure) -> Pipeline {
        let pipeline = try Pipeline { [weak self] event in self?.heard(event) }
        pipeline.watchHand(
            late: { [weak self, weak pipeline] in if let self, pipeline === self.pipeline { handIsLate() } },
            returned: { [weak self, weak pipeline] in if let self, pipeline === self.pipeline { endStall() } })
        self.pipeline = pipeline
        return pipeline
    }

    /// Puts a load into the pipeline, which stops what was there.
    func begin(_ next: Current, in pipeline: Pipeline) {
        forgetProgress()
        stopSearch()
        freshSince = wantsPlaying ? nil : monotonicNow()
        awaitRest()
        current = next
        pipeline.rest()
        guard !pipeline.isStuck else { return beginAnew(next) }
        pipeline.output?.tap.expectFirst()
        guardStart()
        next.feed.open()
    }

    /// The beginning of the current sound is there: gives it a deck, and the one that follows its place behind it.
    func putSound() {
        guard let pipeline, let now = current, now.phase == .prerolling, !pipeline.hasSound else { return }
        do throws(Failure) {
            try pipeline.put(now.feed, gain: gain(of: now.sound))
        } catch {
            return fail(error)
        }
        pipeline.output?.volume.apply()
        pipeline.run(wantsPlaying && now.startAt == .zero)
    }

    /// What evens out a sound; nil while that is off.
    private func gain(of sound: Sound) -> GainWish? {
        gainMode == .off ? nil : GainWish(mode: gainMode, loudness: sound.loudness)
    }

    /// The beginning of the sound that follows is there.
    func followingIsReady() {
        following?.isReady = true
        placeFollowing()
    }

    /// Gives the sound that follows its place, if both sounds have come so far.
    func placeFollowing() {
        guard let pipeline, current?.phase == .sounding, !isResting, let following, following.isReady,
            pipeline.stagedFeed !== following.feed
        else { return }
        do throws(Failure) {
            try pipeline.stage(following.feed, gain: gain(of: following.sound))
        } catch {
            refuseFollowing(following.load, error)
        }
    }

    /// Gives what is to follow another deck.
    func stageAnew() {
        guard let old = following else { return }
        dropFollowing()
        following = Following(old.load, old.sound, makeFeed(old.load, old.sound))
        following?.feed.open()
    }

    /// Takes back what was to follow, if anything was. Only starting over takes back what the sink gets already.
    func dropFollowing() {
        following?.feed.close()
        following = nil
        pipeline?.unstage()
    }

    /// Drops everything that was under way for the load so far: it ends, or is begun anew.
    func forgetProgress() {
        for timer in [watchdog, hungerTimer, seamTimer, restTimer] { timer.cancel() }
        joinedGroup = nil
        isResting = false
        forgetStall()
    }

    /// The pipeline could not be stopped: the load goes into a new one.
    private func beginAnew(_ next: Current) {
        do throws(Failure) {
            begin(next, in: try ready())
        } catch {
            fail(error)
        }
    }

    /// Starts the current sound over at `position`, or where the newest wish is, keeping what is to follow; only the seek,
    /// if there was one, is told.
    func reload(at position: Duration, announcing target: Duration?) {
        guard let pipeline, let old = current else { return }
        // A wish that waited is met by this start.
        let wish = target ?? old.nextSeek
        var next = old.again(makeFeed(old.load, old.sound), startAt: wish ?? position)
        next.seekTarget = wish ?? old.seekTarget
        next.nextSeek = nil
        old.feed.close()
        begin(next, in: pipeline)
        stageAnew()
    }

    /// Gives the sound `patience` to start. A sound that is all there and gives no sample is none; one whose samples reach
    /// the sink waits for the sink.
    func guardStart() {
        watchdog.arm(after: Self.patience) { [weak self] in
            guard let self, let now = current, now.phase == .prerolling || now.phase == .positioning else { return }
            if let tap = pipeline?.output?.tap, tap.isPreparing || tap.edge != nil {
                beginStall()
            } else if now.sound.bytes.isComplete {
                // A missing parser is no error to decodebin: it waits.
                fail(now.missingPlugin.map { .missingDecoder($0) } ?? .damaged)
            }
        }
    }

    /// Ends the current load with a failure, once.
    func fail(_ failure: Failure) {
        guard var now = current, now.phase != .over else { return }
        now.setClock(now.nextSeek ?? now.clock.value(at: monotonicNow(), length: now.length), running: false)
        now.phase = .over
        now.seekTarget = nil
        now.nextSeek = nil
        now.heldAt = nil
        now.feed.close()
        current = now
        dropFollowing()
        forgetProgress()
        if failure.code == .missingDecoder { lacksPiece = true }
        if failure.code == .audioOutput {
            pipeline?.release()
            pipeline?.use(nil)
            tellOutput(.lost)
        } else {
            pipeline?.rest()
        }
        emit(.failed(now.load, failure))
        if !now.isTold, let before = now.untoldEnd { emit(.ended(before.load)) }
    }
}
