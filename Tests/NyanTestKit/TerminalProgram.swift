import Dispatch
public import Glibc

/// A program on a pseudo-terminal of its own, which controls it as a person's does: keys are typed, what it writes is
/// read, the window changes its size, the line is hung up. Killed with the last reference.
///
/// A shell is wanted where a test stops the program (Ctrl-Z): the kernel stops no program that nobody could let go on.
public final class TerminalProgram {
    /// Where one of the three standard streams leads.
    public enum Place: Sendable {
        case terminal, null
        /// Written anew; as standard input, read.
        case file(String)
    }

    /// The part of a terminal's settings that programs change.
    public struct Settings: Equatable, Sendable {
        let input, output, control, local: tcflag_t
        let characters: [cc_t]
        /// What is typed is shown, lines are edited, Ctrl-C is a signal.
        public var echoes: Bool { local & tcflag_t(ECHO) != 0 }
        public var editsLines: Bool { local & tcflag_t(ICANON) != 0 }
        public var makesSignals: Bool { local & tcflag_t(ISIG) != 0 }
    }

    /// What did not come, or not in time, and what was there instead.
    public struct Late: Error, CustomStringConvertible {
        public let description: String
    }

    public let processID: pid_t
    /// The settings before the program began.
    public let original: Settings
    /// `/dev/pts/N`.
    public let path: String
    /// All it wrote so far. Line ends are `\r\n`, as the terminal makes them.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
    /// A place in the output: what comes from now on is behind it.
    public var mark: Int { bytes.count }
    /// Nobody has the terminal open any more.
    public private(set) var isOver = false

    private var bytes: [UInt8] = []
    private let master: Int32
    private var line: TerminalLine?
    private var isReading = true
    private var isHungUp = false
    private let ended: Task<Int32, Never>
    private var waiting: [Int: (isSo: () -> Bool, go: CheckedContinuation<Void, Never>)] = [:]
    private var waits = 0

