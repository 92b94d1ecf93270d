import NyanCore

/// What somebody probably meant who typed a word that is none: a slip, a word of other players, a forgotten layout.
@MainActor enum Nearest {
    static func unknown(command name: String) -> Ending {
        let near = words(to: name, among: CommandTable.all.map(\.name), also: otherWords)
        guard !near.isEmpty else { return .usage("there is no command “\(name)”", command: nil) }
        return .usage("there is no command “\(name)”: did you mean \(quoted(near))?", command: nil)
    }

    static func unknown(option: String, of command: Command) -> Ending {
        let near = words(to: option, among: (command.options + CommandTable.everywhere).map(\.name))
        guard !near.isEmpty else {
            return .usage(
                "\(command.name) has no option \(option); words that begin with - go behind --", command: command.name)
        }
        return .usage(
            "\(command.name) has no option \(option): did you mean \(quoted(near))?", command: command.name)
    }

    /// One in front of the command.
    static func unknown(option: String) -> Ending {
        let near = words(to: option, among: CommandTable.everywhere.map(\.name))
        guard !near.isEmpty else {
            return .usage("unknown option \(option); a command's own options follow it", command: nil)
        }
        return .usage("unknown option \(option): did you mean \(quoted(near))?", command: nil)
    }

    static func unknown(verb: String, of command: Command) -> Ending {
        let near = words(to: verb, among: command.manual.forms.verbs)
        guard !near.isEmpty else { return .usage("\(command.name) has no verb “\(verb)”", command: command.name) }
        return .usage("\(command.name) has no verb “\(verb)”: did you mean \(quoted(near))?", command: command.name)
    }

    /// Words of other players and of the shell, and ours for them.
    private static let otherWords = [
        "resume": "play", "unpause": "play", "previous": "prev", "back": "prev", "skip": "next", "forward": "next",
        "list": "profile", "ls": "profile", "find": "search", "rm": "delete", "signin": "login", "auth": "login",
        "refresh": "sync", "update": "sync", "playlist-add": "playlist", "current": "status", "now": "status",
        "random": "shuffle", "crop": "queue", "clear": "queue", "gui": "ui", "tui": "ui", "completion": "help",
    ]

    private static func quoted(_ words: [String]) -> String {
        words.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// At most three, the nearest first.
    static func words(to typed: String, among known: [String], also: [String: String] = [:]) -> [String] {
        // A file's name or a sentence is no slip, and the table grows with its square.
        guard typed.unicodeScalars.count <= 24 else { return [] }
        let lower = typed.lowercased()
        if let ours = also[lower], known.contains(ours) { return [ours] }
        // What stands on the same keys is meant rather than what merely looks alike.
        let meant = Layout.latin(lower) ?? lower
        if known.contains(meant) { return [meant] }
        if let ours = also[meant], known.contains(ours) { return [ours] }
        let letters = Array(meant.unicodeScalars)
        let judged = known.compactMap { word -> (word: String, distance: Int)? in
            let other = Array(word.unicodeScalars)
            // The beginning of a longer word, or one that goes on too far: `prof`, `downloading`.
            let bare = letters.drop { $0 == "-" }.count
            if bare >= 3, word.hasPrefix(meant) { return (word, 1) }
            let distance = distance(letters, other)
            if meant.hasPrefix(word), other.count >= 4 { return (word, min(distance, 2)) }
            return distance <= max(1, min(letters.count, other.count) / 3) ? (word, distance) : nil
        }
        guard let best = judged.map(\.distance).min() else { return [] }
        return judged.filter { $0.distance == best }.prefix(3).map(\.word)
    }

    /// How many letters must be put in, taken out, changed or swapped with their neighbour (optimal string alignment).
    static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var rows = [Array(0...second.count)]
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                let change = first[i] == second[j] ? 0 : 1
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + change)
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}

/// A word that was typed while the keyboard was Russian.
enum Layout {
    private static let cyrillic = Array("йцукенгшщзхъфывапролджэячсмитьбюё".unicodeScalars)
    private static let latin = Array("qwertyuiop[]asdfghjkl;'zxcvbnm,.`".unicodeScalars)

    /// What the same keys give on a Latin keyboard; nil where there is no Cyrillic letter.
    static func latin(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: cyrillic.contains) else { return nil }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(cyrillic.firstIndex(of: scalar).map { latin[$0] } ?? scalar)
        }
        return String(result)
    }
}
