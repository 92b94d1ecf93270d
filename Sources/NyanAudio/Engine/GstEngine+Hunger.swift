internal import NyanCore

/// What the feeds say: missing bytes, and bytes that are no sound.
extension GstEngine {
    func heard(_ report: FeedReport, from feed: Feed) {
        guard let now = current, now.phase != .over else { return }
        let isCurrent = feed === now.feed
        guard isCurrent || feed === following?.feed else { return }
        switch report {
        case .ready: if isCurrent { putSound() } else { followingIsReady() }
        case .hungry(let offset):
            onWant?(feed.load, offset)
            if isCurrent { ranShort() }
        case .refilled: if isCurrent { refilled() }
        case .complete, .drained:
            guard isCurrent else { return }
            if now.phase == .prerolling || now.phase == .positioning { guardStart() } else { learnLength() }
        case .notSound:
            let failure = Failure(.damagedSound, "what came is a text or a web page, no sound")
            if isCurrent { fail(failure) } else { refuseFollowing(feed.load, failure) }
        case .unreadable:
            let failure = Failure(.fileAccess, "the bytes of the sound cannot be read")
            if isCurrent { fail(failure) } else { refuseFollowing(feed.load, failure) }
        }
    }

    /// The feed of the current sound has nothing to hand out.
    private func ranShort() {
        guard let now = current, now.feed.isHungry else { return }
        if let target = now.seekTarget {
            if !now.isHungerTold {
                current?.isHungerTold = true
                emit(.hungry(now.load, at: target))
            }
        } else {
            watchHunger()
        }
    }

    /// Holds the clock when the sink is about to run dry, not before: the pipeline may have seconds of sound in its
    /// queues. Looks again when that may be; there is no timer while the feed has bytes or nothing plays.
    func watchHunger() {
        hungerTimer.cancel()
        guard let pipeline, let output = pipeline.output, let now = current, now.phase == .sounding, now.heldAt == nil,
            now.seekTarget == nil, wantsPlaying, now.feed.isHungry
        else { return }
        let position = place()
        let left = (output.tap.edge ?? position) - position - output.underrunMargin
        if left <= .zero { return hold(at: position) }
        hungerTimer.arm(after: max(left, .milliseconds(20))) { [weak self] in self?.watchHunger() }
    }

    private func hold(at position: Duration) {
        guard let pipeline, var now = current else { return }
        now.heldAt = position
        now.isHungerTold = true
        now.setClock(position, running: false)
        current = now
        pipeline.run(false)
        emit(.hungry(now.load, at: position))
        now.feed.hold(bytes: now.refillBytes)
    }

    private func refilled() {
        guard let pipeline, var now = current, let position = now.heldAt else { return }
        now.heldAt = nil
        // A seek under way tells `fed` when it is done.
        let isSeeking = now.seekTarget != nil
        if !isSeeking { now.isHungerTold = false }
        now.setClock(position, running: wantsPlaying && !isSeeking)
        current = now
        if wantsPlaying { pipeline.run(true) }
        if !isSeeking { emit(.fed(now.load, at: position)) }
        watchHunger()
    }
}
