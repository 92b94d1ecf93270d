import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// `scrobble`: how it stands, signing in and out. Keys go from standard input to the daemon through a pipe.
@MainActor enum ScrobbleCommand {
    /// So often, and so many times, the daemon is asked whether consent was given: ten minutes.
    private static let pause: UInt32 = 4
    private static let tries = 150

    static func run(_ invocation: Invocation) throws(Ending) {
        let words = invocation.words
        guard let verb = words.first else { return try status(invocation) }
        guard words.count == 2, let site = ScrobbleSite(rawValue: words[1]), verb == "login" || verb == "logout" else {
            throw .usage("it is `login` or `logout`, and then listenbrainz or lastfm", command: "scrobble")
        }
        if invocation.has("--finish"), verb != "login" || site != .lastfm {
            throw .usage("--finish belongs to `login lastfm`", command: "scrobble")
        }
        if verb == "logout" { return try logOut(site, invocation) }
        switch site {
        case .listenbrainz: try logInWithToken(invocation)
        case .lastfm: try invocation.has("--finish") ? finish(invocation) : begin(invocation)
        }
    }

    private static func status(_ invocation: Invocation) throws(Ending) {
        let answer = try call("Status", [], invocation, .quick)
        guard let reports = answer.first.flatMap(ScrobbleCoding.reports) else {
            throw Daemon.ending(.misunderstood("Status"))
        }
        if invocation.asJSON {
            let documents = ScrobbleSite.allCases.map { site in
                ScrobbleDocument(site, reports.first { $0.site == site })
            }
            return Terminal.print(JSONText.encode(documents))
        }
        if reports.isEmpty {
            return Terminal.complain(
                "nothing is scrobbled: `nyanctl scrobble login listenbrainz` or `… login lastfm` begins it")
        }
        for report in reports {
            Terminal.print(ScrobbleText.row(report, name: Terminal.printable))
            for line in ScrobbleText.notes(report) { Terminal.complain(Terminal.printableMessage(line)) }
        }
    }

    private static func logInWithToken(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        let token = try SecretPrompt.descriptor(
            prompt: "Token from listenbrainz.org/settings (it is not shown): ")
        welcome(.listenbrainz, try name(of: try ask(daemon, "Login", [.unixFD(token)])), invocation)
    }

    private static func begin(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        let isTyped = Terminal.inputIsTerminal
        let keys: OwnedFD
        if isTyped {
            Terminal.complain("Last.fm wants an API account of your own: https://www.last.fm/api/account/create")
            let lines = try [
                SecretPrompt.text(prompt: "API key (it is not shown): "),
                SecretPrompt.text(prompt: "Shared secret (it is not shown): "),
            ]
            keys = try SecretPrompt.descriptor(holding: lines.joined(separator: "\n"))
        } else {
            keys = try SecretPrompt.descriptor(prompt: "")
        }
        let answer = try ask(daemon, "Begin", [.unixFD(keys)])
        guard let page = answer.first?.unixFD.flatMap(DescriptorText.read) else {
            throw Daemon.ending(.misunderstood("Begin"))
        }
        if invocation.asJSON { return Terminal.print(JSONText.encode(["page": page])) }
        Terminal.complain("Open this page in a browser and allow it:\n\(Terminal.printableMessage(page))")
        guard isTyped else {
            return Terminal.complain("then: nyanctl scrobble login lastfm --finish")
        }
        Terminal.complain("waiting until it is allowed (Ctrl-C: later, with `nyanctl scrobble login lastfm --finish`)")
        for _ in 0..<tries {
            sleep(pause)
            do throws(Ending) {
                return try finish(invocation)
            } catch .failed(Failure.Code.challengeNeeded.rawValue, _, _) {
                continue
            }
        }
        try finish(invocation)
    }

    private static func finish(_ invocation: Invocation) throws(Ending) {
        welcome(.lastfm, try name(of: try call("Finish", [], invocation, .network)), invocation)
    }

    private static func logOut(_ site: ScrobbleSite, _ invocation: Invocation) throws(Ending) {
        let answer = try call("Logout", [.string(site.rawValue)], invocation, .network)
        guard let lost = answer.first?.integer else { throw Daemon.ending(.misunderstood("Logout")) }
        if invocation.asJSON { return Terminal.print(JSONText.encode(["lost": lost])) }
        let words = lost > 0 ? "; \(ScrobbleText.listens(lost)) will not be sent" : ""
        Terminal.complain("nothing goes to \(site.title) any more\(words)")
    }

    private static func welcome(_ site: ScrobbleSite, _ name: String, _ invocation: Invocation) {
        if invocation.asJSON { return Terminal.print(JSONText.encode(["name": name, "site": site.rawValue])) }
        Terminal.print("\(site.title): \(Terminal.printable(name))")
    }

    private static func name(of answer: [BusValue]) throws(Ending) -> String {
        guard let name = answer.first?.string else { throw Daemon.ending(.misunderstood("Login")) }
        return name
    }

    private static func call(
        _ member: String, _ arguments: [BusValue], _ invocation: Invocation, _ patience: NyanClient.Patience
    ) throws(Ending) -> [BusValue] {
        try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.scrobble, member, arguments, patience)
        }
    }

    private static func ask(_ daemon: Daemon, _ member: String, _ arguments: [BusValue]) throws(Ending) -> [BusValue] {
        try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.scrobble, member, arguments, .network)
        }
    }
}

/// The text in a pipe whose other end is closed already.
enum DescriptorText {
    static func read(_ descriptor: OwnedFD) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 65_536 {
            let count = Glibc.read(descriptor.descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
        return nil
    }
}
