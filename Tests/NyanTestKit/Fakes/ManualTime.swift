public import NyanCore
import Synchronization

/// A clock moved by hand: whoever waits goes on when the test says that the time has come.
public nonisolated final class ManualTime: TimeSource {
    private struct Sleeper {
        var ticket: Int
        var deadline: Duration
        var wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        // Not zero, so that nobody takes "no time yet" for a moment.
        var now: Duration = .seconds(1000)
        var tickets = 0
        var sleepers: [Sleeper] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Duration { state.withLock { $0.now } }

    /// When those who wait now want to go on, counted from now, soonest first.
    public var waits: [Duration] { state.withLock { state in state.sleepers.map { $0.deadline - state.now }.sorted() } }

    public func wait(for duration: Duration) async throws(CancellationError) {
        let (ticket, deadline) = state.withLock { state in
            state.tickets += 1
            return (state.tickets, state.now + duration)
        }
        let woke = await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.now >= deadline { return true }
                    state.sleepers.append(Sleeper(ticket: ticket, deadline: deadline, wake: wake))
                    return false
                }
                if isOver { wake.resume(returning: !Task.isCancelled) }
            }
        } onCancel: {
            take { $0.ticket == ticket }.forEach { $0.wake.resume(returning: false) }
        }
        if !woke { throw CancellationError() }
    }

    /// Moves the clock and wakes whoever's time has come; what they do then takes turns of the main actor (`settle`).
    public func advance(by duration: Duration) {
        let now = state.withLock { state in
            state.now += duration
            return state.now
        }
        take { $0.deadline <= now }.forEach { $0.wake.resume(returning: true) }
    }

    private func take(_ isMeant: (Sleeper) -> Bool) -> [Sleeper] {
        state.withLock { state in
            let taken = state.sleepers.filter(isMeant)
            state.sleepers.removeAll(where: isMeant)
            return taken.sorted { $0.deadline < $1.deadline }
        }
    }
}

/// Lets everything that is ready to run on the main actor, and what follows from it, run: for looking at what did *not*
/// happen. What should happen is awaited with `until`.
@MainActor public func settle() async {
    for _ in 0..<40 {
        await Task.detached {}.value
        await Task.yield()
    }
}

/// Waits, a turn of the main actor at a time, until something is true; false when it is not within half a minute.
@MainActor public func until(_ condition: @MainActor () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(30 * Patience.factor)
    while !condition() {
        if ContinuousClock.now > end { return false }
        await Task.detached {}.value
        await Task.yield()
    }
    return true
}
