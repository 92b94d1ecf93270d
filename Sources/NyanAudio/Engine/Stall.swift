internal import NyanCore

/// A sink that takes no more sound although there is some: the sound server is frozen, or has no device for us.
struct Stall {
    /// What was heard last, as far as one can tell.
    let place: Duration
    /// Since when the sink stands still, by our monotonic clock.
    let since: Duration
    /// Nobody has been told yet, as nothing was to be heard.
    var isQuiet: Bool
}

/// What the sink had taken when it was looked at last.
struct SinkLook {
    var count: UInt64
    var at: Duration
    var position: Duration
}

/// Notices a sink that stands still, tells what it means for the listener, and goes on when it moves again.
///
/// pulsesink reckons its position on by itself while its server is frozen, so the position proves nothing: what counts is
/// whether buffers go in. Looked at once a second while something plays, when the position is asked for; there is no
/// timer of its own before something is wrong.
extension GstEngine {
    /// How long after it was noticed a sink that stands still counts as lost. A debugger or a machine under load is over
    /// by then.
    private static let indulgence = Duration.seconds(4)
    /// What a sink may stand still without harm to what it has already.
    private static let hiccup = Duration.milliseconds(500)
    /// What a sink of a sound server was given and has not yet played: its ring, and the piece that it cannot get rid of.
    private static let sinkBuffer = Duration.milliseconds(200) + Blocks.duration

    /// Looks whether the sink takes sound.
    func watchSink() {
        guard let pipeline, let output = pipeline.output, output.kind != .silent, let now = current, wantsPlaying,
            now.phase == .sounding, now.heldAt == nil, now.seekTarget == nil, stall == nil, joinedGroup == nil,
            !output.tap.hasEnded, !now.feed.isHungry, pipeline.handedOver?.isHungry != true
        else {
            lastLook = nil
            return
        }
        let time = monotonicNow()
        if let last = lastLook, last.count == output.tap.count {
            guard time - last.at >= .milliseconds(900) else { return }
            beginStall(since: last.at)
        } else {
            lastLook = SinkLook(
                count: output.tap.count, at: time, position: pipeline.position() ?? now.clock.anchor)
        }
    }

    /// What was heard last, if the sink stands still: its position may have been reckoned on beyond what it was given.
    private func lastHeard(_ now: Current) -> Duration {
        guard now.phase == .sounding else { return now.startAt }
        let believed = now.nextSeek ?? now.seekTarget ?? now.clock.value(at: monotonicNow(), length: now.length)
        guard let edge = pipeline?.output?.tap.edge else { return believed }
        return min(believed, max(lastLook?.position ?? .zero, edge - Self.sinkBuffer))
    }

    /// The sink stands still.
    func beginStall(since: Duration = monotonicNow()) {
        guard let pipeline, var now = current, stall == nil, now.phase != .over else { return }
        let place = lastHeard(now)
        hungerTimer.cancel()
        seamTimer.cancel()
        watchdog.cancel()
        stall = Stall(place: place, since: since, isQuiet: true)
        now.setClock(place, running: false)
        current = now
        pipeline.output?.tap.expectMove()
        if wantsPlaying { tellStall() }
    }

    /// Something is to be heard and is not: first as a feed that ran dry, later as a lost output.
    func tellStall() {
        guard var stall, stall.isQuiet, let now = current else { return }
        stall.isQuiet = false
        self.stall = stall
        if now.phase == .sounding, !now.isHungerTold {
            current?.isHungerTold = true
            emit(.hungry(now.load, at: stall.place))
        }
        stallTimer.arm(after: Self.indulgence) { [weak self] in
            guard let self, self.stall != nil, wantsPlaying else { return }
            tellOutput(.lost)
        }
    }

    /// Play or pause was wished for while the sink stands still.
    func wishInStall(_ playing: Bool) {
        guard stall != nil else { return }
        if playing {
            tellStall()
        } else {
            stall?.isQuiet = true
            stallTimer.cancel()
        }
    }

    /// The sink moves again, or what was asked of the pipeline has returned: goes on at the same place. With a new stream, as
    /// the clock of the old one is off by the time it stood still, and the server may have thrown away what came late.
    func endStall() {
        // The return of what is late comes here too.
        guard let stall, pipeline?.isLate == false else { return }
        forgetStall()
        if audioOutput == .lost { tellOutput(.ok) }
        guard let pipeline, var now = current, now.phase == .sounding, now.heldAt == nil else {
            if current?.phase == .prerolling || current?.phase == .positioning { guardStart() }
            return
        }
        let target = now.nextSeek ?? now.seekTarget
        guard monotonicNow() - stall.since < Self.hiccup, target == nil else {
            return reload(at: target ?? stall.place, announcing: target)
        }
        let position = pipeline.position() ?? stall.place
        now.setClock(position, running: wantsPlaying)
        let isFed = now.isHungerTold
        now.isHungerTold = false
        current = now
        if isFed { emit(.fed(now.load, at: position)) }
        watchHunger()
    }

    func forgetStall() {
        stall = nil
        lastLook = nil
        stallTimer.cancel()
    }
}
