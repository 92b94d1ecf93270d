import NyanCore
import NyanDBus
import NyanWire

/// `status`: once, or one line per change.
@MainActor enum StatusCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        let format = try invocation.options["--format"].map { text throws(Ending) in try StatusFormat(text) }
        let daemon = try Daemon(invocation)
        guard invocation.has("--follow") else {
            let report = try daemon.ask { client throws(ClientFailure) in try client.status() }
            return show(report, format, invocation)
        }
        try Loop.attach(daemon, asJSON: invocation.asJSON)
        Loop.run(asJSON: invocation.asJSON) { () throws(Ending) in
            try await follow(daemon, format, invocation)
        }
    }

    /// Never ends by itself: a daemon that goes away is told in one line and waited for (CONTRACT.md "JSON").
    private static func follow(
        _ daemon: Daemon, _ format: StatusFormat?, _ invocation: Invocation
    ) async throws(Ending) -> Int32 {
        let follower = Follower()
        try follower.follow(daemon, status: true)
        for await event in follower.stream {
            switch event {
            case .status(let report): show(report, format, invocation)
            case .owner(.some):
                do throws(ClientFailure) {
                    let values = try await daemon.client.callLater(NyandInterfaces.player, "GetStatus")
                    if let report = values.first.flatMap(StatusReport.init) { show(report, format, invocation) }
                } catch {
                    // It went away again; the next owner event tells.
                }
            case .owner(nil): showAbsent(format, invocation)
            default: break
            }
        }
        return 0
    }

    private static func showAbsent(_ format: StatusFormat?, _ invocation: Invocation) {
        if invocation.asJSON {
            Terminal.print(JSONText.encode(["state": StatusReport.State.absent.rawValue]))
        } else {
            show(StatusReport(state: .absent), format, invocation)
        }
    }

    private static func show(_ report: StatusReport, _ format: StatusFormat?, _ invocation: Invocation) {
        if invocation.asJSON { return Terminal.print(JSONText.encode(StatusDocument(report))) }
        if let format { return Terminal.print(format.text(of: report)) }
        if invocation.has("--follow") { return Terminal.print(StatusText.line(report)) }
        Terminal.print(StatusText.block(report))
    }
}

/// A status in words.
@MainActor enum StatusText {
    /// `playing  Artist – Title  1:02/3:34`.
    static func line(_ report: StatusReport) -> String {
        guard let track = report.track else { return report.state.rawValue }
        return "\(report.state.rawValue)  \(TrackTable.name(track.track))  \(time(report))"
    }

    static func block(_ report: StatusReport) -> String {
        var lines = [line(report)]
        var facts: [String] = []
        if let position = report.queuePosition { facts.append("track \(position) of \(report.queueLength)") }
        facts.append("volume \(Int((report.volume * 100).rounded())) %")
        facts.append("shuffle \(report.shuffle ? "on" : "off")")
        facts.append("repeat \(report.repeatMode.rawValue)")
        if let buffered = report.buffered, buffered < 1 { facts.append("buffered \(Int(buffered * 100)) %") }
        lines.append(facts.joined(separator: ", "))
        var notes: [String] = []
        if !report.isSignedIn { notes.append("not signed in") }
        if report.isOfflineMode { notes.append("offline mode") } else if !report.isOnline { notes.append("no network") }
        if report.output == .missing { notes.append("no sound output: playing silently") }
        if report.output == .lost { notes.append("the sound output is gone") }
        if !notes.isEmpty { lines.append(notes.joined(separator: ", ")) }
        if let problem = report.problem { lines.append("problem: \(Terminal.printable(problem.message))") }
        return lines.joined(separator: "\n")
    }

    static func time(_ report: StatusReport) -> String {
        let position = TimeText.text(report.position)
        return report.duration.map { "\(position)/\(TimeText.text($0))" } ?? position
    }
}

/// `--format`: text with `{word}` places, for status bars.
struct StatusFormat {
    private enum Part { case text(String), place(String) }

    static let words = [
        "state", "artist", "title", "album", "id", "position", "duration", "percent", "volume", "shuffle", "repeat",
        "queue", "problem",
    ]

    private var parts: [Part] = []

    init(_ text: String) throws(Ending) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            parts.append(.text(String(rest[..<open])))
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw .usage("the format has a { without a }", command: "status")
            }
            let word = String(rest[rest.index(after: open)..<close])
            guard Self.words.contains(word) else {
                throw .usage(
                    "the format has no word {\(word)}; there are: \(Self.words.joined(separator: ", "))",
                    command: "status")
            }
            parts.append(.place(word))
            rest = rest[rest.index(after: close)...]
        }
        parts.append(.text(String(rest)))
    }

    @MainActor func text(of report: StatusReport) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .place(let word): Terminal.printable(value(word, report))
            }
        }.joined()
    }

    private func value(_ word: String, _ report: StatusReport) -> String {
        let track = report.track?.track
        switch word {
        case "state": return report.state.rawValue
        case "artist": return track?.artist ?? ""
        case "title": return track?.title ?? ""
        case "album": return track?.album ?? ""
        case "id": return track?.id.description ?? ""
        case "position": return TimeText.text(report.position)
        case "duration": return report.duration.map(TimeText.text) ?? ""
        case "percent":
            guard let duration = report.duration, duration > 0 else { return "0" }
            return "\(Int(report.position / duration * 100))"
        case "volume": return "\(Int((report.volume * 100).rounded()))"
        case "shuffle": return report.shuffle ? "on" : "off"
        case "repeat": return report.repeatMode.rawValue
        case "queue": return report.queuePosition.map { "\($0)/\(report.queueLength)" } ?? ""
        default: return report.problem?.message ?? ""
        }
    }
}
