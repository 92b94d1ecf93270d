import Glibc
import NyanCore

/// A line that a person types or pastes at a terminal. From the first one to the program's end the terminal neither shows
/// what is typed nor keeps it for the shell: a paste may be longer than what was asked for, or come later than its line.
@MainActor enum PromptedLine {
    /// So many columns (`shown`) of what is typed are shown, nothing of what is longer; 0 = a secret. `mayHaveLines`: what is
    /// pasted may be several lines; it ends at an Enter after which nothing more comes.
    /// - Throws: quietly, where the person leaves; `unreadable`, where it is too long.
    static func read(_ prompt: String, shown: Int = 0, mayHaveLines: Bool = false) throws(Ending) -> [UInt8] {
        HeldSignals.hold()
        guard TerminalMode.take(dropsPastes: true) else {
            HeldSignals.rest()
            throw SecretPrompt.unreadable
        }
        defer {
            TerminalMode.apply(makesSignals: true)
            HeldSignals.rest()
            // The Enter key was not echoed either.
            Terminal.prompt("\n")
        }
        // What was typed before the question is no answer to it.
        PasteRest.drop()
        Terminal.prompt(prompt)
        var line = SecretLine()
        var echo = TypedEcho(limit: shown)
        while true {
            switch HeldSignals.untilInput() {
            case .input: break
            case .end(let signal): throw .quietly(128 + signal)
            case .stop:
                TerminalMode.suspend()
                continue
            case .resumed:
                TerminalMode.apply()
                Terminal.prompt(prompt)
                echo = TypedEcho(limit: shown)
                Terminal.echo(echo.change(to: line.text))
                continue
            }
            if try take(piece(), &line, mayHaveLines) { break }
            Terminal.echo(echo.change(to: line.text))
        }
        Terminal.echo(echo.change(to: line.text))
        return line.text
    }

    private static func piece() throws(Ending) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(0, &bytes, bytes.count)
        if count < 0, errno == EINTR { return [] }
        guard count > 0 else { throw .quietly(130) }
        PasteRest.note(count)
        return bytes[..<count]
    }

    /// True where the line is whole; what is left of the paste is dropped then.
    private static func take(
        _ bytes: ArraySlice<UInt8>, _ line: inout SecretLine, _ mayHaveLines: Bool
    ) throws(Ending) -> Bool {
        for (place, byte) in zip(bytes.indices, bytes) {
            switch line.take(byte) {
            case .more: continue
            case .given(let up): throw up ? .quietly(130) : SecretPrompt.unreadable
            case .whole:
                // A person's Enter is followed by nothing, a paste's line end by the next line.
                let isMore = place + 1 < bytes.endIndex || mayHaveLines && PasteRest.isComing(within: PasteRest.silence)
                if mayHaveLines, byte != 4, isMore {
                    line.goOn()
                    continue
                }
                PasteRest.drop()
                return true
            }
        }
        return false
    }
}

/// What is shown of a line while it is typed. A value without I/O.
struct TypedEcho {
    /// Columns. Of what is longer, or has several lines, nothing is shown: it may be a secret pasted at the wrong place.
    let limit: Int
    private var shown = ""

    init(limit: Int) { self.limit = limit }

    /// What to write so that this is shown instead.
    mutating func change(to bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let isLong = text.utf8.count > 4 * limit || text.contains(where: \.isNewline)
        let whole = isLong ? "" : DisplayText.escaped(text)
        let wanted = DisplayText.columns(whole) > limit ? "" : whole
        defer { shown = wanted }
        if wanted.unicodeScalars.starts(with: shown.unicodeScalars) {
            return String(String.UnicodeScalarView(wanted.unicodeScalars.dropFirst(shown.unicodeScalars.count)))
        }
        return String(repeating: "\u{8} \u{8}", count: DisplayText.columns(shown)) + wanted
    }
}
