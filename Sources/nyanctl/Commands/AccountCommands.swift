import NyanCore
import NyanDBus
import NyanWire

/// `login`, `logout`, `whoami`.
@MainActor enum AccountCommands {
    static func login(_ invocation: Invocation) throws(Ending) {
        let ways = ["--token", "--cookies", "--url", "--password"].filter(invocation.has)
        guard ways.count < 2 else {
            throw .usage("\(ways.joined(separator: " and ")) are two ways to sign in: choose one", command: "login")
        }
        if invocation.has("--url") { return show(try PageLogins.byAddress(invocation), invocation) }
        if let user = invocation.options["--password"] {
            return show(try PageLogins.byPassword(invocation, user: user), invocation)
        }
        let isCookies = invocation.has("--cookies")
        guard isCookies || invocation.has("--token") else { return try ask(invocation) }
        let daemon = try Daemon(invocation)
        let secret =
            isCookies
            ? try SecretPrompt.descriptor(prompt: "Cookies, pasted (they are not shown): ", mayHaveLines: true)
            : try SecretPrompt.descriptor(prompt: "Token (it is not shown): ")
        let account = try PageLogins.conversing(daemon) { client throws(ClientFailure) in
            try client.account(
                "Login",
                [
                    .string((isCookies ? LoginWay.cookies : .token).rawValue), .unixFD(secret),
                    .string(invocation.options["--profile"] ?? ""),
                ])
        }
        show(account, invocation)
    }

    /// A person is asked for the way, a script is told that it must name one.
    private static func ask(_ invocation: Invocation) throws(Ending) {
        guard LoginConversation.isPossible, !invocation.asJSON else { throw LoginWays.explain(invocation) }
        show(try LoginConversation.run(invocation), invocation)
        for line in LoginTalk.Said.next { Terminal.complain(line) }
    }

    static func logout(_ invocation: Invocation) throws(Ending) {
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.account, "Logout", [], .network)
        }
    }

    static func whoami(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        let account = try daemon.ask { client throws(ClientFailure) in try client.account("WhoAmI") }
        show(account, invocation)
        PageLogins.warnOfEnd(daemon)
    }

    private static func show(_ account: Account, _ invocation: Invocation) {
        if invocation.asJSON {
            Terminal.print(JSONText.encode(AccountDocument(account)))
            return
        }
        let kinds = ["mp3": "plain MP3", "hls": "HLS", "none": "no sound for the first track"]
        let kind = account.locationKind.flatMap { kinds[$0] }.map { ", sound as \($0)" } ?? ""
        let (name, way) = (Terminal.printable(account.name), Terminal.printable(account.login))
        Terminal.say("\(name) (\(account.id)), \(account.tracks) tracks, signed in by \(way)\(kind)")
    }
}
