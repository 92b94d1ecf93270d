/// `help --json`: the command table as data. Manual pages, completions and the README's cheat sheet are made from it
/// (`scripts/pages`), so it is never translated.
struct HelpDocument: Encodable {
    var usage: String
    var commands: [CommandDocument]
    /// Headings of the overview, in its order: what commands call `subject`.
    var subjects: [SubjectDocument]
    /// What every command takes.
    var options: [CommandDocument.Option]

    @MainActor static var all: HelpDocument {
        HelpDocument(
            usage: HelpText.usage, commands: CommandTable.all.map(CommandDocument.init),
            subjects: CommandPage.Subject.allCases.map { SubjectDocument(name: $0.rawValue, title: $0.title) },
            options: CommandTable.everywhere.map(CommandDocument.Option.init))
    }
}

struct SubjectDocument: Encodable {
    var name: String
    var title: String
}

/// One command; `help COMMAND --json` prints it alone.
struct CommandDocument: Encodable {
    struct Option: Encodable {
        var name: String
        /// Its short form; null where there is none.
        var letter: Nullable<String>
        /// What its value is called; null for a switch.
        var value: Nullable<String>
        var summary: String

        init(_ option: Command.Option) {
            (name, summary) = (option.name, option.summary)
            (letter, value) = (Nullable(option.letter), Nullable(option.value))
        }
    }

    /// What stands at one place (`WordSlot`).
    struct Slot: Encodable {
        var kind: String
        var name: String
        var words: [String]
        var optional: Bool
        var many: Bool
    }

    struct Example: Encodable {
        var line: String
        var note: String
    }

    var name: String
    /// What follows the name, as in the usage line; empty where nothing does.
    var arguments: String
    var summary: String
    var subject: String
    /// The ways it is used: for each, what stands behind the name.
    var forms: [[Slot]]
    /// The same as people read them.
    var usages: [String]
    var options: [Option]
    /// Paragraphs.
    var text: [String]
    var examples: [Example]

    @MainActor init(_ command: Command) {
        let page = command.manual
        name = command.name
        arguments = command.arguments
        summary = command.summary
        subject = page.subject.rawValue
        forms = page.forms.map { form in
            form.slots.map {
                Slot(
                    kind: $0.kind.rawValue, name: $0.name, words: $0.words, optional: $0.least == 0, many: $0.isMany)
            }
        }
        usages = page.forms.map(\.usage)
        options = command.options.map(Option.init)
        text = page.text
        examples = page.examples.map { Example(line: $0.line, note: $0.note) }
    }
}
