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
    }

    /// Keys one by one, unseen; Ctrl-C and its like come as bytes. False where standard input is no terminal.
    static func take(farewell: String = "") -> Bool {
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return false }
        let isFirst = taken.withLock { taken in
            defer { taken = taken ?? Taken(settings: settings, farewell: farewell) }
            return taken == nil
        }
        // The handler may run on any thread, so it touches nothing but the locked box.
        if isFirst { atexit { @Sendable in TerminalMode.giveBack() } }
        apply()
        return true
    }

    /// Lets others have the terminal as it was, until `apply`.
    static func lend() {
        guard var state = taken.withLock({ $0 }) else { return }
        tcsetattr(0, TCSADRAIN, &state.settings)
        write(state.farewell)
    }

    /// Makes the settings ours, again after another program has had the terminal.
    static func apply() {
        guard var raw = taken.withLock({ $0?.settings }) else { return }
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        // One byte is enough for read to return.
        withUnsafeMutableBytes(of: &raw.c_cc) { controls in
            controls[Int(VMIN)] = 1
            controls[Int(VTIME)] = 0
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
        tcsetattr(0, TCSADRAIN, &state.settings)
        write(state.farewell)
    }

    /// Nothing helps a terminal that is gone: this may be the way out already.
    private static func write(_ farewell: String) {
        var farewell = farewell
        farewell.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }
}
