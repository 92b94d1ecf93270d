import NyanCore
import Synchronization

/// A clock of the test's own: either every sleep ends at once having moved the clock (`jumping`), or sleepers wait until
/// the test advances it.
nonisolated final class TestClock: TimeSource {
    private struct Sleeper {
        var ticket: Int
        var deadline: Duration
        var wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Duration = .seconds(1000)
        var nextTicket = 0
        var sleepers: [Sleeper] = []
        var naps: [Duration] = []
    }

    private let state = Mutex(State())
    private let jumping: Bool
    /// One element for each sleep that began and waits.
    let asleep: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation

    init(jumping: Bool = true) {
        self.jumping = jumping
        (asleep, tell) = AsyncStream.makeStream()
    }

    var now: Duration { state.withLock { $0.now } }
    /// The length of every sleep so far.
    var naps: [Duration] { state.withLock { $0.naps } }

    func wait(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        let (ticket, deadline) = state.withLock { state in
            let deadline = state.now + duration
            state.naps.append(duration)
            state.nextTicket += 1
            if jumping { state.now = max(state.now, deadline) }
            return (state.nextTicket, deadline)
        }
        if jumping { return }
        let woke = await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.now >= deadline { return true }
                    state.sleepers.append(Sleeper(ticket: ticket, deadline: deadline, wake: wake))
                    return false
                }
                if isOver { wake.resume(returning: !Task.isCancelled) } else { tell.yield() }
            }
        } onCancel: {
            take { $0.ticket == ticket }.forEach { $0.wake.resume(returning: false) }
        }
        if !woke { throw CancellationError() }
    }

    func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
        let now = now
        take { $0.deadline <= now }.forEach { $0.wake.resume(returning: true) }
    }

    private func take(_ isMeant: (Sleeper) -> Bool) -> [Sleeper] {
        state.withLock { state in
            let taken = state.sleepers.filter(isMeant)
            state.sleepers.removeAll(where: isMeant)
            return taken
        }
    }
}
