import Glibc
import NyanCore
import NyanDBus

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
        let text = try PromptedLine.read(prompt, mayHaveLines: mayHaveLines)
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
        return String(decoding: try PromptedLine.read(prompt, mayHaveLines: mayHaveLines), as: UTF8.self)
    }

    static let unreadable = Ending.failed(
        code: "bad-argument", message: "the secret could not be read from standard input", status: 1)
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
        case 8, 0x7F: rubOut()
        // Ctrl-U
        case 0x15: bytes = []
        // Tabs belong to a cookies.txt, Escape to the marks of a paste. No secret has any other control in it.
        case 0..<0x20 where byte != 9 && byte != 0x1B: break
        default: bytes.append(byte)
        }
        return bytes.count > Self.limit ? .given(up: false) : .more
    }

    /// A character is several bytes, of which the first alone is none of 10xxxxxx.
    private mutating func rubOut() {
        while let byte = bytes.popLast(), byte & 0xC0 == 0x80 {}
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
