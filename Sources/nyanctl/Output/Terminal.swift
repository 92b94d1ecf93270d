import Glibc
import NyanCore

/// The three standard descriptors, as a person or a pipe is behind them.
enum Terminal {
    static let outputIsTerminal = isatty(1) == 1

    /// Escape sequences may be used: on a terminal, unless `NO_COLOR` or a dumb one says otherwise.
    static let hasColour = outputIsTerminal && getenv("NO_COLOR") == nil && environment("TERM") != "dumb"

    /// Columns of the terminal; nil where there is none and nothing is cut.
    static var columns: Int? {
        guard outputIsTerminal else { return nil }
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a line of data.
    static func print(_ line: String) { write(line + "\n", to: 1) }

    /// Writes text as it is.
    static func show(_ text: String) { write(text, to: 1) }

    /// Writes a message for a person to standard error.
    static func complain(_ line: String) { write(line + "\n", to: 2) }

    /// On a terminal, control and bidi characters of titles are shown escaped; a pipe gets the text as it is.
    static func printable(_ text: String) -> String { outputIsTerminal ? DisplayText.escaped(text) : text }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                // A full disk behind the pipe, say: nobody is there to be told.
                guard count > 0 else { return }
                done += count
            }
        }
    }
}
