import Glibc
public import NyanCore
import Synchronization

/// The credential in a file only its owner can read: 0600 from birth in a 0700 folder, replaced in one step, never
/// through a link that leads elsewhere.
public final class CredentialFile: CredentialStore {
    private let path: String
    private let found = Mutex<[String]>([])

    /// `path`: absolute; `Places.credentialsFile`.
    public init(path: String) { self.path = path }

    public var place: String { "file" }

    /// A wider mode than 0600 is tightened. What cannot be read is set aside and reported; the next call finds none.
    public func load() async throws(Failure) -> Credential? {
        let path = path
        return try await offPool { [self] () throws(Failure) in
            guard let bytes = try WholeFile.read(path, flags: O_NOFOLLOW | O_NONBLOCK, limit: 1 << 20) else {
                return nil
            }
            tighten(path, to: 0o600)
            tighten(splitPath(path).folder, to: 0o700)
            if let credential = StoredCredential.credential(from: bytes) { return credential }
            let aside = try WholeFile.setAside(path)
            throw Failure(.fileAccess, "the stored login was unreadable; it is kept as \(aside), please log in again")
        }
    }

    public func warnings() async -> [String] {
        found.withLock { found in
            defer { found = [] }
            return found
        }
    }

    /// Takes away what others may do with it, and keeps that to be told.
    private func tighten(_ path: String, to mode: mode_t) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & 0o077 != 0, facts.st_mode & S_IFMT != S_IFLNK else { return }
        chmod(path, mode)
        let text =
            "\(path) was open to others (mode \(String(facts.st_mode & 0o777, radix: 8))); it is closed to them now"
        found.withLock { $0.append(text) }
    }

    public func save(_ credential: Credential) async throws(Failure) {
        let path = path
        let bytes = StoredCredential.bytes(of: credential)
        try await offPool { () throws(Failure) in
            try Folder.makePrivate(splitPath(path).folder)
            try WholeFile.replace(path, with: bytes, mode: 0o600, durable: true)
        }
    }

    /// Also removes what was set aside or left half-written: after a logout no token is left.
    public func erase() async throws(Failure) {
        let path = path
        try await offPool { () throws(Failure) in
            let (folder, name) = splitPath(path)
            for other in Folder.names(in: folder)
            where other.hasPrefix("\(name).broken-") || other.hasPrefix(".\(name).") && other.hasSuffix(".tmp") {
                unlink("\(folder)/\(other)")
            }
            if unlink(path) != 0 {
                if errno == ENOENT || errno == ENOTDIR { return }
                throw .file(errno, "remove", path)
            }
            try Folder.sync(folder)
        }
    }
}
