public import NyanCore
import Synchronization

/// Where a database tells that it was damaged while it was in use.
public final class DamageListener: Sendable {
    /// `isNew`: a new database was begun; else everything is there.
    public typealias Listener = @Sendable (_ damage: Failure, _ isNew: Bool) -> Void

    private struct State {
        var listener: Listener?
        /// What was found before anybody listened: the daemon reads its account and notes first.
        var untold: [(damage: Failure, isNew: Bool)] = []
    }

    private let state = Mutex(State())

    public func listen(_ listener: @escaping Listener) {
        let untold = state.withLock { state in
            state.listener = listener
            defer { state.untold = [] }
            return state.untold
        }
        for one in untold { listener(one.damage, one.isNew) }
    }

    func tell(_ damage: Failure, isNew: Bool) {
        let listener = state.withLock { state in
            if state.listener == nil { state.untold.append((damage, isNew)) }
            return state.listener
        }
        listener?(damage, isNew)
    }
}
