import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// Carries the conversation out on a terminal: what `LoginTalk` wants said goes to standard error, what it wants to know is
/// read from standard input, and secrets go to the daemon through pipes only.
@MainActor struct LoginConversation {
    private let daemon: Daemon
    private let profile: String
    private var account: Account?

    /// A person is at both ends, and reads what is said.
    static var isPossible: Bool { Terminal.inputIsTerminal && Terminal.outputIsTerminal && isatty(2) == 1 }

    /// Returns the account, or ends the run.
    static func run(_ invocation: Invocation) throws(Ending) -> Account {
        let daemon = try Daemon(invocation)
        var conversation = LoginConversation(daemon: daemon, profile: invocation.options["--profile"] ?? "")
        return try conversation.hold()
    }

    private init(daemon: Daemon, profile: String) {
        self.daemon = daemon
        self.profile = profile
    }

    private mutating func hold() throws(Ending) -> Account {
        let status = try daemon.ask { client throws(ClientFailure) in try client.status() }
        var talk = LoginTalk()
        var event: LoginTalk.Event? = .begin(isSignedIn: status.isSignedIn, isOffline: status.isOfflineMode)
        while let heard = event {
            event = nil
            for effect in talk.take(heard) { event = try carryOut(effect) ?? event }
            if let account, event == nil { return account }
        }
        throw .quietly(1)
    }

    /// nil where nothing is heard after it.
    private mutating func carryOut(_ effect: LoginTalk.Effect) throws(Ending) -> LoginTalk.Event? {
        switch effect {
        case .say(let words): Terminal.complain(words)
        case .warn(let words): Terminal.complain("nyanctl: \(Terminal.printableMessage(words))")
        case .show(let address): Terminal.tell(Terminal.printableMessage(address))
        case .ask(let prompt, let shown):
            // Somebody may have been quicker than the question: only the first line of a paste is looked at.
            let line = try PromptedLine.read(prompt, shown: shown)
            return .line(String(decoding: line, as: UTF8.self))
        case .askSecret(let prompt, let mayHaveLines):
            return .secret(try SecretPrompt.text(prompt: prompt, mayHaveLines: mayHaveLines))
        case .read(let path): return SecretFile.text(at: path).map { .secret($0) } ?? .unreadable
        case .fetchPage: return try page()
        case .prove(let way, let user, let secret): return try prove(way, user, secret)
        case .finish: return nil
        case .giveUp(let status): throw .quietly(status)
        }
        return nil
    }

    private func page() throws(Ending) -> LoginTalk.Event {
        do throws(Ending) {
            let values = try daemon.ask { client throws(ClientFailure) in
                try client.call(NyandInterfaces.account, "AuthorizeAddress", [.string(profile)])
            }
            guard let page = values.first?.string else { throw Daemon.ending(.misunderstood("AuthorizeAddress")) }
            return .page(page)
        } catch {
            return try refusal(error)
        }
    }

    /// What VK asks for meanwhile (a code, a captcha) is asked here, in the same conversation.
    private mutating func prove(_ way: LoginWay, _ user: String, _ secret: Secret) throws(Ending) -> LoginTalk.Event {
        do throws(Ending) {
            let descriptor = try SecretPrompt.descriptor(holding: secret.revealed)
            account = try PageLogins.conversing(daemon) { client throws(ClientFailure) in
                way == .password
                    ? try client.account("LoginWithPassword", [.string(user), .unixFD(descriptor), .string(profile)])
                    : try client.account("Login", [.string(way.rawValue), .unixFD(descriptor), .string(profile)])
            }
            return .accepted
        } catch {
            return try refusal(error)
        }
    }

    /// The daemon's no as an event. What is no answer of the daemon's ends the run.
    private func refusal(_ ending: Ending) throws(Ending) -> LoginTalk.Event {
        guard case .failed(let code, let message, let status) = ending, Failure.Code(rawValue: code) != nil else {
            throw ending
        }
        return .refused(code: code, message: message, status: status)
    }
}

/// A file whose name was given where its contents were meant.
enum SecretFile {
    /// nil where it cannot be read, is none, or is longer than any secret.
    static func text(at word: String) -> String? {
        var path = word
        if path.hasPrefix("~/"), let home = Terminal.environment("HOME") { path = home + path.dropFirst() }
        // Nobody is to wait for a pipe's other end.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var found = stat()
        guard fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_size <= SecretLine.limit else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: SecretLine.limit)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        return String(validating: bytes[..<filled], as: UTF8.self)
    }
}
