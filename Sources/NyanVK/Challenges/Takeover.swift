/// A token that VK gave with a confirmation is being proved and stored: calls that were let go on with that confirmation
/// wait for the end of this, as their own token would only be refused again.
final class Takeover {
    private var isOver = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        guard !isOver else { return }
        await withCheckedContinuation { waiter in
            // It may be over by now (CONTRIBUTING.md, continuations).
            if isOver { waiter.resume() } else { waiting.append(waiter) }
        }
    }

    /// Whatever it ended with.
    func end() {
        isOver = true
        let waiting = waiting
        self.waiting = []
        for waiter in waiting { waiter.resume() }
    }
}
