public import NyanCore
import Synchronization

/// Where a database tells that it was damaged while it was in use.
public final class DamageListener: Sendable {
    /// `isNew`: a new database was begun; else everything is there.
    public typealias Listener = @Sendable (_ damage: Failure, _ isNew: Bool) -> Void

    private let listener = Mutex<Listener?>(nil)

    public func listen(_ listener: @escaping Listener) { self.listener.withLock { $0 = listener } }

    func tell(_ damage: Failure, isNew: Bool) { listener.withLock { $0 }?(damage, isNew) }
}
