/// Something that happens once, and those who wait for it.
final class Moment {
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var hasCome = false

    /// More than once does no harm.
    func come() {
        hasCome = true
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    /// Returns at once where it has come already.
    func wait() async {
        guard !hasCome else { return }
        await withCheckedContinuation { waiter in
            // It may have come on the way here (CONTRIBUTING.md, continuations).
            if hasCome { waiter.resume() } else { waiters.append(waiter) }
        }
    }
}
