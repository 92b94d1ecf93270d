import FoundationEssentials
import Glibc
public import NyanCore

/// The keys of scrobbling sites, where `account.store` says: in the keyring, or in a file only its owner can read. With
/// `auto` it is the keyring where that can be used, else the file; what is in the file is always the newer one.
public final class ScrobbleKeyFile: ScrobbleKeyStore {
    private let choice: Settings.AccountStore
    private let keyring: SecretServiceStore
    private let path: String

    /// `path`: absolute; `Places.scrobbleKeysFile`. `limit`: how long the Secret Service may take for an answer.
    public init(_ choice: Settings.AccountStore, path: String, limit: Duration = .seconds(3)) {
        self.choice = choice
        self.path = path
        keyring = SecretServiceStore(limit: limit, kind: "scrobble", label: "Nyan Tunes scrobbling")
    }

    public func load() async throws(Failure) -> [ScrobbleSite: ScrobbleKeys] {
        if choice != .keyring, let bytes = try await read() { return try keys(bytes) }
        guard choice != .file else { return [:] }
        do throws(Failure) {
            guard let text = try await keyring.loadText() else { return [:] }
            return try keys(Array(text.utf8))
        } catch {
            // Without a service there is nothing in it.
            guard choice == .auto, error.code == .unsupported else { throw error }
            return [:]
        }
    }

    public func save(_ keys: [ScrobbleSite: ScrobbleKeys]) async throws(Failure) {
        let bytes = try Self.bytes(of: keys)
        if choice != .file {
            do throws(Failure) {
                if keys.isEmpty {
                    try await keyring.erase()
                } else {
                    try await keyring.save(text: String(decoding: bytes, as: UTF8.self))
                }
                return try await eraseFile()
            } catch {
                // A keyring that keeps old keys must not be taken for one that forgot them.
                guard choice == .auto, !keys.isEmpty || error.code == .unsupported else { throw error }
            }
        }
        if keys.isEmpty { return try await eraseFile() }
        let path = path
        try await offPool { () throws(Failure) in
            try Folder.makePrivate(splitPath(path).folder)
            try WholeFile.replace(path, with: bytes, mode: 0o600, durable: true)
        }
    }

    /// Never through a link; a wider mode than 0600 is tightened.
    private func read() async throws(Failure) -> [UInt8]? {
        let path = path
        return try await offPool { () throws(Failure) in
            guard let bytes = try WholeFile.read(path, flags: O_NOFOLLOW | O_NONBLOCK, limit: 1 << 20) else {
                return nil
            }
            chmod(path, 0o600)
            return bytes
        }
    }

    private func eraseFile() async throws(Failure) {
        let path = path
        try await offPool { () throws(Failure) in
            guard unlink(path) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { return }
                throw .file(errno, "remove", path)
            }
            try Folder.sync(splitPath(path).folder)
        }
    }

    /// As it is written down: JSON, the same in the file and in the keyring.
    private struct Stored: Codable {
        struct Site: Codable {
            var token: String
            var apiKey: String?
            var sharedSecret: String?
        }
        var version = 1
        var sites: [String: Site]
    }

    private static func bytes(of keys: [ScrobbleSite: ScrobbleKeys]) throws(Failure) -> [UInt8] {
        let sites = keys.map { site, keys in
            (
                site.rawValue,
                Stored.Site(
                    token: keys.token.revealed, apiKey: keys.apiKey?.revealed,
                    sharedSecret: keys.sharedSecret?.revealed)
            )
        }
        let stored = Stored(sites: Dictionary(sites, uniquingKeysWith: { $1 }))
        guard let bytes = try? JSONEncoder().encode(stored) else {
            throw Failure(.internal, "the scrobbling keys cannot be written down")
        }
        return Array(bytes)
    }

    private func keys(_ bytes: [UInt8]) throws(Failure) -> [ScrobbleSite: ScrobbleKeys] {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)), stored.version == 1 else {
            throw Failure(.fileAccess, "the stored scrobbling keys are unreadable: `nyanctl scrobble login` again")
        }
        let pairs = stored.sites.compactMap { name, site in
            ScrobbleSite(rawValue: name).map { key in
                (
                    key,
                    ScrobbleKeys(
                        token: Secret(site.token), apiKey: site.apiKey.map { Secret($0) },
                        sharedSecret: site.sharedSecret.map { Secret($0) })
                )
            }
        }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }
}
