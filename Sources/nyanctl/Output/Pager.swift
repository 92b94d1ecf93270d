import Glibc
import NyanCore
import Synchronization

/// Long listings on a terminal go through the person's pager: `$NYANCTL_PAGER`, else `$PAGER`, else `less`; `--no-pager`,
/// an empty variable and `cat` mean none (docs/decisions/0037).
nonisolated enum Pager {
    private static let isOff = Atomic(false)
    /// The process of the pager while it runs, for the signal's handler.
    private static let child = Atomic<pid_t>(0)
    /// A file that lists what the shell between us and the pager has started (proc(5)); not there on some kernels.
    private static let grandchildren = Atomic<Int32>(-1)
    private static let wasTerminated = Atomic(false)

    /// `--no-pager`.
    static func turnOff() { isOff.store(true, ordering: .relaxed) }

    /// Writes lines of data, through a pager where a person is there who cannot see all of them at once.
    static func show(_ lines: [String]) {
        var text = ""
        text.reserveCapacity(lines.reduce(0) { $0 + $1.utf8.count + 1 })
        for line in lines {
            text += line
            text += "\n"
        }
        guard isWanted(lines), let command, page(text, through: command) else { return Terminal.show(text) }
    }

    private static func isWanted(_ lines: [String]) -> Bool {
        guard !isOff.load(ordering: .relaxed), Terminal.outputIsTerminal, Terminal.inputIsTerminal,
            let kind = Terminal.environment("TERM"), kind != "dumb"
        else { return false }
        // The prompt needs a row, too.
        return height(of: lines, columns: Terminal.columns ?? 80) >= Terminal.rows
    }

    /// Rows that lines take on a terminal that wraps them.
    static func height(of lines: [String], columns: Int) -> Int {
        lines.reduce(0) { $0 + max(1, (DisplayText.columns($1) + columns - 1) / max(1, columns)) }
    }

    /// What a shell is to run; nil = none.
    static func command(_ variable: (String) -> String?) -> String? {
        let wish = variable("NYANCTL_PAGER") ?? variable("PAGER")
        let command = wish ?? "less"
        guard command.contains(where: { !$0.isWhitespace }), command != "cat" else { return nil }
        return wish == nil && !isInPath(command, variable("PATH") ?? "/usr/bin:/bin") ? nil : command
    }

    private static var command: String? { command { name in getenv(name).map { String(cString: $0) } } }

    private static func isInPath(_ name: String, _ path: String) -> Bool {
        path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Returns when the person has left the pager; false where none could be started and nothing was shown.
    private static func page(_ text: String, through command: String) -> Bool {
        // What git sets, too: `less` shows letters beyond ASCII, and leaves the rows on the screen for the next command.
        setenv("LESS", "FRX", 0)
        setenv("LESSCHARSET", "utf-8", 0)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Ctrl-C is the pager's while it has the terminal, and one that is left early is no error of ours.
        let ours = [SIGINT, SIGQUIT, SIGPIPE]
        let before = ours.map { signal($0, SIG_IGN) }
        defer { for (number, action) in zip(ours, before) { signal(number, action) } }
        // Whoever ends us ends the pager, which then gives the terminal back.
        signal(SIGTERM) { @Sendable _ in
            Pager.wasTerminated.store(true, ordering: .relaxed)
            Pager.end()
        }
        defer { signal(SIGTERM, SIG_DFL) }
        let started = start(command, input: ends[0])
        close(ends[0])
        guard let started else {
            close(ends[1])
            return false
        }
        child.store(started, ordering: .relaxed)
        let listing = open("/proc/\(started)/task/\(started)/children", O_RDONLY | O_CLOEXEC)
        grandchildren.store(listing, ordering: .relaxed)
        defer { close(listing) }
        // It was not there yet to be ended.
        if wasTerminated.load(ordering: .relaxed) { end() }
        // It ends early where the pager reads no more.
        _ = Writing.all(of: text, to: ends[1])
        close(ends[1])
        let status = wait(for: started)
        if wasTerminated.load(ordering: .relaxed) { exit(128 + SIGTERM) }
        // The shell's word for what it did not find or could not run.
        return status != 127 && status != 126
    }

    /// Ends the pager from a signal's handler: what a shell has started for us, and the shell. Nothing is allocated.
    private static func end() {
        let shell = child.load(ordering: .relaxed)
        guard shell > 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
            let count = pread(grandchildren.load(ordering: .relaxed), buffer.baseAddress, buffer.count, 0)
            var process: pid_t = 0
            for place in 0..<max(0, count) {
                let byte = buffer[place]
                if byte >= 48, byte <= 57 {
                    process = process &* 10 &+ pid_t(byte &- 48)
                } else if process > 1 {
                    kill(process, SIGTERM)
                    process = 0
                }
            }
        }
        kill(shell, SIGTERM)
    }

    /// What the shell runs: `exec` where the command is plain words and the first a program, so that the pager itself is
    /// our child and we end behind it. Not every shell does so by itself.
    static func line(_ command: String, _ variable: (String) -> String?) -> String {
        let isPlain = command.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, 9, 32, 37, 43, 44, 45, 46, 47, 58, 64, 95: true
            default: false
            }
        }
        guard isPlain, let program = command.split(whereSeparator: \.isWhitespace).first.map(String.init) else {
            return command
        }
        let isThere =
            program.contains("/")
            ? access(program, X_OK) == 0 : isInPath(program, variable("PATH") ?? "/usr/bin:/bin")
        return isThere ? ["exec", command].joined(separator: " ") : command
    }

    private static func start(_ command: String, input: Int32) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        sigemptyset(&usual)
        for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        let words: [String] = ["/bin/sh", "-c", line(command) { name in getenv(name).map { String(cString: $0) } }]
        var arguments = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        return posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 ? process : nil
    }

    /// The exit status; -1 where a signal ended it.
    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
