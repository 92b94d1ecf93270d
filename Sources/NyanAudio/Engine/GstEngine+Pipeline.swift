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
        case .missingPlugin(let description): current?.missingPlugin = description
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
            if !pipeline.seek(to: now.startAt, accurate: now.hasBytes(upTo: now.startAt)) { startSounding() }
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
        current = now
        if isNew { emit(.started(now.load)) }
        learnLength()
        if now.seekTarget != nil || now.isHungerTold {
            finishSeek()
        } else if let target = now.nextSeek {
            startSeek(to: target)
        }
        watchHunger()
    }

    /// Seeks in what sounds. Accurate where every byte on the way is there; else by the bit rate, so that the transfer
    /// can move to the target instead of fetching everything before it.
    func startSeek(to target: Duration) {
        guard let pipeline, var now = current else { return }
        hungerTimer.cancel()
        now.seekTarget = target
        now.nextSeek = nil
        if now.heldAt != nil { now.heldAt = target }
        now.setClock(target, running: false)
        current = now
        guard pipeline.seek(to: target, accurate: now.hasBytes(upTo: target)) else {
            current?.seekTarget = nil
            emit(.seeked(now.load, place()))
            return
        }
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
        guard group != known, pipeline.desk.handedOver != nil else { return }
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
        guard let following, let feed = pipeline?.desk.switchOver() else { return }
        var next = Current(following.load, following.sound, feed, startAt: .zero)
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
        if !now.isTold { return fail(.damaged) }
        if let following, pipeline.desk.handedOver == nil {
            // Staged too late for about-to-finish: a join with a gap of some milliseconds.
            self.following = nil
            begin(
                Current(following.load, following.sound, makeFeed(following.load, following.sound), startAt: .zero),
                in: pipeline)
            return
        }
        now.setClock(now.length ?? place(), running: false)
        now.phase = .over
        current = now
        following = nil
        hungerTimer.cancel()
        pipeline.rest()
        emit(.ended(now.load))
    }

    private func broke(_ error: PipelineError) {
        finishJoin()
        guard let pipeline, let now = current else { return }
        // The pipeline has stopped by itself: there is nothing to wait for.
        now.feed.settle()
        pipeline.desk.handedOver?.settle()
        let failure = Failure(error, missingPlugin: now.missingPlugin)
        if !error.isOutput, let next = pipeline.desk.handedOver {
            refuseFollowing(next.load, failure)
        } else if error.isOutput, !now.isTold, !now.hasRetriedOutput {
            retryOutput(or: failure)
        } else {
            fail(failure)
        }
    }

    /// The sound that was to follow is no good: the current one is started over to reach its own end, which the broken
    /// pipeline never would (swift-facts.md §5).
    func refuseFollowing(_ load: LoadNumber, _ failure: Failure) {
        let position = current.map { $0.clock.value(at: monotonicNow(), length: $0.length) } ?? .zero
        following = nil
        reload(at: position, announcing: nil)
        emit(.failed(load, failure))
    }

    /// The server may have been restarted while nothing sounded: opens the output afresh, once.
    private func retryOutput(or failure: Failure) {
        guard let old = current else { return }
        pipeline?.use(nil)
        var next = Current(old.load, old.sound, makeFeed(old.load, old.sound), startAt: old.startAt)
        next.hasRetriedOutput = true
        next.nextSeek = old.nextSeek
        guard let pipeline = try? ready() else { return fail(failure) }
        begin(next, in: pipeline)
    }
}
