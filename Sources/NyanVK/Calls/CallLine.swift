import NyanCore

/// The line in which calls wait for their turn: one at a time, first come first served (vk-api.md §3.3), but those that
/// a listener waits for in silence go before the others.
final class CallLine {
    /// A caller that waits.
    private struct Caller {
        var ticket: Int
        var isUrgent: Bool
    }

    private var isTaken = false
    private var nextTicket = 0
    /// Woken with true for their turn, with false when they gave up.
    private let waiters = Waiters<Caller, Bool>()

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
            await waiters.wait(as: Caller(ticket: ticket, isUrgent: isUrgent), before: { isUrgent && !$0.isUrgent }) {
                if Task.isCancelled { return false }
                // It may be given back on the way there, when nobody stands in line.
                if isTaken { return nil }
                isTaken = true
                return true
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
            waiters.wakeFirst(with: true)
        }
    }

    /// Takes a caller out of the line; without effect once it has its turn.
    private func giveUp(_ ticket: Int) {
        waiters.wake(with: false, where: { $0.ticket == ticket })
    }
}

extension Failure {
    /// The caller did not want the answer any more.
    nonisolated static var callCancelled: Failure { Failure(.cancelled, "The call to VK was cancelled") }
}
