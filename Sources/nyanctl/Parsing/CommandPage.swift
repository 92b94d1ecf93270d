import NyanCore

/// What a command's words are, and what its help and its manual say beside the summary.
///
/// Texts are English literals, said in the person's language where they are shown. An example's line is a whole shell
/// command that begins with `nyanctl`; a test parses each.
struct CommandPage {
    /// Under which heading of the overview a command stands. The order is that of the overview.
    enum Subject: String, CaseIterable {
        case playing, finding, saving, keeping, account, program

        var title: String {
            switch self {
            case .playing: "What plays"
            case .finding: "Lists of music"
            case .saving: "Your VK profile and playlists"
            case .keeping: "Downloads and files"
            case .account: "Account and other services"
            case .program: "The program itself"
            }
        }
    }

    struct Example: Equatable {
        var line: String
        var note: String

        init(_ line: String, _ note: String) { (self.line, self.note) = (line, note) }
    }

    var subject = Subject.program
    var forms: [CommandForm] = []
    /// Paragraphs.
    var text: [String] = []
    var examples: [Example] = []
}

/// The pages of commands that do not bring their own, by name.
@MainActor enum CommandPages {
    /// One group after the other, so that a run builds no more than it needs.
    static func page(of name: String) -> CommandPage? {
        playing[name] ?? lists[name] ?? keeping[name] ?? saving[name] ?? account[name]
    }

    static var names: [String] { [playing, lists, keeping, saving, account].flatMap(\.keys) }
}

extension Command {
    @MainActor var manual: CommandPage { page ?? CommandPages.page(of: name) ?? CommandPage() }

    /// The ways it is used, each with the program's name, in pieces that belong on one line. Where there are several, the
    /// options are not repeated.
    @MainActor var usages: [[String]] {
        let forms = manual.forms
        guard forms.count > 1 else {
            let options = options.map { "[\($0.name)\($0.value.map { " \($0)" } ?? "")]" }
            return [(["nyanctl \(name)", arguments] + options).filter { !$0.isEmpty }]
        }
        return forms.map { ["nyanctl \(name)", $0.usage].filter { !$0.isEmpty } }
    }
}

extension Command.Option {
    /// The letters of options that every command calls alike.
    private static let letters = ["--follow": "-f", "--count": "-n", "--help": "-h", "--version": "-V"]

    /// Its short form, such as `-f`; nil = it has none.
    var letter: String? { Self.letters[name] }

    /// What its value may be, where that can be told; nil for a switch.
    var slot: WordSlot? {
        guard let value else { return nil }
        return switch name {
        case "--owner": WordSlot(kind: .person, name: value)
        case "--playlist": WordSlot(kind: .playlist, name: value)
        case "--format": WordSlot(kind: .text, name: value, words: ["@waybar", "@i3blocks", "@polybar", "@tmux"])
        case "--profile": WordSlot(kind: .text, name: value, words: ["web", "android", "marusia", "kate"])
        case "--count": WordSlot(kind: .number, name: value)
        case "--every": WordSlot(kind: .time, name: value)
        default: WordSlot(kind: .text, name: value)
        }
    }
}
