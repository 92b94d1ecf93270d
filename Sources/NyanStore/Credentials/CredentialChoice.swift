public import NyanCore
import Synchronization

/// The credential store the setting `account.store` asks for. With `auto` it looks in the keyring first and goes on with the file when
/// no keyring can be used; a locked keyring is told, not worked round, so that a token never lands in a file unasked.
public final class CredentialChoice: CredentialStore {
    private let choice: Settings.AccountStore
    private let keyring: any CredentialStore
    private let file: any CredentialStore
    /// Whether the keyring answered last time; nil before the first call.
    private let usesKeyring = Mutex<Bool?>(nil)

    /// `file`: path of the credentials file. `limit`: how long the Secret Service may take for an answer.
    public convenience init(_ choice: Settings.AccountStore, file: String, limit: Duration = .seconds(5)) {
        self.init(choice, keyring: SecretServiceStore(limit: limit), file: CredentialFile(path: file))
    }

    init(_ choice: Settings.AccountStore, keyring: any CredentialStore, file: any CredentialStore) {
        self.choice = choice
        self.keyring = keyring
        self.file = file
    }

    /// `keyring` or `file`: what the last call used; before the first, what would be tried first.
    public var place: String {
        get async {
            switch choice {
            case .keyring: "keyring"
            case .file: "file"
            case .auto: usesKeyring.withLock { $0 } == false ? "file" : "keyring"
            }
        }
    }

    public func load() async throws(Failure) -> Credential? {
        switch choice {
        case .keyring: return try await keyring.load()
        case .file: return try await file.load()
        case .auto:
            var slow: Failure?
            do throws(Failure) {
                let answer = try await tryKeyring { () async throws(Failure) in try await self.keyring.load() }
                if let credential = answer ?? nil { return credential }
            } catch  where error.code == .timeout {
                slow = error
            }
            if let credential = try await file.load() {
                note(false)
                return credential
            }
            // It may hold the login and only be slow: that is not the same as holding none.
            if let slow { throw slow }
            return nil
        }
    }

    public func save(_ credential: Credential) async throws(Failure) {
        switch choice {
        case .keyring: try await keyring.save(credential)
        case .file: try await file.save(credential)
        case .auto:
            let answer: Void? = try await tryKeyring { () async throws(Failure) in
                try await self.keyring.save(credential)
            }
            if answer != nil { try await file.erase() } else { try await file.save(credential) }
        }
    }

    /// Erases in both places, whatever the setting is now. The file goes first: no keyring keeps it from that. With
    /// `file` a keyring that has no answer is no matter; else one that is slow or locked may keep the login and is told.
    public func erase() async throws(Failure) {
        try await file.erase()
        switch choice {
        case .keyring: try await keyring.erase()
        case .file: try? await keyring.erase()
        case .auto: _ = try await tryKeyring { () async throws(Failure) in try await self.keyring.erase() }
        }
    }

    /// Calls the keyring; nil when there is none. Other failures are the caller's: a slow one is not "none".
    private func tryKeyring<Value: Sendable>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        do throws(Failure) {
            let value = try await body()
            note(true)
            return value
        } catch  where error.code == .unsupported {
            note(false)
            return nil
        }
    }

    private func note(_ answers: Bool) { usesKeyring.withLock { $0 = answers } }
}
