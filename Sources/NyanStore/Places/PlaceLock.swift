public import Glibc

/// A folder of this user's that one process at a time may change.
///
/// A lock of fcntl(2) and not a file that is there or not: the kernel lets it go with its process, however that ends,
/// so that none is ever stale, and it knows who holds it.
public final class PlaceLock: Sendable {
    /// What came of asking for it.
    public enum Outcome: Sendable {
        /// Ours as long as this object lives.
        case taken(PlaceLock)
        /// Another process has it; nil = one that cannot be seen from here (another container's).
        case held(by: pid_t?)
        /// There is no lock to be had: the folder cannot be written, or its file system knows no locks.
        case none
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Asks for the lock of a folder, which is made if need be; never waits.
    ///
    /// Not to be asked for twice in one process: such a lock is the process's, and the second descriptor's end would
    /// let it go.
    public static func take(in folder: String) -> Outcome {
        guard (try? Folder.makePrivate(folder)) != nil else { return .none }
        let descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return .none }
        var wish = flock()
        wish.l_type = Int16(F_WRLCK)
        wish.l_whence = Int16(SEEK_SET)
        if fcntl(descriptor, F_SETLK, &wish) == 0 { return .taken(PlaceLock(descriptor)) }
        let isHeld = errno == EAGAIN || errno == EACCES
        defer { close(descriptor) }
        guard isHeld else { return .none }
        var holder = wish
        guard fcntl(descriptor, F_GETLK, &holder) == 0, holder.l_type != Int16(F_UNLCK), holder.l_pid > 0 else {
            return .held(by: nil)
        }
        return .held(by: holder.l_pid)
    }
}
