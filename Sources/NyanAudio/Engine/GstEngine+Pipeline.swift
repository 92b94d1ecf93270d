internal import NyanCore

/// What the pipeline says, turned into events.
extension GstEngine {
    func heard(_ event: PipelineEvent) {
        guard let now = current, now.phase != .over else { return }
        switch event {
        case .prerolled: prerolled()
        case .streamStart(let group): streamStarted(group)
        case .durationChanged: learnLength()
        case .endOfStream: reachedEnd()
        case .error(let error): broke(error)
        case .missingPlugin(let description, .staged): following?.missingPlugin = description
        case .missingPlugin(let description, _): current?.missingPlugin = description
        case .clockLost:
            guard wantsPlaying, now.phase == .sounding, now.heldAt == nil else { return }
            pipeline?.run(false)
            pipeline?.run(true)
        }
    }

    private func prerolled() {
        guard let pipeline, var now = current else { return }
        switch now.phase {
        case .prerolling where pipeline.output?.tap.edge == nil: current?.isPrerolled = true
        case .prerolling where now.startAt > .zero:
            now.phase = .positioning
            current = now
            if !move(pipeline, to: now.startAt) { startSounding() }
        // It was to start beyond its end: the sink has the end and no sample.
        case .positioning where !now.isTold && pipeline.output.map { $0.tap.hasEnded && $0.tap.edge == nil } == true:
            reload(at: .zero, announcing: nil)
        case .prerolling, .positioning: startSounding()
        case .sounding: if now.seekTarget != nil { finishSeek() }
        case .over: break
        }
    }

    /// The sink has the first sample of a load.
    func firstSampleCame() {
        guard let now = current, now.phase == .prerolling, now.isPrerolled, pipeline?.output?.tap.edge != nil else {
            return
        }
        prerolled()
    }

    private func startSounding() {
        guard let pipeline, var now = current else { return }
        watchdog.cancel()
        now.phase = .sounding
        if now.startAt > .zero { pipeline.run(wantsPlaying) }
        now.setClock(pipeline.position() ?? now.startAt, running: wantsPlaying)
        let isNew = !now.isTold
        now.isTold = true
        now.untoldEnd = nil
        current = now
        if isNew { emit(.started(now.load)) }
        placeFollowing()
        awaitRest()
        learnLength()
        if now.seekTarget != nil || now.isHungerTold {
            finishSeek()
        } else if let target = now.nextSeek {
            startSeek(to: target)
        }
        watchHunger()
    }

    /// Moves what sounds: exactly in any case. Where every byte on the way is there, all of it is looked at. Else, if the
    /// rate is constant, the target's offset is reckoned, so that the transfer can go there at once; and if it is not, what
    /// is missing is waited for.
    private func move(_ pipeline: Pipeline, to target: Duration) -> Bool {
        guard let now = current else { return false }
        if now.hasBytes(upTo: target) { return pipeline.seek(to: target, accurate: true) }
        guard let offset = now.feed.sound.offset(of: target, length: now.sound.expectedLength) else {
            return pipeline.seek(to: target, accurate: now.feed.sound.isMP3)
        }
        now.feed.expectSeek(to: offset)
        current?.hasMoved = true
        return pipeline.seek(to: target, accurate: false)
    }

    /// Seeks in what sounds.
    func startSeek(to target: Duration) {
        guard let pipeline, var now = current else { return }
        // Its parser believes in offsets that are not the file's.
        if now.hasMoved { return reload(at: target, announcing: target) }
        hungerTimer.cancel()
        now.seekTarget = target
        now.nextSeek = nil
        if now.heldAt != nil { now.heldAt = target }
        now.setClock(target, running: false)
        current = now
        // Refused when all of it has gone to the sink; and it goes to what follows if that began at this very moment.
        if !move(pipeline, to: target) || pipeline.handedOver != nil { reload(at: target, announcing: target) }
    }

    private func finishSeek() {
        guard let pipeline, var now = current else { return }
        let target = now.seekTarget
        let next = now.nextSeek
        let actual = pipeline.position() ?? target ?? now.startAt
        let isFed = now.isHungerTold && now.heldAt == nil
        now.seekTarget = nil
        if isFed { now.isHungerTold = false }
        now.setClock(actual, running: wantsPlaying && now.heldAt == nil)
        current = now
        // Only the last of a flood of seeks is told.
        if let next {
            startSeek(to: next)
            if isFed { current?.isHungerTold = true }
            return
        }
        if target != nil { emit(.seeked(now.load, actual)) }
        if isFed { emit(.fed(now.load, at: actual)) }
        watchHunger()
    }

