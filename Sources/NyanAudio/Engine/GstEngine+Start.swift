internal import Dispatch
internal import NyanCore

/// Starting a load, and starting it over.
extension GstEngine {
    /// How long a sound that is all there may take to its first sample.
    private static let patience = Duration.seconds(3)

    func makeFeed(_ load: LoadNumber, _ sound: Sound) -> Feed {
        Feed(load, sound.bytes) { [weak self] feed, report in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.heard(report, from: feed) } }
        }
    }

    /// The pipeline with an open output.
    func ready() throws(Failure) -> Pipeline {
        let pipeline: Pipeline
        if let warm = self.pipeline, !warm.isStuck {
            pipeline = warm
        } else {
            pipeline = try Pipeline { [weak self] event in self?.heard(event) }
            self.pipeline = pipeline
        }
        try openOutput(of: pipeline)
        guard pipeline.isStuck else { return pipeline }
        let fresh = try Pipeline { [weak self] event in self?.heard(event) }
        self.pipeline = fresh
        try openOutput(of: fresh)
        return fresh
    }

    private func openOutput(of pipeline: Pipeline) throws(Failure) {
        if let output = pipeline.output {
            let isStopgap = output.kind == .silent && monotonicNow() >= nextOutputSearch
            if !isStopgap, !pipeline.isReleased || output.wakes() { return }
            pipeline.use(nil)
        }
        let output: Output
        do {
            output = try Output.open(sinkSetting, volume: volume, reports: reports)
        } catch {
            tellOutput(.lost)
            throw error
        }
        guard output.wakes() else {
            tellOutput(.lost)
            throw Failure(.audioOutput, "the audio output \"\(sinkSetting)\" cannot be opened", retry: .later)
        }
        pipeline.use(output)
        nextOutputSearch = monotonicNow() + .seconds(2)
        tellOutput(output.kind == .silent ? .missing : .ok)
    }

    /// What the sink's threads tell, brought to the main actor.
    private var reports: Output.Reports {
        let desk = pipeline?.desk
        return Output.Reports(
            volume: { [weak self] volume, generation in
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { self?.adoptVolume(volume, generation: generation) }
                }
            },
            firstSample: { [weak self, desk] in
                desk?.settleCurrent()
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.firstSampleCame() } }
            })
    }

    private func tellOutput(_ output: AudioOutput) {
        guard output != audioOutput else { return }
        audioOutput = output
        emit(.outputChanged(output))
    }

    private func adoptVolume(_ volume: Double, generation: UInt64) {
        let heard = min(volume, 1)
        guard pipeline?.output?.volume.adopt(heard, generation: generation) == true else { return }
        self.volume = heard
        emit(.volumeChanged(heard))
    }

    /// Puts a load into the pipeline, which stops what was there.
    func begin(_ next: Current, in pipeline: Pipeline) {
        hungerTimer.cancel()
        seamTimer.cancel()
        joinedGroup = nil
        current = next
        pipeline.prepare(next.feed)
        guard !pipeline.isStuck else { return beginAnew(next) }
        pipeline.output?.volume.apply()
        pipeline.output?.tap.expectFirst()
        pipeline.run(wantsPlaying && next.startAt == .zero)
        next.feed.open()
        watchdog.cancel()
        if next.sound.bytes.isComplete { guardStart() }
    }

    /// The pipeline could not be stopped: the load goes into a new one.
    private func beginAnew(_ next: Current) {
        do throws(Failure) {
            begin(next, in: try ready())
        } catch {
            fail(error)
        }
    }

    /// Starts the current sound over at `position`, keeping what is to follow; only the seek, if it was one, is told.
    func reload(at position: Duration, announcing target: Duration?) {
        guard let pipeline, let old = current else { return }
        var next = Current(old.load, old.sound, makeFeed(old.load, old.sound), startAt: position)
        next.isTold = old.isTold
        next.isHungerTold = old.isHungerTold
        next.length = old.length
        next.isMeasured = old.isMeasured
        next.seekTarget = target ?? old.seekTarget
        begin(next, in: pipeline)
        // Another one, if the old could not be stopped.
        if let following { self.pipeline?.desk.stage(makeFeed(following.load, following.sound)) }
    }

    /// Gives the sound `patience` to start, as all its bytes are there.
    func guardStart() {
        watchdog.arm(after: Self.patience) { [weak self] in
            guard let self, let now = current, now.phase == .prerolling || now.phase == .positioning else { return }
            // Samples reached the sink: it is the sink that does not answer.
            let isSink = pipeline?.output?.tap.edge != nil
            if isSink { return fail(Failure(.audioOutput, "the audio output does not answer", retry: .later)) }
            // A missing parser is no error to playbin3: it waits.
            fail(now.missingPlugin.map { .missingDecoder($0) } ?? .damaged)
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
        current = now
        following = nil
        watchdog.cancel()
        hungerTimer.cancel()
        seamTimer.cancel()
        joinedGroup = nil
        if failure.code == .missingDecoder { lacksPiece = true }
        if failure.code == .audioOutput {
            pipeline?.release()
            pipeline?.use(nil)
            tellOutput(.lost)
        } else {
            pipeline?.rest()
        }
        emit(.failed(now.load, failure))
    }

}
