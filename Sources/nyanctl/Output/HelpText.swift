import NyanCore
import NyanWords

/// Help, made from the command table and the commands' pages. Lines fit 80 columns in every language.
@MainActor enum HelpText {
    /// The line for a command that is not known.
    static let usage = "nyanctl [--json] [--timeout SECONDS] COMMAND …"
    static let width = 80
    /// Where the summaries begin: names with longer words behind them are shown alone.
    private static let column = 26

    static var all: String {
        var lines = [Words.said("usage: \(usage)"), ""]
        lines += paragraph(
            "Asks the nyand daemon. `nyanctl COMMAND --help` says how a command is used, with examples. TRACK is a VK id such as 123456_456239321 or its address at VK, a row number of the listing printed last, or, where a command only reads or plays, a text that selects tracks of the library; what is only played may be a file or an address."
        )
        for subject in CommandPage.Subject.allCases {
            let commands = CommandTable.all.filter { $0.manual.subject == subject }
            guard !commands.isEmpty else { continue }
            lines += ["", Words.said(subject.title)]
            for command in commands { lines += row(name(command), command.summary, indent: 2, column: column) }
        }
        lines += ["", Words.said("Options of every command")] + rows(CommandTable.everywhere)
        lines.append("")
        lines += paragraph(
            "exit status: 0 done, 1 failed, 2 wrong usage, 3 nyand is not running, 4 not signed in, 5 no such track or position, 6 network or VK not reachable, 7 no answer in time"
        )
        return lines.joined(separator: "\n")
    }

    private static func name(_ command: Command) -> String {
        let whole = [command.name, command.arguments].filter { !$0.isEmpty }.joined(separator: " ")
        return DisplayText.columns(whole) <= column - 4 ? whole : "\(command.name) …"
    }

    static func command(_ command: Command) -> String {
        let page = command.manual
        var lines = [usage(of: command), ""]
        lines += paragraph(command.summary)
        for text in page.text { lines += [""] + paragraph(text) }
        if !command.options.isEmpty { lines += [""] + rows(command.options) }
        if !page.examples.isEmpty { lines += ["", Words.said("for example:")] }
        for example in page.examples {
            lines.append("  \(example.line)")
            lines += wrapped(Words.said(example.note), indent: 6)
        }
        return lines.joined(separator: "\n")
    }

    /// The usage lines, in the person's language.
    static func usage(of command: Command) -> String {
        // What goes on in the next line stands below the program's name.
        let indent = DisplayText.columns(Words.said("usage: \(usage)")) - DisplayText.columns(usage)
        var lines: [String] = []
        for pieces in command.usages {
            var line = ""
            for piece in pieces {
                if !line.isEmpty, indent + DisplayText.columns(line) + 1 + DisplayText.columns(piece) > width {
                    lines.append(line)
                    line = "       "
                }
                line += line.isEmpty ? piece : " \(piece)"
            }
            lines.append(line)
        }
        let rest = lines.dropFirst().map { "\n" + String(repeating: " ", count: indent) + $0 }
        return Words.said("usage: \(lines[0])") + rest.joined()
    }

    /// Options, their long names below each other.
    private static func rows(_ options: [Command.Option]) -> [String] {
        let noLetter = options.contains { $0.letter != nil } ? "    " : ""
        let names = options.map { option in
            [option.letter.map { "\($0), \(option.name)" } ?? noLetter + option.name, option.value].compactMap { $0 }
                .joined(separator: " ")
        }
        let column = 4 + (names.map { DisplayText.columns($0) }.max() ?? 0)
        return zip(names, options).flatMap { name, option in row(name, option.summary, indent: 2, column: column) }
    }

    private static func paragraph(_ english: String) -> [String] { wrapped(Words.said(english), indent: 0) }

    /// A name, and beside it what it is.
    private static func row(_ name: String, _ english: String, indent: Int, column: Int) -> [String] {
        var lines = wrapped(Words.said(english), indent: column)
        let head = String(repeating: " ", count: indent) + name
        lines[0] = DisplayText.fitted(head, to: column) + lines[0].dropFirst(column)
        return lines
    }

    /// The words in lines of at most `width` columns, each behind `indent` blanks.
    private static func wrapped(_ text: String, indent: Int) -> [String] {
        let blanks = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + DisplayText.columns(line) + 1 + DisplayText.columns(word) > width {
                lines.append(blanks + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [blanks + line]
    }
}
