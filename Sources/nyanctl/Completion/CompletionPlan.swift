import NyanCore

/// One word a shell may offer, and what it stands for.
struct Candidate: Equatable {
    var word: String
    var note = ""

    init(_ word: String, _ note: String = "") { (self.word, self.note) = (word, note) }
}

/// What may stand for the last word of a line that is being typed: what the command table knows, and what must be asked.
/// A value; asks nobody.
@MainActor struct CompletionPlan: Equatable {
    /// What the shell itself can list.
    enum Files: String { case none, files, folders }

    var candidates: [Candidate] = []
    /// What words mean that are known elsewhere.
    var kinds: [WordSlot.Kind] = []
    var files = Files.none
    /// As it is typed so far, without quotes; what every candidate begins with.
    var typed = ""
    /// What stands before the value of an option: `--count=`.
    var head = ""

    /// `words` are those behind the program's name up to the cursor, without quotes; the last is being typed.
    init(_ words: [String]) {
        typed = words.last ?? ""
        read(words.dropLast(), last: typed)
    }

    private mutating func read(_ words: ArraySlice<String>, last: String) {
        var rest = words
        var command: Command?
        var hasName = false
        var given: [String] = []
        var isVerbatim = false
        while let word = rest.popFirst() {
            if !isVerbatim, word == "--" {
                isVerbatim = true
            } else if !isVerbatim, CommandLineParser.isOption(word) {
                guard let option = Self.option(word, of: command), option.value != nil, !Self.hasValue(word) else {
                    continue
                }
                // Its value is what is typed, or was.
                if rest.isEmpty { return offer([option.slot].compactMap { $0 }) }
                rest.removeFirst()
            } else if !hasName {
                hasName = true
                command = CommandTable.command(word)
            } else {
                given.append(word)
            }
        }
        if !isVerbatim, CommandLineParser.isOption(last) { return offerOptions(of: command, hasName: hasName) }
        // An option begins so, and an id of a community's track.
        if !isVerbatim, last == "-" { offerOptions(of: command, hasName: hasName) }
        guard hasName else { return offerCommands() }
        guard let command else { return }
        offer(Self.slots(of: command, behind: given))
    }

    /// What may stand behind these words.
    private static func slots(of command: Command, behind given: [String]) -> [WordSlot] {
        let forms = command.manual.forms
        guard !given.isEmpty else { return forms.flatMap { $0.slots(at: 0) } }
        return forms.matching(given)?.slots(at: given.count) ?? []
    }

    private mutating func offer(_ slots: [WordSlot]) {
        for slot in slots {
            for word in slot.words { add(word) }
            switch slot.kind {
            case .fixed, .text, .time, .number: break
            case .command: offerCommands()
            case .folder: files = .folders
            case .sound:
                files = .files
                kinds.append(slot.kind)
            default: kinds.append(slot.kind)
            }
        }
    }

    private mutating func offerCommands() {
        for command in CommandTable.all { add(command.name, command.summary) }
    }

    private mutating func offerOptions(of command: Command?, hasName: Bool) {
        if let name = typed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first,
            name.count < typed.count, let slot = Self.option(String(name), of: command)?.slot
        {
            head = "\(name)="
            typed = String(typed.dropFirst(head.count))
            return offer([slot])
        }
        for option in command?.options ?? [] { add(option.name, option.summary) }
        for option in CommandTable.everywhere where option.name != "--version" || !hasName {
            add(option.name, option.summary)
        }
    }

    private mutating func add(_ word: String, _ note: String = "") {
        if word.hasPrefix(typed), !candidates.contains(where: { $0.word == head + word }) {
            candidates.append(Candidate(head + word, note))
        }
    }

    private static func option(_ word: String, of command: Command?) -> Command.Option? {
        let name = CommandLineParser.parts(word).name
        return ((command?.options ?? []) + CommandTable.everywhere).first { $0.name == name || $0.letter == name }
    }

    private static func hasValue(_ word: String) -> Bool { CommandLineParser.parts(word).value != nil }
}