    public init(
        _ words: [String], environment: [String: String], columns: Int = 80, rows: Int = 24,
        input: Place = .terminal, output: Place = .terminal, errors: Place = .terminal
    ) throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, Self.lock, &locked) == 0, ioctl(master, Self.name, &number) == 0 else {
            throw Program.Trouble(what: "pseudo-terminal", code: errno)
        }
        self.master = master
        path = "/dev/pts/\(number)"
        Self.setSize(of: master, columns, rows)
        original = try Self.settings(of: path)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        do {
            processID = try Self.spawn(words, environment, path, [input, output, errors])
        } catch {
            close(master)
            throw error
        }
        let child = processID
        ended = Task.detached {
            await withCheckedContinuation { done in
                DispatchQueue.global().async { done.resume(returning: Program.reap(child)) }
            }
        }
        line = try TerminalLine(master) { [weak self] bytes in self?.take(bytes) }
    }

    isolated deinit {
        Glibc.kill(processID, SIGKILL)
        hangUp()
    }

    /// Types the text; `"\r"` is Enter, `"\u{3}"` Ctrl-C.
    public func type(_ text: String) {
        guard !isHungUp else { return }
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// The window gets another size; the kernel tells the program (SIGWINCH).
    public func resize(columns: Int, rows: Int) {
        guard !isHungUp else { return }
        Self.setSize(of: master, columns, rows)
    }

    /// The window is closed: the program gets SIGHUP, and can neither read nor write any more.
    public func hangUp() {
        guard !isHungUp else { return }
        isHungUp = true
        line?.hangUp()
    }

    /// The person looks away and the terminal reads nothing (Ctrl-S, a slow line): soon writing blocks.
    public func stopReading() {
        guard isReading, !isHungUp else { return }
        isReading = false
        line?.pause(true)
    }

    public func readOn() {
        guard !isReading, !isHungUp else { return }
        isReading = true
        line?.pause(false)
    }

    public func send(_ signal: Int32) { Glibc.kill(processID, signal) }

    /// What it wrote behind a `mark`.
    public func output(since mark: Int) -> String { String(decoding: bytes.dropFirst(mark), as: UTF8.self) }

    /// The terminal's settings now, also after the program's end.
    public var settings: Settings {
        get throws { try Self.settings(of: path) }
    }

    /// The settings are what they were before the program began.
    public var isRestored: Bool { (try? settings) == original }

    /// Waits until it has written this behind `mark`; gives all that is behind it.
    @discardableResult
    public func until(contains text: String, since mark: Int = 0, within seconds: Double = 20) async throws -> String {
        try await until("“\(text)”", since: mark, within: seconds) { $0.contains(text) }
    }

    /// Waits until what it has written behind `mark` is as wanted; gives it.
    @discardableResult
    public func until(
        _ what: String, since mark: Int = 0, within seconds: Double = 20, _ isSo: @escaping (String) -> Bool
    ) async throws -> String {
        await wait(seconds) { self.isOver || isSo(self.output(since: mark)) }
        let written = output(since: mark)
        guard isSo(written) else {
            throw Late(
                description:
                    "\(what): \(isOver ? "the program ended with" : "late, there is") \(written.debugDescription)")
        }
        return written
    }

    /// Waits for its end; the exit status, or 128 + the signal's number. Killed where it does not end in time.
    public func status(within seconds: Double = 20) async -> Int32 {
        let child = processID
        let late = DispatchWorkItem { Glibc.kill(child, SIGKILL) }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: late)
        defer { late.cancel() }
        return await ended.value
    }

    /// Waits for its end and for the last of what it wrote.
    public func outcome(within seconds: Double = 20) async -> (status: Int32, output: String) {
        let status = await status(within: seconds)
        await wait(5) { self.isOver || self.isHungUp }
        return (status, output)
    }

    private func wait(_ seconds: Double, _ isSo: @escaping () -> Bool) async {
        guard !isSo() else { return }
        let number = waits
        waits += 1
        await withCheckedContinuation { go in
            waiting[number] = (isSo, go)
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.go(number) }
        }
    }

    private func go(_ number: Int) { waiting.removeValue(forKey: number)?.go.resume() }

    private func take(_ heard: [UInt8]?) {
        if let heard { bytes += heard } else { isOver = true }
        for (number, wait) in waiting where wait.isSo() { go(number) }
    }

    /// TIOCSPTLCK and TIOCGPTN. Glibc's module shows neither them nor `posix_openpt` and its kin.
    private static let (lock, name): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    private static func setSize(of master: Int32, _ columns: Int, _ rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    private static func settings(of path: String) throws -> Settings {
        let terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        var now = termios()
        guard tcgetattr(terminal, &now) == 0 else { throw Program.Trouble(what: path, code: errno) }
        return Settings(
            input: now.c_iflag, output: now.c_oflag, control: now.c_cflag, local: now.c_lflag,
            characters: withUnsafeBytes(of: now.c_cc) { Array($0) })
    }

    /// In a session of its own: the first terminal that its leader opens becomes the one that controls it.
    private static func spawn(
        _ words: [String], _ environment: [String: String], _ terminal: String, _ places: [Place]
    ) throws -> pid_t {
        // A test's own program may ignore some.
        let usual = [SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT]
        return try Spawning.start(words, environment: environment, isLeader: true, usual: usual) { actions in
            for (stream, place) in places.enumerated() {
                let stream = Int32(stream)
                let writes = O_WRONLY | O_CREAT | O_TRUNC
                switch place {
                case .terminal: posix_spawn_file_actions_addopen(&actions, stream, terminal, O_RDWR, 0)
                case .null: posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
                case .file(let path):
                    posix_spawn_file_actions_addopen(&actions, stream, path, stream == 0 ? O_RDONLY : writes, 0o600)
                }
            }
        }
    }
}
