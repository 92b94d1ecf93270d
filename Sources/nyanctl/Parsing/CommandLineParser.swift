import NyanCore

/// Turns arguments into an invocation by the command table alone.
///
/// Options may stand anywhere before `--`; a leading `-` followed by digits and `_` is a track id, and one followed by
/// a digit is a number, never an option (CONTRACT.md §5).
@MainActor struct CommandLineParser {
    private var rest: ArraySlice<String>
    private var name: String?
    private var words: [String] = []
    private var options: [String: String] = [:]
    private var asJSON = false
    private var timeout: Duration?

    static func parse(_ arguments: [String]) throws(Ending) -> Invocation {
        var parser = CommandLineParser(rest: arguments[...])
        return try parser.invocation()
    }

    private init(rest: ArraySlice<String>) { self.rest = rest }

    private mutating func invocation() throws(Ending) -> Invocation {
        while let argument = rest.popFirst() {
            if argument == "--" {
                try takeWords(Array(rest))
                break
            }
            if Self.isOption(argument) { try takeOption(argument) } else { try takeWords([argument]) }
        }
        guard let name else { throw .usage("no command", command: nil) }
        guard let command = CommandTable.command(name) else {
            throw .usage("there is no command “\(name)”", command: nil)
        }
        try check(command)
        return Invocation(command: command, words: words, options: options, asJSON: asJSON, timeout: timeout)
    }

    private mutating func takeWords(_ new: [String]) throws(Ending) {
        for word in new {
            if name == nil { name = word } else { words.append(word) }
        }
    }

    private mutating func takeOption(_ argument: String) throws(Ending) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let option = parts[0]
        switch option {
        case "--json": asJSON = true
        case "--help", "-h":
            if let name { words = [name] } else { words = [] }
            name = "help"
            rest = []
        case "--timeout":
            guard let text = parts.count == 2 ? parts[1] : rest.popFirst(), let seconds = Double(text), seconds > 0,
                seconds < 1e6
            else { throw .usage("--timeout needs a number of seconds", command: nil) }
            timeout = .seconds(seconds)
        default: try takeOwnOption(option, inline: parts.count == 2 ? parts[1] : nil)
        }
    }

    private mutating func takeOwnOption(_ option: String, inline: String?) throws(Ending) {
        guard let name, let command = CommandTable.command(name) else {
            throw .usage("unknown option \(option)", command: nil)
        }
        guard let known = command.options.first(where: { $0.name == option }) else {
            throw .usage("\(name) has no option \(option)", command: name)
        }
        guard known.value != nil else {
            guard inline == nil else { throw .usage("\(option) takes no value", command: name) }
            options[option] = ""
            return
        }
        guard let value = inline ?? rest.popFirst() else { throw .usage("\(option) needs a value", command: name) }
        options[option] = value
    }

    private func check(_ command: Command) throws(Ending) {
        let fits =
            switch command.arity {
            case .none: words.isEmpty
            case .any: true
            case .between(let least, let most): (least...most).contains(words.count)
            case .atLeast(let least): words.count >= least
            }
        guard fits else {
            let sentence = words.isEmpty ? "\(command.name) needs more words" : "\(command.name) does not take these words"
            throw .usage(sentence, command: command.name)
        }
    }

    private static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument.count > 1 else { return false }
        // A track id of a community, or a relative time or volume.
        return !argument.dropFirst().prefix(1).allSatisfy { $0.isNumber || $0 == "." }
    }
}
