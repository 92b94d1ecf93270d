import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// `login`, `logout`, `whoami`.
@MainActor enum AccountCommands {
    static func login(_ invocation: Invocation) throws(Ending) {
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
        let account = try Daemon(invocation).ask { client throws(ClientFailure) in try client.account("WhoAmI") }
        show(account, invocation)
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

/// CONTRACT.md's `whoami`.
struct AccountDocument: Encodable {
    var id: Int64
    var name: String
    var tracks: Int
    var login: String

    init(_ account: Account) {
        id = account.id
        name = account.name
        tracks = account.tracks
        login = account.login
    }
}

/// Takes a secret from standard input to the daemon, through a pipe: never argv, never a message.
enum SecretPrompt {
    /// Standard input itself where it is a pipe or a file; on a terminal a prompt without echo.
    static func descriptor(prompt: String) throws(Ending) -> OwnedFD {
        guard isatty(0) == 1 else {
            guard let input = OwnedFD(duplicating: 0) else { throw unreadable }
            return input
        }
        Terminal.complain(prompt)
        let text = try typed()
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw unreadable }
        let reading = OwnedFD(owning: ends[0])
        defer { close(ends[1]) }
        // A pipe holds 64 KiB, more than any secret: this does not wait for the reader.
        let count = text.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        guard count == text.count else { throw unreadable }
        return reading
    }

    private static let unreadable = Ending.failed(
        code: "bad-argument", message: "the secret could not be read from standard input", status: 1)

    /// Reads one line without echo and not in canonical mode, which would cut it at 4095 bytes (vk-api.md §1.11).
    private static func typed() throws(Ending) -> [UInt8] {
        var before = termios()
        guard tcgetattr(0, &before) == 0 else { throw unreadable }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(0, TCSAFLUSH, &quiet)
        defer { tcsetattr(0, TCSAFLUSH, &before) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1, byte != 10, byte != 13, byte != 4 {
            if byte == 127 || byte == 8 { _ = line.popLast() } else { line.append(byte) }
            guard line.count < 60_000 else { throw unreadable }
        }
        // A terminal in bracketed-paste mode puts marks around what was pasted.
        let marks: [[UInt8]] = [Array("\u{1b}[200~".utf8), Array("\u{1b}[201~".utf8)]
        if line.starts(with: marks[0]) { line.removeFirst(marks[0].count) }
        if line.count >= 6, Array(line.suffix(6)) == marks[1] { line.removeLast(6) }
        return line
    }
}
