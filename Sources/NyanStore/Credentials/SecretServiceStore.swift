import CGLib
import CSecret
import Dispatch
import Glibc
public import NyanCore
import Synchronization

/// The credential in the desktop's keyring, through libsecret. Its blocking calls run on a thread of their own with a
/// time limit; a locked keyring is a failure, never a prompt (field-issues.md F4).
public final class SecretServiceStore: CredentialStore {
    private let limit: Duration
    /// Which of our secrets, and what a person's keyring program calls it.
    private let kind: String
    private let label: String
    /// One call at a time, whichever store's it is: libsecret shares one connection in the whole program, and each call
    /// ends by closing it. A call that hangs is cancelled at its limit.
    private static let queue = DispatchQueue(label: "org.nyantunes.Nyand.keyring")
    /// Where time limits go off: a queue that no call can hold up.
    private static let patience = DispatchQueue(label: "org.nyantunes.Nyand.keyring-limit")

    /// `limit`: how long the service may take to answer.
    public convenience init(limit: Duration = .seconds(3)) {
        self.init(limit: limit, kind: "account", label: "Nyan Tunes account")
    }

    init(limit: Duration, kind: String, label: String) {
        self.limit = limit
        self.kind = kind
        self.label = label
    }

    public var place: String { "keyring" }

    public func load() async throws(Failure) -> Credential? {
        guard let text = try await loadText() else { return nil }
        if let credential = StoredCredential.credential(from: Array(text.utf8)) { return credential }
        throw Failure(.fileAccess, "the login in the keyring is unreadable; please log in again")
    }

    public func save(_ credential: Credential) async throws(Failure) {
        try await save(text: String(decoding: StoredCredential.bytes(of: credential), as: UTF8.self))
    }

    public func erase() async throws(Failure) {
        _ = try await call { [kind] bus, cancellable, error in
            (nyan_secret_erase(bus, kind, cancellable, error), nil)
        }
    }

    /// The secret as it is; nil when there is none.
    func loadText() async throws(Failure) -> String? {
        try await call { [kind] _, cancellable, error -> (nyan_secret_answer, String?) in
            var secret: UnsafeMutablePointer<CChar>?
            let answer = nyan_secret_load(kind, &secret, cancellable, error)
            defer { g_free(secret) }
            return (answer, secret.map { String(cString: $0) })
        }
    }

    func save(text: String) async throws(Failure) {
        _ = try await call { [kind, label] bus, cancellable, error in
            (nyan_secret_save(bus, kind, label, text, cancellable, error), nil)
        }
    }

    private typealias Bus = OpaquePointer
    private typealias Errors = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

    /// Runs one blocking call; the first of its answer and the time limit counts.
    /// - Throws: `.unsupported` without a service, `.timeout`, `.denied` for a locked keyring.
    private func call(
        _ body: @escaping @Sendable (Bus, UnsafeMutablePointer<GCancellable>?, Errors) -> (nyan_secret_answer, String?)
    ) async throws(Failure) -> String? {
        // Without an address libsecret would try to start a bus of its own.
        guard let address = getenv("DBUS_SESSION_BUS_ADDRESS"), address.pointee != 0 else {
            throw Failure(.unsupported, "there is no session bus, so no keyring")
        }
        let cancellable = Cancellable()
        let result: Result<String?, Failure> = await withCheckedContinuation { continuation in
            let first = First(continuation)
            let limit = limit
            Self.queue.async {
                // From here: the wait for another's call, which has a limit of its own, is not the keyring's fault.
                Self.giveUp(after: limit, first, cancellable)
                first.resume(Self.answer(of: body, cancellable.pointer))
            }
            // One that not even cancelling ends must not keep the others waiting for ever.
            Self.giveUp(after: limit * 5, first, cancellable)
        }
        return try result.get()
    }

    private static func giveUp(after limit: Duration, _ first: First, _ cancellable: Cancellable) {
        let nanoseconds =
            Int(limit.components.seconds) * 1_000_000_000 + Int(limit.components.attoseconds / 1_000_000_000)
        patience.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
            let words = "the keyring does not answer; start it again, or set account.store to file"
            guard first.resume(.failure(Failure(.timeout, words, retry: .later))) else { return }
            // A call that has not begun yet ends at once, too: what was told as failed is not done later.
            g_cancellable_cancel(cancellable.pointer)
        }
    }

    /// The blocking call itself. It has a GLib context of its own: nobody runs the default one, where the connection's
    /// leftovers would wait for ever.
    private static func answer(
        of body: (Bus, UnsafeMutablePointer<GCancellable>?, Errors) -> (nyan_secret_answer, String?),
        _ cancellable: UnsafeMutablePointer<GCancellable>?
    ) -> Result<String?, Failure> {
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        defer {
            while g_main_context_iteration(context, 0) != 0 {}
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let bus = nyan_secret_bus(cancellable, &error) else { return result(NYAN_SECRET_FAILED, nil, error) }
        let (answer, text) = body(bus, cancellable, &error)
        // Calls are rare: the next one finds out anew who the service is, and idle costs nothing.
        secret_service_disconnect()
        g_object_unref(UnsafeMutableRawPointer(bus))
        return result(answer, text, error)
    }

    private static func result(
        _ answer: nyan_secret_answer, _ text: String?, _ error: UnsafeMutablePointer<GError>?
    ) -> Result<String?, Failure> {
        switch answer {
        case NYAN_SECRET_OK, NYAN_SECRET_NONE: return .success(text)
        case NYAN_SECRET_LOCKED:
            let words = "the keyring is locked; unlock it, or set account.store to file"
            return .failure(Failure(.denied, words, retry: .later))
        case NYAN_SECRET_ASKS:
            let words =
                "the keyring has a question first: open it in its own program, or set account.store to file"
            return .failure(Failure(.denied, words, retry: .later))
        case NYAN_SECRET_NO_KEYRING: return .failure(Failure(.unsupported, "there is no default keyring"))
        default:
            if nyan_secret_died(error) != 0 {
                let words = "the keyring ended before it answered; start it again, or set account.store to file"
                return .failure(Failure(.timeout, words, retry: .later))
            }
            let told = error.flatMap { $0.pointee.message }.map { String(cString: $0) }
            let words = told.flatMap { ForeignWords.cleaned($0) } ?? "it refused"
            if nyan_secret_absent(error) != 0 {
                return .failure(Failure(.unsupported, "no keyring can be used: \(words)"))
            }
            // It is there, and may hold a login that must not be forgotten nor taken for removed.
            return .failure(Failure(.denied, "the keyring refuses: \(words)", retry: .later))
        }
    }

    /// GLib's cancelling flag.
    // @unchecked: a GCancellable may be used from any thread, and this reference never changes.
    private final class Cancellable: @unchecked Sendable {
        let pointer = g_cancellable_new()
        deinit { if let pointer { g_object_unref(pointer) } }
    }

    /// Resumes with what comes first.
    private final class First: Sendable {
        private let continuation: Mutex<CheckedContinuation<Result<String?, Failure>, Never>?>
        init(_ continuation: CheckedContinuation<Result<String?, Failure>, Never>) {
            self.continuation = Mutex(continuation)
        }

        /// - Returns: whether this was the first.
        @discardableResult func resume(_ result: Result<String?, Failure>) -> Bool {
            let waiting = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiting?.resume(returning: result)
            return waiting != nil
        }
    }
}
