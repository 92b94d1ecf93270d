import Synchronization

/// Holds up whoever passes while it is shut: how a test keeps a store or a server from answering.
public nonisolated final class Latch: Sendable {
    private struct State {
        var isShut = false
        var tickets = 0
        var held: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// How many wait now.
    public var held: Int { state.withLock { $0.held.count } }

    public func shut() { state.withLock { $0.isShut = true } }

    /// Lets everybody through, also those who come later.
    public func open() {
        let held = state.withLock { state in
            state.isShut = false
            defer { state.held = [:] }
            return state.held
        }
        for continuation in held.values { continuation.resume() }
    }

    /// Lets only the one through that came last; the latch stays shut.
    public func openLatest() {
        state.withLock { state in state.held.keys.max().flatMap { state.held.removeValue(forKey: $0) } }?.resume()
    }

    /// Returns at once while open, else when it is opened or the task is cancelled.
    public func pass() async {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.isShut, !Task.isCancelled else { return false }
                    state.held[ticket] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: ticket) }?.resume()
        }
    }
}
