import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// The live line: redrawn on changes and, while something plays, four times a second. Lives to the program's end.
@MainActor final class LivePlayer {
    private static let help = "space pause  n/p next/prev  ←/→ 10 s  ↑/↓ volume  s shuffle  r repeat  q quit"

    private let daemon: Daemon
    private let follower: Follower
    private var report = StatusReport(state: .absent)
    /// When `report.position` was true.
    private var asOf = SuspendingClock.now
    /// What the last key came to, where it was refused; until the next key.
    private var notice: String?
    private var reader = KeyReader()
    private var sources: [any DispatchSourceProtocol] = []
    private let signals = TerminalSignals()
    private let clock = DispatchSource.makeTimerSource(queue: .main)

    init(_ daemon: Daemon) {
        self.daemon = daemon
        follower = Follower(daemon, .status)
    }

    /// Returns the exit status once a key or a signal says so. The terminal is given back at exit, however that comes.
    func run() async throws(Ending) -> Int32 {
        try follower.start()
        catchSignals()
        guard TerminalMode.take(farewell: "\u{1b}[?25h\n") else { throw .quietly(1) }
        Terminal.tell(DisplayText.cut(Words.said(Self.help), to: (Terminal.columns ?? 80) - 1))
        Terminal.show("\u{1b}[?25l")
        watchKeys()
        for await event in follower.stream {
            switch event {
            case .status(let fresh): take(fresh)
            case .absent: take(StatusReport(state: .absent))
            case .failed(let ending): throw ending
            case .key(.leave): return 0
            case .key(let key): press(key)
            case .notice(let text): notice = text
            case .leave(let status): return status
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

    private func press(_ key: PlayerKey) {
        notice = nil
        switch key {
        case .toggle: send("Toggle")
        case .next: send("Next")
        case .previous: send("Previous")
        case .shuffle: send("SetShuffle", .bool(!report.shuffle))
        case .repeatMode:
            let modes = RepeatMode.allCases
            let next = ((modes.firstIndex(of: report.repeatMode) ?? 0) + 1) % modes.count
            send("SetRepeat", .string(modes[next].rawValue))
        case .louder: send("ChangeVolume", .double(0.05))
        case .quieter: send("ChangeVolume", .double(-0.05))
        case .forward: send("SeekBy", .int64(10_000_000))
        case .back: send("SeekBy", .int64(-10_000_000))
        case .leave: break
        }
    }

    /// Does not wait: the line itself shows what came of it, and a refusal is told.
    private func send(_ member: String, _ arguments: BusValue...) {
        let yield = follower.yield
        daemon.client.begin(NyandInterfaces.player, member, arguments) { outcome in
            if case .failure(.refused(let failure)) = outcome { yield(.notice(failure.message)) }
        }
    }

    private func draw() {
        let columns = (Terminal.columns ?? 80) - 1
        Terminal.show("\r\u{1b}[J" + PlayerLine.text(report, position: position, columns: columns, notice: notice))
        // While nothing moves there is nothing to wake up for.
        clock.schedule(deadline: report.state == .playing ? .now() + 0.25 : .distantFuture, leeway: .milliseconds(50))
    }

    private var position: Double {
        guard report.state == .playing else { return report.position }
        let (seconds, attoseconds) = asOf.duration(to: .now).components
        let now = report.position + Double(seconds) + Double(attoseconds) / 1e18
        return min(now, report.duration ?? now)
    }

    private func watchKeys() {
        let keys = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        keys.setEventHandler { self.readKeys() }
        let yield = follower.yield
        clock.setEventHandler { yield(.tick) }
        sources += [keys, clock]
        keys.activate()
        clock.activate()
    }

    /// Every signal that would end the program ends it by the way that gives the terminal back.
    private func catchSignals() {
        let yield = follower.yield
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number, SIG_IGN)
            signals.on(number) { yield(.leave(128 + number)) }
        }
        signals.on(SIGWINCH) { yield(.redraw) }
        // The shell has had the terminal while we were stopped.
        signals.on(SIGCONT) {
            TerminalMode.apply()
            yield(.redraw)
        }
    }

    private func readKeys() {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(0, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        // The terminal is gone.
        guard count > 0 else { return follower.yield(.leave(0)) }
        for key in reader.keys(buffer[..<count]) { follower.yield(.key(key)) }
    }
}
