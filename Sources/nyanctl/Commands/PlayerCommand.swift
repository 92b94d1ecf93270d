import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// `player`: one live line with a progress bar, and keys. Without a terminal it prints the status line and ends.
@MainActor enum PlayerCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        let report = try daemon.ask { client throws(ClientFailure) in try client.status() }
        guard Terminal.outputIsTerminal, isatty(0) == 1, !invocation.asJSON else {
            return try StatusCommand.run(invocation)
        }
        try Loop.attach(daemon, asJSON: false)
        Loop.run(asJSON: false) { () throws(Ending) in
            let screen = LivePlayer(daemon, report)
            return try await screen.run()
        }
    }
}

/// The live line: redrawn on changes and, while something plays, four times a second.
@MainActor final class LivePlayer {
    private let daemon: Daemon
    private var report: StatusReport
    /// When `report.position` was true.
    private var asOf = SuspendingClock.now
    private let follower = Follower()
    private var before = termios()
    private var sources: [any DispatchSourceProtocol] = []

    init(_ daemon: Daemon, _ report: StatusReport) {
        self.daemon = daemon
        self.report = report
    }

    func run() async throws(Ending) -> Int32 {
        try follower.follow(daemon, status: true)
        takeTerminal()
        defer { giveTerminalBack() }
        Terminal.complain("space pause   n/p next, previous   ←/→ 10 s   ↑/↓ volume   s shuffle   r repeat   q leave")
        draw()
        for await event in follower.stream {
            switch event {
            case .status(let fresh): take(fresh)
            case .owner(nil): take(StatusReport(state: .absent))
            case .owner(.some): await refresh()
            case .key(let key): if await pressed(key) { return 0 }
            default: break
            }
            draw()
        }
        return 0
    }

    private func take(_ fresh: StatusReport) {
        report = fresh
        asOf = .now
    }

    private func refresh() async {
        // A daemon that is just going away answers nothing; the owner event says so.
        guard let values = try? await daemon.client.callLater(NyandInterfaces.player, "GetStatus"),
            let fresh = values.first.flatMap(StatusReport.init)
        else { return }
        take(fresh)
    }

    /// true = leave.
    private func pressed(_ key: UInt8) async -> Bool {
        switch key {
        case UInt8(ascii: "q"), 3, 4: return true
        case UInt8(ascii: " "): await send("Toggle")
        case UInt8(ascii: "n"): await send("Next")
        case UInt8(ascii: "p"): await send("Previous")
        case UInt8(ascii: "s"): await send("SetShuffle", .bool(!report.shuffle))
        case UInt8(ascii: "r"):
            let modes = RepeatMode.allCases
            let next = ((modes.firstIndex(of: report.repeatMode) ?? 0) + 1) % modes.count
            await send("SetRepeat", .string(modes[next].rawValue))
        // The last byte of an arrow key's sequence; see `readKeys`.
        case 128: await send("ChangeVolume", .double(0.05))
        case 129: await send("ChangeVolume", .double(-0.05))
        case 130: await send("SeekBy", .int64(10_000_000))
        case 131: await send("SeekBy", .int64(-10_000_000))
        default: break
        }
        return false
    }

    private func send(_ member: String, _ arguments: BusValue...) async {
        // The line itself shows what came of it.
        _ = try? await daemon.client.callLater(NyandInterfaces.player, member, arguments)
    }

    private func draw() {
        let columns = (Terminal.columns ?? 80) - 1
        Terminal.show("\r\u{1b}[K" + PlayerLine.text(report, position: position, columns: columns))
    }

    private var position: Double {
        guard report.state == .playing else { return report.position }
        let (seconds, attoseconds) = asOf.duration(to: .now).components
        let now = report.position + Double(seconds) + Double(attoseconds) / 1e18
        return min(now, report.duration ?? now)
    }

    /// Keys one by one and unseen, the cursor hidden, a tick for the clock.
    private func takeTerminal() {
        tcgetattr(0, &before)
        var raw = before
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(0, TCSANOW, &raw)
        Terminal.show("\u{1b}[?25l")
        let keys = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        keys.setEventHandler { [weak self] in self?.readKeys() }
        let clock = DispatchSource.makeTimerSource(queue: .main)
        clock.schedule(deadline: .now() + 0.25, repeating: 0.25, leeway: .milliseconds(50))
        clock.setEventHandler { [weak self] in
            guard let self, report.state == .playing else { return }
            follower.yield(.tick)
        }
        let resize = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .main)
        resize.setEventHandler { [weak self] in self?.follower.yield(.resized) }
        sources = [keys, clock, resize]
        for number in [SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let end = DispatchSource.makeSignalSource(signal: number, queue: .main)
            end.setEventHandler { [weak self] in self?.follower.yield(.key(UInt8(ascii: "q"))) }
            sources.append(end)
        }
        for source in sources { source.activate() }
    }

    private func giveTerminalBack() {
        for source in sources { source.cancel() }
        Terminal.show("\u{1b}[?25h\n")
        tcsetattr(0, TCSANOW, &before)
    }

    private func readKeys() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(0, &buffer, buffer.count)
        // The terminal is gone.
        guard count > 0 else { return follower.yield(.key(4)) }
        var rest = buffer[..<count]
        while let byte = rest.popFirst() {
            if byte == 27, rest.first == UInt8(ascii: "["), let last = rest.dropFirst().first {
                rest = rest.dropFirst(2)
                if (65...68).contains(last) { follower.yield(.key(last - 65 + 128)) }
            } else {
                follower.yield(.key(byte))
            }
        }
    }
}

/// The line itself: `▶ Artist – Title  1:02 ━━━━────── 3:34  80 %`.
@MainActor enum PlayerLine {
    static func text(_ report: StatusReport, position: Double, columns: Int) -> String {
        guard report.state != .absent else { return "nyand is not running; waiting for it" }
        var tail = "  \(Int((report.volume * 100).rounded())) %"
        if report.shuffle { tail += " shuffle" }
        if report.repeatMode != .off { tail += " repeat \(report.repeatMode.rawValue)" }
        if report.output != .ok { tail += report.output == .missing ? " (silent)" : " (no output)" }
        if let problem = report.problem, report.state != .playing { tail += "  \(Terminal.printable(problem.message))" }
        guard let track = report.track else { return DisplayText.cut("\(icon(report.state)) nothing queued\(tail)", to: columns) }
        let times = (TimeText.text(position), report.duration.map(TimeText.text) ?? "–:––")
        let name = TrackTable.name(track.track)
        let fixed = 2 + 2 + times.0.count + 1 + 1 + times.1.count + DisplayText.width(tail)
        let room = columns - fixed
        let bar = max(8, min(30, room / 3))
        let cut = DisplayText.cut(name, to: max(8, room - bar))
        let part = report.duration.map { $0 > 0 ? position / $0 : 0 } ?? 0
        let line = "\(icon(report.state)) \(cut)  \(times.0) \(ProgressBar.text(part, width: bar)) \(times.1)\(tail)"
        return DisplayText.cut(line, to: columns)
    }

    private static func icon(_ state: StatusReport.State) -> String {
        switch state {
        case .playing: "▶"
        case .paused: "‖"
        case .buffering: "…"
        case .stopped, .absent: "■"
        }
    }
}
