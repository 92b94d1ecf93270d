import Glibc
import NyanCore
import NyanWords

/// The three standard descriptors, as a person or a pipe is behind them.
nonisolated enum Terminal {
    static let outputIsTerminal = isatty(1) == 1
    static var inputIsTerminal: Bool { isatty(0) == 1 }
    static var errorsAreOnTerminal: Bool { isatty(2) == 1 }

    /// Lines may be drawn over: on a terminal that knows how. nyanctl uses no colours, so `NO_COLOR` changes nothing.
    static let canRedraw = outputIsTerminal && environment("TERM") != "dumb"

    /// Columns of the terminal; nil where there is none and nothing is cut.
    static var columns: Int? { outputIsTerminal ? size.map { Int($0.ws_col) } ?? 80 : nil }

    /// Rows of the terminal; 24 where it does not say.
    static var rows: Int { size.map { Int($0.ws_row) } ?? 24 }

    private static var size: winsize? {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return size
    }

    /// A descriptor that was closed before we started would be given to the bus' socket, and data written into it.
    static func fillStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes a line of data.
    static func print(_ line: String) { write(line + "\n", to: 1) }

    /// Writes text as it is.
    static func show(_ text: String) { write(text, to: 1) }

    /// Writes a line of our own words, in the person's language. Data must not come this way.
    static func say(_ sentence: String) { print(Words.said(sentence)) }

    /// Writes a message for a person to standard error, in the person's language.
    static func complain(_ line: String) { write(Words.message(line) + "\n", to: 2) }

    /// The same without a line's end.
    static func prompt(_ text: String) { write(Words.said(text), to: 2) }

    /// Shows what a person types where the terminal does not: as it is.
    static func echo(_ text: String) { write(text, to: 2) }

    /// Writes a line of foreign text to standard error, as it is.
    static func tell(_ line: String) { write(line + "\n", to: 2) }

    /// Foreign text as data: on a terminal control and bidi characters are shown escaped; a pipe gets the text as it
    /// is, but a line stays one line.
    static func printable(_ text: String) -> String {
        outputIsTerminal ? DisplayText.escaped(text) : LineText.joined(text)
    }

    /// Foreign text in a message: the same by what standard error is.
    static func printableMessage(_ text: String) -> String {
        isatty(2) == 1 ? DisplayText.escaped(text) : LineText.joined(text)
    }

    /// nil where the variable is not set or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        if let code = Writing.all(of: text, to: descriptor) { lost(descriptor, code) }
    }

    /// Nobody reads any more: end silently, also on Dispatch's threads, where SIGPIPE is blocked. Anything else that
    /// keeps data from being written, such as a full disk, is a failure. Nothing helps a lost standard error.
    static func lost(_ descriptor: Int32, _ code: Int32) {
        guard descriptor == 1 else { return }
        if code == EPIPE { exit(141) }
        // A terminal that was hung up.
        if code == EIO, outputIsTerminal { exit(128 + SIGHUP) }
        let message = "the output cannot be written: \(String(cString: strerror(code)))"
        if CommandLineParser.asksForJSON(Array(CommandLine.arguments.dropFirst())) {
            let failure = code == ENOSPC ? Failure.Code.diskFull : .fileAccess
            complain(JSONText.encode(ErrorDocument(code: failure.rawValue, message: message), to: 2))
        } else {
            complain("nyanctl: \(message)")
        }
        exit(1)
    }
}

/// Text that must stay on its line.
nonisolated enum LineText {
    /// Line breaks become spaces: all that some program takes for the end of a line, also U+0085, U+2028 and U+2029.
    static func joined(_ text: String) -> String {
        // By bytes: nearly no text has one, and listings are long.
        guard text.utf8.withContiguousStorageIfAvailable(mayBreak) ?? true,
            text.unicodeScalars.contains(where: isBreak)
        else { return text }
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            // The two of one break are one space.
            if scalar == "\n", last == "\r" {
                last = scalar
                continue
            }
            result.append(isBreak(scalar) ? " " : scalar)
            last = scalar
        }
        return String(result)
    }

    private static func mayBreak(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for place in bytes.indices {
            switch bytes[place] {
            case 0xA...0xD: return true
            case 0xC2 where bytes[place + 1] == 0x85: return true
            case 0xE2 where bytes[place + 1] == 0x80 && (0xA8...0xA9).contains(bytes[place + 2]): return true
            default: continue
            }
        }
        return false
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA...0xD, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
