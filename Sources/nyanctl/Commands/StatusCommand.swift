import NyanCore
import NyanDBus
import NyanWire

/// `status`: once, or one line per change, and with `--every` also while the clock runs.
@MainActor enum StatusCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        let format = try invocation.options["--format"].map { text throws(Ending) in try StatusFormat(text) }
        if format != nil, invocation.asJSON {
            throw .usage("--format and --json exclude each other", command: "status")
        }
        let interval = try interval(invocation)
        let daemon = try Daemon(invocation)
        guard invocation.has("--follow") else {
            let report = try daemon.ask { client throws(ClientFailure) in try client.status() }
            if !invocation.asJSON, format == nil {
                Terminal.print(StatusText.block(report))
                Hints.look(at: report)
                if Hints.isWanted(invocation) { VersionLook.hint(report.version) }
                return
            }
            return Terminal.print(line(report, format, invocation))
        }
        try Loop.run(daemon, asJSON: invocation.asJSON) { () throws(Ending) in
            try await follow(daemon, format, every: interval, invocation)
        }
    }

    /// Never ends by itself: a daemon that goes away is told in one line and waited for (CONTRACT.md "JSON").
    private static func follow(
        _ daemon: Daemon, _ format: StatusFormat?, every interval: Int?, _ invocation: Invocation
    ) async throws(Ending) -> Int32 {
        let follower = Follower(daemon, .status)
        let yield = follower.yield
        let ticker = interval.map { StatusTicker(every: $0) { yield(.tick) } }
        let outlet = LineOutlet(keepsLittle: true)
        var told: String?
        func tell(_ line: String) {
            // What a format does not show has not changed for its reader.
            if format == nil || line != told { outlet.print(line) }
            told = line
        }
        try follower.start()
        var saidAnything = false
        for await event in follower.stream {
            switch event {
            case .status(let report):
                ticker?.take(report)
                tell(line(report, format, invocation))
            case .tick: if let now = ticker?.current() { tell(line(now, format, invocation)) }
            case .absent:
                ticker?.take(nil)
                tell(absentLine(format, invocation))
            case .failed(let ending) where !saidAnything: throw ending
            default: continue
            }
            saidAnything = true
        }
        return 0
    }

    private static func interval(_ invocation: Invocation) throws(Ending) -> Int? {
        guard let text = invocation.options["--every"] else { return nil }
        guard invocation.has("--follow"), let seconds = NumberText.whole(text), (1...3600).contains(seconds) else {
            throw .usage("--every needs --follow and a number of seconds from 1 to 3600", command: "status")
        }
        return seconds
    }

    private static func absentLine(_ format: StatusFormat?, _ invocation: Invocation) -> String {
        let state = StatusReport.State.absent
        // Exactly this one key: there is nothing else to say (CONTRACT.md "JSON").
        return invocation.asJSON
            ? JSONText.encode(["state": state.rawValue]) : line(StatusReport(state: state), format, invocation)
    }

    private static func line(_ report: StatusReport, _ format: StatusFormat?, _ invocation: Invocation) -> String {
        if invocation.asJSON { return JSONText.encode(StatusDocument(report)) }
        return format?.text(of: report) ?? StatusText.line(report, columns: Terminal.columns)
    }
}
