import NyanCore

/// The line in which calls wait for their turn: one at a time, first come first served (vk-api.md §3.3), but those that
/// a listener waits for in silence go before the others.
final class CallLine {
    /// A caller that waits; resumed with true for its turn, with false when it gave up.
    private struct Waiter {
        var ticket: Int
        var isUrgent: Bool
        var turn: CheckedContinuation<Bool, Never>
    }

    private var isTaken = false
    private var nextTicket = 0
    private var waiters: [Waiter] = []

    /// Waits for the turn; every return must be followed by `leave`.
    /// - Throws: `.cancelled` when the task is cancelled while it waits; the turn was not taken then.
    func enter(isUrgent: Bool = false) async throws(Failure) {
        guard isTaken else {
            if Task.isCancelled { throw .callCancelled }
            isTaken = true
            return
        }
        nextTicket += 1
        let ticket = nextTicket
        let granted = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                if Task.isCancelled {
                    turn.resume(returning: false)
                } else if !isTaken {
                    // It was given back on the way here, when nobody stood in line (CONTRIBUTING.md, continuations).
                    isTaken = true
                    turn.resume(returning: true)
                } else {
                    let place = isUrgent ? waiters.firstIndex { !$0.isUrgent } : nil
                    let waiter = Waiter(ticket: ticket, isUrgent: isUrgent, turn: turn)
                    waiters.insert(waiter, at: place ?? waiters.count)
                }
            }
        } onCancel: {
            Task { @MainActor in self.giveUp(ticket) }
        }
        guard granted else { throw .callCancelled }
    }

    /// Hands the turn to the longest-waiting caller, an urgent one if there is any.
    func leave() {
        if waiters.isEmpty {
            isTaken = false
        } else {
            waiters.removeFirst().turn.resume(returning: true)
        }
    }

    /// Takes a caller out of the line; without effect once it has its turn.
    private func giveUp(_ ticket: Int) {
        guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiters.remove(at: place).turn.resume(returning: false)
    }
}

extension Failure {
    /// The caller did not want the answer any more.
    nonisolated static var callCancelled: Failure { Failure(.cancelled, "The call to VK was cancelled") }
}
