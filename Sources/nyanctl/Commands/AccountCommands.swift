import NyanCore
import NyanDBus
import NyanWire

/// `login`, `logout`, `whoami`.
@MainActor enum AccountCommands {
    static func login(_ invocation: Invocation) throws(Ending) {
        if invocation.has("--url") { return show(try PageLogins.byAddress(invocation), invocation) }
        if let user = invocation.options["--password"] {
            return show(try PageLogins.byPassword(invocation, user: user), invocation)
        }
        guard invocation.has("--token") else {
            throw .usage(
                "say how to sign in: --token reads a token from standard input; it must come from a VK client that has "
                    + "music, and --profile names that client (web, android, marusia)", command: "login")
        }
        let daemon = try Daemon(invocation)
        let secret = try SecretPrompt.descriptor(prompt: "Token (it is not shown): ")
        let account = try daemon.ask { client throws(ClientFailure) in
            try client.account(
                "Login",
                [.string("token"), .unixFD(secret), .string(invocation.options["--profile"] ?? "")])
        }
        show(account, invocation)
    }

    static func logout(_ invocation: Invocation) throws(Ending) {
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.account, "Logout")
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
        let name = Terminal.printable(account.name)
        Terminal.print("\(name) (\(account.id)), \(account.tracks) tracks, signed in by \(account.login)\(kind)")
    }
}
