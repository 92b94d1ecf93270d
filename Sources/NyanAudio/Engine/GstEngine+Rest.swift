internal import NyanCore

/// A pause that lasts: the output is given back, as libpulse wakes up twice a second for any stream there is, a paused one
/// too. Playing on opens it again at the same place, on whatever server and device there are by then.
extension GstEngine {
    /// A shorter pause keeps the stream, and resumes a little quicker.
    private static let shortPause = Duration.seconds(10)

    /// The sound is paused, or starts so.
    func awaitRest() {
        guard !wantsPlaying, let kind = pipeline?.output?.kind, kind != .silent else { return }
        restTimer.arm(after: Self.shortPause) { [weak self] in self?.rest() }
    }

    private func rest() {
        guard !wantsPlaying, stall == nil, let pipeline, current?.phase == .sounding else { return }
        let position = place()
        current?.setClock(position, running: false)
        hungerTimer.cancel()
        isResting = true
        pipeline.release()
    }

    /// The clock of a pulsesink stream that was made paused runs until the stream is let go for the first time, and then
    /// stands still, in silence, for as long as that was. So is one that was paused before it had really begun.
    func noteFresh() {
        guard let now = current, now.phase == .sounding, freshSince == nil, place() < now.startAt + Self.realRun else {
            return
        }
        freshSince = monotonicNow()
    }

    /// What must have been heard of a stream before its clock stands still in a pause.
    private static let realRun = Duration.milliseconds(500)

    /// Lets a stream that has waited since it was made go: by making it anew.
    /// - Returns: whether it was such a stream: then all is done.
    func renew() -> Bool {
        guard let since = freshSince, pipeline?.output?.kind == .server, stall == nil, current?.phase == .sounding,
            current?.heldAt == nil
        else { return false }
        freshSince = nil
        guard monotonicNow() - since > .milliseconds(50) else { return false }
        reload(at: place(), announcing: nil)
        return true
    }

    /// Opens the output again if it was given back.
    /// - Parameter target: where the listener wants to be; nil = where it was.
    /// - Returns: whether it was given back: then all is done.
    func wake(at target: Duration? = nil) -> Bool {
        guard isResting else { return false }
        isResting = false
        do throws(Failure) {
            _ = try ready()
            reload(at: target ?? place(), announcing: target)
        } catch {
            fail(error)
        }
        return true
    }
}
