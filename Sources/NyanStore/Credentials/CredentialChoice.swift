public import NyanCore
import Synchronization

/// The credential store the setting `account.store` asks for. With `auto` it is the keyring where that can be used, else
/// the file: then the login moves to the keyring once it can. What is in the file is always the newer one: the keyring's
/// save erases it.
public final class CredentialChoice: CredentialStore {
    private struct State {
        /// Whether the keyring answered last time; nil before the first call.
        var usesKeyring: Bool?
        /// Why the login is in the file though there is a keyring.
        var trouble: Failure?
    }

    private let choice: Settings.AccountStore
    private let keyring: any CredentialStore
    private let file: any CredentialStore
    private let state = Mutex(State())

    /// `file`: path of the credentials file. `limit`: how long the Secret Service may take for an answer.
    public convenience init(_ choice: Settings.AccountStore, file: String, limit: Duration = .seconds(3)) {
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
            case .auto: state.withLock { $0.usesKeyring } == false ? "file" : "keyring"
            }
        }
    }

    public func load() async throws(Failure) -> Credential? {
        switch choice {
        case .keyring: return try await keyring.load()
        case .file: return try await file.load()
        case .auto:
            if let credential = try await file.load() {
                note(false)
                return credential
            }
            return try await tryKeyring { () async throws(Failure) in try await self.keyring.load() } ?? nil
        }
    }

    public func save(_ credential: Credential) async throws(Failure) {
        switch choice {
        case .keyring: try await keyring.save(credential)
        case .file: try await file.save(credential)
        case .auto:
            // One that was silent is not waited for again here: `settle` finds out whether it answers.
            if trouble?.code != .timeout, await saveInKeyring(credential) { return try await file.erase() }
            try await file.save(credential)
            note(false)
        }
    }

    public var trouble: Failure? { state.withLock { $0.trouble } }

    /// Moves what the file holds into the keyring, where that can be used by now.
    public func settle() async {
        guard choice == .auto, let held = try? await file.load(), await saveInKeyring(held) else { return }
        try? await file.erase()
    }

    public func warnings() async -> [String] { await file.warnings() }

    /// - Returns: whether it holds; why not is noted where there is a keyring.
    private func saveInKeyring(_ credential: Credential) async -> Bool {
        do throws(Failure) {
            try await keyring.save(credential)
            state.withLock { $0 = State(usesKeyring: true) }
            return true
        } catch {
            let isAbsent = error.code == .unsupported
            let words = "\(error.message) (until then the login is in a file only you can read)"
            let trouble = isAbsent ? nil : Failure(error.code, words, retry: .later)
            state.withLock { $0 = State(usesKeyring: false, trouble: trouble) }
            return false
        }
    }

    /// Erases in both places, whatever the setting is now. The file goes first: no keyring keeps it from that. With
    /// `file` a keyring that has no answer is no matter; else one that is slow or locked may keep the login and is told.
    public func erase() async throws(Failure) {
        try await file.erase()
        // The next login finds out anew what the keyring can do.
        state.withLock { $0.trouble = nil }
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

    private func note(_ answers: Bool) { state.withLock { $0.usesKeyring = answers } }
}
