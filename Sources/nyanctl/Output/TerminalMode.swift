import Glibc
import Synchronization

/// Standard input's terminal settings while they are not the user's, and their way back on every path that ends the
/// program by `exit`. Deadly signals must be turned into such an end by whoever takes the terminal.
nonisolated enum TerminalMode {
    /// What to give back; nil while the terminal is the user's.
    private static let taken = Mutex<Taken?>(nil)

    private struct Taken {
        var settings: termios
        /// Written to standard output when the terminal is given back.
        var farewell: String
        /// What is still typed or pasted when the terminal is given back is not for the shell.
        var dropsPastes: Bool
    }

    /// The address of the settings to give back, for a signal's handler; 0 = none. Never freed.
    private static let original = Atomic<UInt>(0)

    /// Keys one by one, unseen; Ctrl-C and its like come as bytes. False where standard input is no terminal.
    static func take(farewell: String = "", dropsPastes: Bool = false) -> Bool {
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return false }
        let isFirst = taken.withLock { taken in
            defer { taken = taken ?? Taken(settings: settings, farewell: farewell, dropsPastes: dropsPastes) }
            return taken == nil
        }
        if isFirst {
            let copy = UnsafeMutablePointer<termios>.allocate(capacity: 1)
            copy.initialize(to: settings)
            original.store(UInt(bitPattern: copy), ordering: .relaxed)
            // The handler may run on any thread, so it touches nothing but the locked box.
            atexit { @Sendable in TerminalMode.giveBack() }
        }
        apply()
        return true
    }

    /// Lets others have the terminal as it was, until `apply`.
    static func lend() {
        guard var state = taken.withLock({ $0 }) else { return }
        tcsetattr(0, TCSADRAIN, &state.settings)
        write(state.farewell)
    }

    /// Makes the settings ours, again after another program has had the terminal. `makesSignals`: nothing is read just now,
    /// and Ctrl-C ends the program; Ctrl-Z does nothing.
    static func apply(makesSignals: Bool = false) {
        guard var raw = taken.withLock({ $0?.settings }) else { return }
        raw.c_lflag &= ~tcflag_t(makesSignals ? ECHO | ICANON : ECHO | ICANON | ISIG)
        // One byte is enough for read to return.
        withUnsafeMutableBytes(of: &raw.c_cc) { controls in
            controls[Int(VMIN)] = 1
            controls[Int(VTIME)] = 0
            // _POSIX_VDISABLE
            if makesSignals { controls[Int(VSUSP)] = 0 }
        }
        tcsetattr(0, TCSADRAIN, &raw)
    }

    /// Gives the user's own settings back. More than once does no harm.
    static func giveBack() {
        guard
            var state = taken.withLock({ taken in
                defer { taken = nil }
                return taken
            })
        else { return }
        if state.dropsPastes { PasteRest.drop() }
        tcsetattr(0, state.dropsPastes ? TCSAFLUSH : TCSADRAIN, &state.settings)
        write(state.farewell)
    }

    /// The same from a signal's handler, for a terminal that drops pastes: takes no lock and no memory.
    static func giveBackAtOnce() {
        guard let settings = UnsafePointer<termios>(bitPattern: original.load(ordering: .relaxed)) else { return }
        PasteRest.drop()
        tcsetattr(0, TCSAFLUSH, settings)
    }

    /// Stops as Ctrl-Z does, with the terminal as it was; SIGCONT goes on. Where no shell is above, nobody could let it go on.
    static func suspend() {
        let parent = getppid()
        guard getsid(parent) == getsid(0), getpgid(parent) != getpgrp() else { return }
        lend()
        kill(getpid(), SIGSTOP)
    }

    /// Nothing helps a terminal that is gone: this may be the way out already. One that is stopped (Ctrl-S) is not waited for.
    private static func write(_ farewell: String) {
        var room = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
        guard !farewell.isEmpty, poll(&room, 1, 0) > 0, room.revents & Int16(POLLOUT) != 0 else { return }
        var farewell = farewell
        farewell.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }
}
