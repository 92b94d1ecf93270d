import NyanCore
import NyanDBus
import NyanNet
import NyanService
import NyanStore
import NyanVK

/// Web sessions, the keyring's coming and going, and what VK has closed for the account.
extension Composition {
    private static let closedMethodsNote = "closed-methods"

    static func sessions(
        _ http: CurlSession, _ time: SystemTime, _ connectivity: Connectivity
    ) -> VKSession {
        let sessions = VKSession(http: http, time: time)
        sessions.requireNetwork = { [connectivity] () throws(Failure) in try connectivity.requireNetwork() }
        return sessions
    }

    /// What VK closed for an hour stays closed over a restart (vk-api.md §3.2, error 29).
    func keepClosedMethods() async {
        let note = Self.closedMethodsNote
        if let text = (try? await store.note(note)) ?? nil { source.closedMethods = text }
        source.onClosedMethods { [store] text in
            Task.onMain { try? await store.setNote(note, text) }
        }
    }

    /// From now on a keyring that was locked or not there is tried again when it changes.
    func watchKeyring(on connection: Connection) {
        account.restoredLate = { [weak self] in
            Task.onMain { _ = try? await self?.library.sync() }
        }
        keyring = KeyringWatch(connection) { [weak self] in
            self?.account.storeMayWork(appeared: $0)
            self?.scrobbles.storeMayWork()
        }
    }
}
