import Glibc
import Synchronization

/// A file descriptor with one owner: closed when the last reference to this object goes, unless `take()` took it.
///
/// Sending one puts a duplicate into the message, so the sender's stays its own. A received one is a fresh descriptor
/// (close-on-exec) that belongs to the receiver. Equality is identity.
nonisolated public final class OwnedFD: Sendable, Equatable {
    private let held: Mutex<Int32>

    /// Takes over `descriptor`; the caller must not close it any more.
    public init(owning descriptor: Int32) { held = Mutex(descriptor) }

    /// Duplicates `descriptor`, which stays the caller's. nil where it is not open.
    public convenience init?(duplicating descriptor: Int32) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(owning: copy)
    }

    /// The descriptor, valid as long as this object is kept; -1 after `take()`.
    public var descriptor: Int32 { held.withLock { $0 } }

    /// Hands the descriptor over: the caller closes it from now on. -1 at the second call.
    public func take() -> Int32 {
        held.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }

    deinit {
        let descriptor = take()
        if descriptor >= 0 { close(descriptor) }
    }

    public static func == (left: OwnedFD, right: OwnedFD) -> Bool { left === right }
}