    /// The sink took up a sound of another group: the handed-over one, unless it is the first.
    private func streamStarted(_ group: UInt32) {
        guard let pipeline, let output = pipeline.output, let now = current else { return }
        guard let known = now.group else {
            current?.group = group
            return
        }
        guard group != known, pipeline.stagedFeed != nil else { return }
        joinedGroup = group
        // The sink still has the end of the sound before: the title changes when that was heard.
        let place = now.clock.value(at: monotonicNow(), length: nil)
        let rest = wantsPlaying ? (output.tap.seam ?? place) - place : .zero
        if rest > .milliseconds(5), rest < .seconds(1) {
            seamTimer.arm(after: rest) { [weak self] in self?.finishJoin() }
        } else {
            finishJoin()
        }
    }

    /// The joined sound is the current one from now on. Also called before any command: it is meant for what sounds.
    func finishJoin() {
        seamTimer.cancel()
        guard let group = joinedGroup else { return }
        joinedGroup = nil
        guard let following, let pipeline, pipeline.stagedFeed != nil else { return }
        pipeline.switchOver()
        var next = Current(following.load, following.sound, following.feed, startAt: .zero)
        next.missingPlugin = following.missingPlugin
        next.phase = .sounding
        next.isTold = true
        next.group = group
        next.setClock(.zero, running: wantsPlaying)
        current = next
        self.following = nil
        emit(.started(next.load))
        learnLength()
        watchHunger()
    }

    private func reachedEnd() {
        finishJoin()
        guard let pipeline, var now = current else { return }
        // The end of one that was to start beyond it, where the sink told of no preroll.
        if now.phase == .positioning, !now.isTold { return reload(at: .zero, announcing: nil) }
        if !now.isTold { return fail(.damaged) }
        if let late = following {
            // Staged when the end had already been told: a join with a gap of some milliseconds.
            dropFollowing()
            now.feed.close()
            return beginLate(late.load, late.sound, endOf: UntoldEnd(now), in: pipeline)
        }
        now.setClock(now.length ?? place(), running: false)
        now.phase = .over
        current = now
        hungerTimer.cancel()
        pipeline.rest()
        emit(.ended(now.load))
    }

    /// Begins what was to follow where the one before it has ended already.
    func beginLate(_ load: LoadNumber, _ sound: Sound, endOf before: UntoldEnd, in pipeline: Pipeline) {
        var next = Current(load, sound, makeFeed(load, sound), startAt: .zero)
        next.untoldEnd = before
        begin(next, in: pipeline)
    }

    /// Goes back into a sound whose end nobody was told, to `target`; what had not begun behind it follows it again.
    func goBack(into before: UntoldEnd, at target: Duration, in pipeline: Pipeline) {
        guard let late = current else { return }
        var again = Current(before.load, before.sound, makeFeed(before.load, before.sound), startAt: target)
        again.isTold = true
        again.length = before.length
        again.isMeasured = before.isMeasured
        again.seekTarget = target
        late.feed.close()
        begin(again, in: pipeline)
        dropFollowing()
        following = Following(late.load, late.sound, makeFeed(late.load, late.sound))
        following?.feed.open()
    }

    private func broke(_ error: PipelineError) {
        let isFollowing = error.part == .staged && joinedGroup == nil
        finishJoin()
        guard error.part != .gone, let now = current else { return }
        if isFollowing, let following {
            refuseFollowing(following.load, Failure(error, missingPlugin: following.missingPlugin))
            return
        }
        let failure = Failure(error, missingPlugin: now.missingPlugin)
        let mayBeOutput = error.part == .output || error.isNegotiation
        if mayBeOutput, !now.isTold, !now.hasRetriedOutput { retryOutput(or: failure) } else { fail(failure) }
    }

    /// The sound that was to follow is no good. The current one goes to its own end.
    func refuseFollowing(_ load: LoadNumber, _ failure: Failure) {
        let isHandedOver = pipeline?.handedOver != nil
        dropFollowing()
        if isHandedOver { reload(at: place(), announcing: nil) }
        emit(.failed(load, failure))
    }

    /// The server may have been restarted while nothing sounded: opens the output afresh, once.
    private func retryOutput(or failure: Failure) {
        guard let old = current else { return }
        old.feed.close()
        pipeline?.use(nil)
        var next = old.again(makeFeed(old.load, old.sound), startAt: old.startAt)
        next.hasRetriedOutput = true
        guard let pipeline = try? ready() else { return fail(failure) }
        begin(next, in: pipeline)
    }
}
