import Synchronization

/// Where calls are held up until a test lets them go on.
public nonisolated final class Gate: Sendable {
    private struct State {
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// How many are held up.
    public var held: Int { state.withLock { $0.waiting.count } }

    public func close() { state.withLock { $0.isOpen = false } }

    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for call in waiting { call.resume() }
    }

    public func pass() async {
        await withCheckedContinuation { call in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(call) }
                return state.isOpen
            }
            if isOpen { call.resume() }
        }
    }
}
