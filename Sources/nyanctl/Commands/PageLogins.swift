import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// `login --url` and `login --password`: the ways over VK's own pages and forms.
@MainActor enum PageLogins {
    /// Prints the page's address, then takes the address it ended at.
    static func byAddress(_ invocation: Invocation) throws(Ending) -> Account {
        let daemon = try Daemon(invocation)
        let profile = invocation.options["--profile"] ?? ""
        let values = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.account, "AuthorizeAddress", [.string(profile)])
        }
        guard let address = values.first?.string else { throw Daemon.ending(.misunderstood("AuthorizeAddress")) }
        // No data of the command's: it may be read by a person while the answer goes into a pipe.
        Terminal.complain(
            "Open this page in a browser, sign in, allow it, and paste the address it ends at (…/blank.html#…):\n"
                + Terminal.printableMessage(address))
        let pasted = try SecretPrompt.descriptor(prompt: "Address (it is not shown): ")
        return try conversing(daemon) { client throws(ClientFailure) in
            try client.account("Login", [.string(LoginWay.url.rawValue), .unixFD(pasted), .string(profile)])
        }
    }

    static func byPassword(_ invocation: Invocation, user: String) throws(Ending) -> Account {
        let daemon = try Daemon(invocation)
        let profile = invocation.options["--profile"] ?? ""
        let password = try SecretPrompt.descriptor(
            prompt: "Password of \(Terminal.printableMessage(user)) (not shown): ")
        return try conversing(daemon) { client throws(ClientFailure) in
            try client.account("LoginWithPassword", [.string(user), .unixFD(password), .string(profile)])
        }
    }

    /// A login during which VK may ask for more. In scripts that ends with status 4, and `answer` goes on.
    static func conversing(
        _ daemon: Daemon, _ login: (NyanClient) throws(ClientFailure) -> Account
    ) throws(Ending) -> Account {
        do {
            return try daemon.ask(login)
        } catch {
            return try AnswerCommand.converse(daemon, error)
        }
    }

    /// Says when the login ends, if it does.
    static func warnOfEnd(_ daemon: Daemon) {
        guard let moment = try? daemon.client.loginEnds() else { return }
        let left = moment - Int64(time(nil))
        let words =
            left <= 0
            ? "this login has ended: log in again"
            : "this login ends in \(left < 5400 ? "\((left + 59) / 60) minutes" : "\((left + 1800) / 3600) hours"): "
                + "VK gave a token with an end (without the right “offline”)"
        Terminal.complain("nyanctl: \(words)")
    }
}

extension SecretPrompt {
    /// A descriptor that gives this text: what stands on the command line goes the way secrets go.
    static func descriptor(holding text: String) throws(Ending) -> OwnedFD {
        var ends: [Int32] = [0, 0]
        guard text.utf8.count <= SecretLine.limit, pipe(&ends) == 0 else {
            throw .failed(code: "bad-argument", message: "the answer could not be handed over", status: 1)
        }
        let reading = OwnedFD(owning: ends[0])
        defer { close(ends[1]) }
        let bytes = Array(text.utf8)
        // A pipe holds 64 KiB: this does not wait for the reader.
        let count = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            throw .failed(code: "bad-argument", message: "the answer could not be handed over", status: 1)
        }
        return reading
    }
}
