import Glibc
import NyanCore
import NyanDBus
import Synchronization

/// Takes a secret from standard input to the daemon, through a pipe: never argv, never a message.
enum SecretPrompt {
    /// Standard input itself where it is a pipe or a file; on a terminal a prompt without echo.
    /// `mayHaveLines`: what is pasted may be several lines; the secret ends at an Enter after which nothing more comes.
    static func descriptor(prompt: String, mayHaveLines: Bool = false) throws(Ending) -> OwnedFD {
        // It passes through this process: no core dump of it either.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        guard Terminal.inputIsTerminal else {
            guard let input = OwnedFD(duplicating: 0) else { throw unreadable }
            return input
        }
        let text = try typed(prompt, mayHaveLines)
        guard !text.isEmpty else {
            throw .failed(code: Failure.Code.badArgument.rawValue, message: "nothing was typed", status: 2)
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw unreadable }
        let reading = OwnedFD(owning: ends[0])
        defer { close(ends[1]) }
        // A pipe holds 64 KiB, more than any secret: this does not wait for the reader.
        let count = text.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        guard count == text.count else { throw unreadable }
        return reading
    }

    /// A secret typed on the terminal, without echo: for those that go to the daemon together.
    static func text(prompt: String, mayHaveLines: Bool = false) throws(Ending) -> String {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        return String(decoding: try typed(prompt, mayHaveLines), as: UTF8.self)
    }

    private static let unreadable = Ending.failed(
        code: "bad-argument", message: "the secret could not be read from standard input", status: 1)

    /// Reads one line without echo and not in canonical mode, which would cut it at 4095 bytes (vk-api.md §1.11).
    private static func typed(_ prompt: String, _ mayHaveLines: Bool) throws(Ending) -> [UInt8] {
        let signals = HeldSignals()
        guard TerminalMode.take() else {
            signals.letGo()
            throw unreadable
        }
        defer {
            TerminalMode.giveBack()
            signals.letGo()
            // The Enter key was not echoed either.
            Terminal.prompt("\n")
        }
        Terminal.prompt(prompt)
        var line = SecretLine()
        var byte: UInt8 = 0
        while true {
            if let signal = signals.untilInput() { throw .quietly(128 + signal) }
            guard read(0, &byte, 1) == 1 else { throw .quietly(130) }
            switch line.take(byte) {
            case .more: continue
            case .whole where mayHaveLines && byte != 4 && isMoreComing: line.goOn()
            case .whole: return line.text
            case .given(let up): throw up ? .quietly(130) : unreadable
            }
        }
    }

    /// Whether the terminal has more to give at once: a person's Enter is followed by nothing, a paste's line end by the
    /// next line.
    private static var isMoreComing: Bool {
        var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 100) > 0
    }
}

/// Signals that would end the program with the echo switched off, held back while a secret is typed: they come through only
/// where it waits for input. One that came between two keys would else be lost, and the next read would wait on.
nonisolated struct HeldSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// The last one that came; 0 = none. A handler may touch nothing else.
    private static let caught = Atomic<Int32>(0)
    private var usual = sigset_t()

    init() {
        Self.caught.store(0, ordering: .relaxed)
        var held = sigset_t()
        sigemptyset(&held)
        for number in Self.numbers { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &usual)
        Self.handle { @Sendable number in HeldSignals.caught.store(number, ordering: .relaxed) }
    }

    /// Waits until there is something to read; the signal that came before that.
    func untilInput() -> Int32? {
        var mask = usual
        var input = fd_set()
        input.__fds_bits.0 = 1
        let count = pselect(1, &input, nil, nil, nil, &mask)
        let signal = Self.caught.load(ordering: .relaxed)
        return count < 0 && signal > 0 ? signal : nil
    }

    /// The prompt is over: signals end the program again, while it waits for the daemon.
    func letGo() {
        Self.handle(SIG_DFL)
        var mask = usual
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    private static func handle(_ handler: __sighandler_t?) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        for number in numbers { sigaction(number, &action, nil) }
    }
}

/// A line being typed, byte by byte. A value.
struct SecretLine {
    enum Step: Equatable {
        case more, whole
        /// Ended without a line: given up by the person, or too long.
        case given(up: Bool)
    }

    private var bytes: [UInt8] = []

    /// No secret is nearly that long.
    static let limit = 60_000

    /// The line end was one inside of what was pasted.
    mutating func goOn() { bytes.append(UInt8(ascii: "\n")) }

    mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        // Ctrl-D before anything was typed is the end, not an empty secret.
        case 4 where bytes.isEmpty: return .given(up: true)
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 4: return .whole
        // Ctrl-C and Ctrl-\ come as bytes while the terminal is ours.
        case 3, 0x1C: return .given(up: true)
        case 8, 0x7F: _ = bytes.popLast()
        // Ctrl-U
        case 0x15: bytes = []
        default: bytes.append(byte)
        }
        return bytes.count > Self.limit ? .given(up: false) : .more
    }

    /// What was typed, without the marks that a terminal in bracketed-paste mode puts around what was pasted.
    var text: [UInt8] {
        let (opening, closing) = (Array("\u{1b}[200~".utf8), Array("\u{1b}[201~".utf8))
        var text = bytes[...]
        if text.starts(with: opening) { text = text.dropFirst(opening.count) }
        if text.suffix(closing.count).elementsEqual(closing) { text = text.dropLast(closing.count) }
        return Array(text)
    }
}
