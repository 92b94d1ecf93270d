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
