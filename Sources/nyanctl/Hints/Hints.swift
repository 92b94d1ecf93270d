import Glibc
import NyanCore
import NyanWire

/// Tells hints: to a person at a terminal only, on standard error, behind what the command said. `NYANCTL_HINTS=off` ends
/// them all. What was told is kept in the state directory.
@MainActor enum Hints {
    /// What `status` has just told.
    private static var isSignedOut = false
    private static var isAiling = false
    private static var current: Invocation?

    /// What the doctor looks into.
    private static let ailments = [Failure.Code.missingDecoder, .audioOutput].map(\.rawValue)

    private static let file = "nyanctl-hints"
    private static let offWords: Set<String> = ["off", "no", "0", "false"]

    /// Somebody reads both what is printed and what is hinted.
    static func isWanted(_ invocation: Invocation) -> Bool {
        !invocation.asJSON && Terminal.outputIsTerminal && isatty(2) == 1 && Terminal.environment("TERM") != "dumb"
            && !offWords.contains(Terminal.environment("NYANCTL_HINTS")?.lowercased() ?? "")
    }

    /// Takes note of a status that is about to be shown.
    static func look(at report: StatusReport) {
        isSignedOut = !report.isSignedIn && !report.isOfflineMode
        isAiling = report.output == .missing || ailments.contains(report.problem?.code ?? "")
    }

    /// A command begins. Some never come back here, such as the live player.
    static func before(_ invocation: Invocation) {
        current = invocation
        let name = invocation.command.name
        guard ["player", "ui"].contains(name) || name == "downloads" && invocation.has("--follow") else { return }
        heed(invocation, HintBook.lesson(of: invocation.command.name))
    }

    /// It was carried out.
    static func after() {
        guard let invocation = current, invocation.options["--format"] == nil, isWanted(invocation) else { return }
        let lesson = HintBook.lesson(
            of: invocation.command.name, words: invocation.words, hasRows: LastListing.hasTold,
            isSignedOut: isSignedOut, isAiling: isAiling)
        heed(invocation, lesson)
    }

    /// It ended otherwise, and what went wrong was said.
    static func after(_ ending: Ending) {
        guard let invocation = current, case .failed(let code, _, _) = ending, ailments.contains(code) else { return }
        heed(invocation, HintBook.Lesson(next: .doctor))
    }

    private static func heed(_ invocation: Invocation, _ lesson: HintBook.Lesson) {
        guard lesson != HintBook.Lesson(), isWanted(invocation) else { return }
        let old = HintBook(KeptLines.read(file) ?? "")
        var book = old
        for hint in lesson.known where book.isDue(hint) { book.did(hint) }
        if let next = lesson.next, book.isDue(next) {
            Terminal.complain(sentence(next))
            book.told(next)
        }
        if book != old { KeptLines.write(book.text, as: file) }
    }

    private static func sentence(_ hint: HintBook.Hint) -> String {
        switch hint {
        case .login: "hint: `nyanctl login` signs you in to VK, step by step"
        case .rows: "hint: `nyanctl play 1` plays from row 1 on, `nyanctl download 1` keeps row 1 for offline"
        case .player: "hint: the media keys work, too; `nyanctl player` shows what plays and takes keys"
        case .downloads: "hint: `nyanctl downloads --follow` shows how far they are"
        case .doctor: "hint: `nyanctl doctor` says what is missing and how to get it"
        }
    }
}

/// Small files of nyanctl's own in the user's state directory, replaced as a whole. Without a place for them all goes on.
enum KeptLines {
    static func read(_ name: String) -> String? {
        guard let folder else { return nil }
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // A handful of lines.
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }

    static func write(_ text: String, as name: String) {
        guard let folder else { return }
        guard StateFolder.make(folder) else { return }
        let fresh = "\(folder)/\(name).\(getpid())"
        unlink(fresh)
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWhole = Writing.all(of: text, to: file) == nil
        close(file)
        if !isWhole || rename(fresh, "\(folder)/\(name)") != 0 { unlink(fresh) }
    }

    private static var folder: String? {
        let state = Terminal.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let base = state ?? Terminal.environment("HOME").map({ $0 + "/.local/state" }), base.hasPrefix("/") else {
            return nil
        }
        return base + "/nyand"
    }
}
