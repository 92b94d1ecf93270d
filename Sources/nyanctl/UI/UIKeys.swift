import NyanWords

/// What a key of `nyanctl ui` does.
nonisolated enum UIDeed: Hashable, Sendable {
    case up, down, pageUp, pageDown, first, last
    case tab(UITab), nextTab, previousTab
    case filter, clear, playing
    case play, toggle, stop, next, previous, back, forward, louder, quieter, shuffle, repeatMode
    case like, add, remove, undo
    case download, cancel, hold, deleteFile, export
    case enqueue, enqueueNext, moveUp, moveDown, clearQueue
    case sync, offline, repaint, menu, help, leave
}

/// The one table of the keys: what they do, and what the help says.
enum UIKeys {
    struct Row {
        var keys: [ScreenKey]
        var deed: UIDeed
        /// What the help says; nil = the row before says it too.
        var summary: String?

        init(_ keys: [ScreenKey], _ deed: UIDeed, _ summary: String?) {
            (self.keys, self.deed, self.summary) = (keys, deed, summary)
        }

        init(_ letters: String, _ deed: UIDeed, _ summary: String?) {
            self.init(letters.map { .text($0) }, deed, summary)
        }
    }

    static let table: [Row] = [
        Row([.up, .text("k")], .up, "up and down"), Row([.down, .text("j")], .down, nil),
        Row([.pageUp, .control("b")], .pageUp, "a page up and down"),
        Row([.pageDown, .control("f")], .pageDown, nil),
        Row([.home, .text("g")], .first, "to the first and the last row"), Row([.end, .text("G")], .last, nil),
        Row([.tab], .nextTab, "the next and the previous tab"), Row([.backTab], .previousTab, nil),
        Row("1", .tab(.profile), "a tab by its number"), Row("2", .tab(.music), nil), Row("3", .tab(.search), nil),
        Row("4", .tab(.downloads), nil), Row("5", .tab(.queue), nil),
        Row("/", .filter, "type to filter the list, or to search VK"),
        Row([.escape], .clear, "show the whole list again"),
        Row("f", .playing, "go to what plays"),
        Row([.enter], .play, "play the list from this row on"),
        Row(" ", .toggle, "pause or go on"),
        Row("n", .next, "the next and the previous track"), Row("p", .previous, nil),
        Row([.left], .back, "10 seconds back and forward"), Row([.right], .forward, nil),
        Row("+=", .louder, "louder and quieter"), Row("-", .quieter, nil),
        Row("s", .shuffle, "shuffle on or off"),
        Row("r", .repeatMode, "repeat off, the queue, the track"),
        Row("S", .stop, "end the sound; the queue stays"),
        Row("d", .download, "download, or try again"),
        Row("c", .cancel, "cancel the download"),
        Row("w", .hold, "pause the download or go on"),
        Row("D", .deleteFile, "delete the downloaded file"),
        Row("e", .export, "copy the downloaded file into a folder"),
        Row("a", .add, "add to the profile"),
        Row("l", .like, "add what plays to the profile"),
        Row([.text("x"), .delete], .remove, "take it out of this list"),
        Row("u", .undo, "undo the last removal from the profile"),
        Row("i", .enqueue, "put it at the end of the queue"),
        Row("I", .enqueueNext, "put it after what plays"),
        Row("K", .moveUp, "move it up and down in the queue"), Row("J", .moveDown, nil),
        Row("C", .clearQueue, "clear the queue"),
        Row([.text("y"), .function(5)], .sync, "read the list anew"),
        Row("o", .offline, "offline mode on or off"),
        Row("m", .menu, "a list of what can be done with the row"),
        Row([.control("l")], .repaint, "paint the screen anew"),
        Row([.text("?"), .function(1)], .help, "this help"),
        Row([.text("q"), .control("c"), .control("d")], .leave, "leave; the music plays on"),
    ]

    /// nil for a key without a meaning. On a Russian keyboard `.` and `,` are where `/` and `?` are; on others they are
    /// nothing.
    static func deed(of key: ScreenKey, onRussian isRussian: Bool = false) -> UIDeed? {
        if let deed = deeds[key] { return deed }
        if isRussian, let deed = [.text("."): UIDeed.filter, .text(","): .help][key] { return deed }
        guard case .text(let letter) = key, let latin = latin[letter] else { return nil }
        return deeds[.text(latin)]
    }

    private static let deeds = Dictionary(
        table.flatMap { row in row.keys.map { ($0, row.deed) } }, uniquingKeysWith: { first, _ in first })

    /// The letters of a Russian keyboard by those at the same keys of a Latin one, as `PlayerKey` knows a few.
    private static let latin: [Character: Character] = {
        let pairs = Array(zip("йцукенгшщзфывапролдячсмить", "qwertyuiopasdfghjklzxcvbnm"))
        let capitals = pairs.map { ($0.uppercased(), $1.uppercased()) }
        var table = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        for (cyrillic, latin) in capitals {
            if let cyrillic = cyrillic.first, let latin = latin.first { table[cyrillic] = latin }
        }
        return table
    }()

    /// The help's rows: names of keys, and what they do. `isShort`: one key for each deed.
    static func help(isShort: Bool) -> [(keys: String, summary: String)] {
        var rows: [(keys: String, summary: String)] = []
        for row in table {
            let names = (isShort ? Array(row.keys.prefix(1)) : row.keys).map(name).joined(separator: " ")
            if let summary = row.summary {
                rows.append((names, Words.said(summary)))
            } else if let last = rows.indices.last {
                rows[last].keys += " " + names
            }
        }
        return rows
    }

    /// How many rows that are.
    static let helpCount = table.count { $0.summary != nil }

    static func name(_ key: ScreenKey) -> String {
        switch key {
        case .text(" "): Words.said("Space")
        case .text(let letter): String(letter)
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "⇧Tab"
        case .backspace: "⌫"
        case .delete: "Del"
        case .insert: "Ins"
        case .alt(let letter): "M-\(letter)"
        case .control(let letter): "^" + letter.uppercased()
        case .function(let number): "F\(number)"
        }
    }
}
