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
            let (answer, problem) = try await tryKeyring { () async throws(Failure) in try await self.keyring.load() }
            if let credential = answer ?? nil { return credential }
            if let credential = try await file.load() {
                note(false)
                return credential
            }
            // It may hold the login and only be slow: that is not the same as holding none.
            if let problem, problem.code == .timeout { throw problem }
            return nil
        }
    }

    public func save(_ credential: Credential) async throws(Failure) {
        switch choice {
        case .keyring: try await keyring.save(credential)
        case .file: try await file.save(credential)
        case .auto:
            let (answer, _): (Void?, Failure?) = try await tryKeyring { () async throws(Failure) in
                try await self.keyring.save(credential)
            }
            if answer != nil { try await file.erase() } else { try await file.save(credential) }
        }
    }

    /// Erases in both places, whatever the setting is now; a keyring that cannot be used keeps nothing from the file.
    public func erase() async throws(Failure) {
        try await file.erase()
        switch choice {
        case .keyring: try await keyring.erase()
        case .file: return
        case .auto: _ = try await tryKeyring { () async throws(Failure) in try await self.keyring.erase() }
        }
    }

    /// Calls the keyring; nil with the reason when none can be used. Other failures are the caller's.
    private func tryKeyring<Value: Sendable>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> (answer: Value?, problem: Failure?) {
        do throws(Failure) {
            let value = try await body()
            note(true)
            return (value, nil)
        } catch  where error.code == .unsupported || error.code == .timeout {
            note(false)
            return (nil, error)
        }
    }

    private func note(_ answers: Bool) { usesKeyring.withLock { $0 = answers } }
}
