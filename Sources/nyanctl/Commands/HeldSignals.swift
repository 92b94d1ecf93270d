import Glibc
import Synchronization

/// Signals that would end or stop the program with the echo switched off. While a line is typed they come through only where
/// it waits for input: one that came between two keys would else be lost, and the next read would wait on. Between two lines
/// those that end it do so at once, by the way that gives the terminal back. What was ignored before stays ignored (nohup).
nonisolated enum HeldSignals {
    /// What a wait for input ended with.
    enum Event: Equatable {
        case input
        /// The shell shall have the terminal.
        case stop
        /// The program goes on after a stop: others have had the terminal.
        case resumed
        case end(Int32)
    }

    private static let deadly = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// A bit for each signal that came. A handler may touch nothing but these two.
    private static let caught = Atomic<UInt64>(0)
    private static let isHolding = Atomic<Bool>(false)
    /// The mask that was there; nil = the handlers are not set yet.
    private static let usual = Mutex<sigset_t?>(nil)

    static func hold() {
        isHolding.store(true, ordering: .relaxed)
        var held = sigset_t()
        sigemptyset(&held)
        for number in deadly + [SIGTSTP, SIGCONT] { sigaddset(&held, number) }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &held, &before)
        caught.store(0, ordering: .relaxed)
        let isFirst = usual.withLock { usual in
            defer { usual = usual ?? before }
            return usual == nil
        }
        guard isFirst else { return }
        for number in deadly + [SIGTSTP, SIGCONT] where !isIgnored(number) {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { @Sendable number in HeldSignals.take(number) }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }

    /// The line is over: what would end the program ends it at once.
    static func rest() {
        isHolding.store(false, ordering: .relaxed)
        guard var mask = usual.withLock({ $0 }) else { return }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Waits until there is something to read, or a signal came before that.
    static func untilInput() -> Event {
        guard var mask = usual.withLock({ $0 }) else { return .input }
        while true {
            var input = fd_set()
            input.__fds_bits.0 = 1
            let count = pselect(1, &input, nil, nil, nil, &mask)
            let bits = caught.exchange(0, ordering: .relaxed)
            if let number = deadly.first(where: { bits & (1 << UInt64($0)) != 0 }) { return .end(number) }
            if bits & (1 << UInt64(SIGTSTP)) != 0 { return .stop }
            if bits & (1 << UInt64(SIGCONT)) != 0 { return .resumed }
            // Without a descriptor to read from there is nothing to wait for.
            if count > 0 || count < 0 && errno != EINTR { return .input }
        }
    }

    private static func take(_ number: Int32) {
        caught.bitwiseOr(1 << UInt64(number), ordering: .relaxed)
        guard !isHolding.load(ordering: .relaxed), number != SIGTSTP, number != SIGCONT else { return }
        TerminalMode.giveBackAtOnce()
        _exit(128 + number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // SIG_IGN is the number 1 (signal.h).
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

/// What is still to come of a paste after its reader has heard enough: none of it may reach the shell, which would run it.
nonisolated enum PasteRest {
    /// Milliseconds after which nothing more is taken to come. A slow line delivers a paste in pieces.
    static let silence: Int32 = 400
    /// More bytes at once are no key of a person's.
    static let leastPaste = 8

    /// Milliseconds of the clock at which a piece of a paste came last.
    private static let last = Atomic<Int64>(Int64.min / 2)

    /// So many bytes came at once.
    static func note(_ count: Int) {
        if count > leastPaste { last.store(now, ordering: .relaxed) }
    }

    /// A piece of a paste came a moment ago.
    static var mayGoOn: Bool { left > 0 }

    private static var left: Int32 {
        Int32(max(0, min(Int64(silence), last.load(ordering: .relaxed) + Int64(silence) - now)))
    }

    /// Whether the terminal has more to give within so many milliseconds.
    static func isComing(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&waiting, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Reads until nothing more comes. The echo must be off. May run in a signal's handler: takes no lock, no memory.
    static func drop() {
        var wait = left
        var byte: UInt8 = 0
        while isComing(within: wait), read(0, &byte, 1) == 1 { wait = silence }
        tcflush(0, TCIFLUSH)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
