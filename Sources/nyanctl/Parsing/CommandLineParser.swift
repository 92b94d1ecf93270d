import NyanCore

/// Turns arguments into an invocation by the command table alone.
///
/// `--json`, `--timeout`, `--no-pager`, `--help` (`-h`) and `--version` (`-V`) may stand anywhere before `--`, a command's
/// own options anywhere behind its name; values behind a blank or `=`, those of letters (`-n5`) also at once (decision 0036).
/// A leading `-` followed by a digit begins a track id or a number, never an option (CONTRACT.md §5).
@MainActor struct CommandLineParser {
    private var rest: ArraySlice<String>
    private var name: String?
    private var words: [String] = []
    private var options: [String: String] = [:]
    private var asJSON = false
    private var asksVersion = false
    private var isUnpaged = false
    private var timeout: Duration?

    static func parse(_ arguments: [String]) throws(Ending) -> Invocation {
        var parser = CommandLineParser(rest: arguments[...])
        return try parser.invocation()
    }

    /// Whether errors go out as JSON, also those of a line that cannot be parsed.
    nonisolated static func asksForJSON(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    private init(rest: ArraySlice<String>) { self.rest = rest }

    private mutating func invocation() throws(Ending) -> Invocation {
        while let argument = rest.popFirst() {
            if argument == "--" {
                for word in rest { takeWord(word) }
                break
            }
            if Self.isOption(argument) { try takeOption(argument) } else { takeWord(argument) }
        }
        if asksVersion { return Invocation(command: GeneralCommands.version, asJSON: asJSON) }
        guard let name else { throw .usage("no command", command: nil) }
        guard let command = CommandTable.command(name) else { throw Nearest.unknown(command: name) }
        try check(command)
        return Invocation(
            command: command, words: words, options: options, asJSON: asJSON, timeout: timeout, isUnpaged: isUnpaged)
    }

    private mutating func takeWord(_ word: String) {
        if name == nil { name = word } else { words.append(word) }
    }

    private mutating func takeOption(_ argument: String) throws(Ending) {
        let (option, inline) = Self.parts(argument)
        switch option {
        case "--json":
            try refuseValue(option, inline)
            asJSON = true
        case "--no-pager":
            try refuseValue(option, inline)
            isUnpaged = true
        case "--help", "-h":
            try refuseValue(option, inline)
            // `--help queue` means that command as well as `queue --help`.
            let subject = name ?? rest.first { CommandTable.command($0) != nil }
            words = [subject].compactMap { $0 }
            name = "help"
            asJSON = asJSON || Self.asksForJSON(Array(rest))
            rest = []
        case "--version", "-V":
            try refuseValue(option, inline)
            asksVersion = true
        case "--timeout":
            guard let text = inline ?? rest.popFirst(), let seconds = NumberText.number(text), seconds > 0,
                seconds <= Self.longestTimeout
            else { throw .usage("--timeout needs a number of seconds, more than 0", command: nil) }
            timeout = .seconds(seconds)
        default: try takeOwnOption(option, inline)
        }
    }

    /// Longer than any call takes, and far from what libdbus cannot count.
    private static let longestTimeout = 86_400.0

    private mutating func takeOwnOption(_ option: String, _ inline: String?) throws(Ending) {
        guard let name else {
            throw Nearest.unknown(option: option)
        }
        guard let command = CommandTable.command(name) else { throw Nearest.unknown(command: name) }
        guard let known = command.options.first(where: { $0.name == option || $0.letter == option }) else {
            throw Nearest.unknown(option: option, of: command)
        }
        let option = known.name
        guard known.value != nil else {
            try refuseValue(option, inline)
            options[option] = ""
            return
        }
        // `--count --json` is a forgotten value; one that begins so can be given with `=`.
        guard let value = inline ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst()) else {
            throw .usage("\(option) needs a value", command: name)
        }
        options[option] = value
    }

    private func refuseValue(_ option: String, _ inline: String?) throws(Ending) {
        if inline != nil { throw .usage("\(option) takes no value", command: name) }
    }

    /// Whether the words are as many as one of the command's forms takes; by its arity where it has none.
    private func check(_ command: Command) throws(Ending) {
        // As a status bar runs it: the pages with the forms, a sixth of its instructions, are not made. They say the same.
        if words.isEmpty, command.arity.least == 0 { return }
        let forms = command.manual.forms
        guard !forms.isEmpty else { return try check(command, command.arity, command.arguments, name: command.name) }
        guard let form = forms.matching(words) else {
            guard let verb = words.first else {
                throw .usage("\(command.name) needs \(command.arguments)", command: command.name)
            }
            throw Nearest.unknown(verb: verb, of: command)
        }
        let verb = form.verbs.isEmpty ? nil : words.first
        let missing = form.slots.filter { $0.least > 0 }.dropFirst(words.count).map(\.bare).joined(separator: " ")
        try check(
            command, form.most.map { .between(form.least, $0) } ?? .atLeast(form.least), missing,
            name: [command.name, verb].compactMap { $0 }.joined(separator: " "))
    }

    /// `missing`: what is asked for where there is too little; `name`: what asks for it.
    private func check(
        _ command: Command, _ arity: Command.Arity, _ missing: String, name: String
    ) throws(Ending) {
        let (least, most) = (arity.least, arity.most)
        guard words.count >= least else {
            throw .usage("\(name) needs \(missing)", command: command.name)
        }
        guard words.count <= most else {
            throw .usage("\(name) has no use for “\(words[most])”", command: command.name)
        }
    }

    /// The option's name and the value that is written to it: `--count=5`, `-n5`, `-n=5`.
    static func parts(_ argument: String) -> (name: String, value: String?) {
        guard argument.hasPrefix("--") else {
            let value = argument.dropFirst(2)
            return (
                String(argument.prefix(2)), value.isEmpty ? nil : String(value.first == "=" ? value.dropFirst() : value)
            )
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count == 2 ? parts[1] : nil)
    }

    /// A leading `-` and a digit is a track id of a community, or a relative time or volume.
    static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), let second = argument.dropFirst().utf8.first else { return false }
        return !(48...57).contains(second) && second != UInt8(ascii: ".")
    }
}
