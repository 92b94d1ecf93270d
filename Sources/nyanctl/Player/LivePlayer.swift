import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// The live line: drawn again on changes and, while something plays, whenever it is another by itself: once a second.
/// Lives to the program's end.
@MainActor final class LivePlayer {
    /// Each fits into 80 columns.
    private static let help = [
        "space pause  n/p next, previous  ←/→ 10 seconds  0–9 place  +/- volume",
        "s shuffle  r repeat  l like  d download  q quit",
    ]

    private let daemon: Daemon
    private let follower: Follower
    private let wishes: PlayerWishes
    private var report = StatusReport(state: .absent)
    /// When `report.position` was true.
    private var asOf = SuspendingClock.now
    /// What the last key came to; until the next key.
    private var notice: String?
    /// How far a download is may be told there: nothing else was asked for since.
    private var showsProgress = false
    private var isAskingBuffer = false
    private var reader = KeyReader()
    private var sources: [any DispatchSourceProtocol] = []
    private let signals = TerminalSignals()
    private let outlet = FrameOutlet()
    private let clock = DispatchSource.makeTimerSource(queue: .main)

    init(_ daemon: Daemon) {
        self.daemon = daemon
        follower = Follower(daemon, .status)
        wishes = PlayerWishes(daemon, follower.yield)
    }

    /// Returns the exit status once a key or a signal says so. The terminal is given back at exit, however that comes.
    func run() async throws(Ending) -> Int32 {
        try follower.start()
        catchSignals()
        guard TerminalMode.take(farewell: "\u{1b}[?25h\n") else { throw .quietly(1) }
        for line in Self.help { Terminal.tell(DisplayText.cut(Words.said(line), to: (Terminal.columns ?? 80) - 1)) }
        outlet.show("\u{1b}[?25l")
        watchKeys()
        for await event in follower.stream {
            switch event {
            case .status(let fresh): take(fresh)
            case .absent: take(StatusReport(state: .absent))
            case .failed(let ending): throw ending
            case .key(.leave): return 0
            case .key(.suspend):
                // What SIGCONT brings is in `catchSignals`.
                TerminalMode.suspend()
                continue
            case .key(let key): press(key)
            case .sentence(let text): (notice, showsProgress) = (text, false)
            case .progress(let text): if showsProgress { notice = text }
            case .leave(let status): return status
            case .tick: askBuffer()
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
        showsProgress = key == .download
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
        case .part(let tenths): send("SeekToFraction", .double(Double(tenths) / 10))
        case .like: if let track = report.track?.track { wishes.like(track) }
        case .download: if let track = report.track?.track { wishes.download(track) }
        case .suspend, .leave: break
        }
    }

    /// Does not wait: the line itself shows what came of it, and a refusal is told.
    private func send(_ member: String, _ arguments: BusValue...) {
        let yield = follower.yield
        daemon.client.begin(NyandInterfaces.player, member, arguments) { outcome in
            switch outcome {
            case .failure(.refused(let failure)): yield(.sentence(failure.message))
            case .failure(.silent): yield(.sentence("nyand did not answer in time"))
            default: break
            }
        }
    }

    /// A percent more of the buffer is told to nobody; while it grows and the line is drawn anyway, it is asked for.
    private func askBuffer() {
        guard let buffered = report.buffered, buffered < 1, !isAskingBuffer else { return }
        isAskingBuffer = true
        let yield = follower.yield
        daemon.client.begin(NyandInterfaces.player, "GetStatus", autoStart: false) { [weak self] outcome in
            self?.isAskingBuffer = false
            guard case .success(let values) = outcome, let fresh = values.first.flatMap(StatusReport.init) else {
                return
            }
            yield(.status(fresh))
        }
    }

    /// The cursor stays at the line's beginning: wherever a terminal that changed its width has wrapped the line, all of
    /// it is below.
    private func draw() {
        let columns = (Terminal.columns ?? 80) - 1
        let line = PlayerLine(report, columns: columns, notice: notice)
        let position = position
        // No wrapping meanwhile: terminals differ in how wide some signs are. Each frame hides the cursor, which others may
        // have shown meanwhile.
        outlet.show("\u{1b}[?25l\u{1b}[?7l\r\u{1b}[J" + line.text(position: position) + "\r\u{1b}[?7h")
        let waitsForBuffer = report.state == .buffering ? 1.0 : nil
        // While nothing moves there is nothing to wake up for. A little late, so that the second is over.
        let pause = (line.pause(at: position) ?? waitsForBuffer).map { DispatchTime.now() + $0 + 0.002 }
        clock.schedule(deadline: pause ?? .distantFuture, leeway: .milliseconds(20))
    }

    private var position: Double {
        guard report.state == .playing else { return report.position }
        let now = report.position + asOf.duration(to: .now) / .seconds(1)
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

    /// Every signal that would end or stop the program does it by the way that gives the terminal back.
    private func catchSignals() {
        let yield = follower.yield
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number, SIG_IGN)
            signals.on(number) { yield(.leave(128 + number)) }
        }
        signal(SIGTSTP, SIG_IGN)
        signals.on(SIGTSTP) { yield(.key(.suspend)) }
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
        // The terminal is gone, which may be noticed before its signal is.
        guard count > 0 else { return follower.yield(.leave(128 + SIGHUP)) }
        for key in reader.keys(buffer[..<count]) { follower.yield(.key(key)) }
    }
}
