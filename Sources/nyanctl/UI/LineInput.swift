/// A line that a person types, with a cursor in it. A value.
nonisolated struct LineInput: Equatable, Sendable {
    private(set) var characters: [Character]
    /// The character it stands before; 0…characters.count.
    private(set) var cursor: Int

    /// Nobody types more, and a paste of a book is a mistake.
    private static let most = 500

    init(_ text: String = "") {
        characters = Array(text.prefix(Self.most))
        cursor = characters.count
    }

    var text: String { String(characters) }
    /// What stands left of the cursor.
    var head: String { String(characters[..<cursor]) }
    /// What stands right of it.
    var tail: String { String(characters[cursor...]) }

    /// Takes a key in; false where it means nothing to a line.
    mutating func press(_ key: ScreenKey) -> Bool {
        switch key {
        case .text(let character): insert(character)
        case .backspace where cursor > 0:
            cursor -= 1
            characters.remove(at: cursor)
        case .delete where cursor < characters.count: characters.remove(at: cursor)
        case .backspace, .delete: break
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .control("u"): cut(from: 0)
        case .control("w"), .alt("\u{7F}"), .alt("\u{8}"): cut(from: wordStart)
        case .alt("b"): cursor = wordStart
        case .alt("f"): cursor = wordEnd
        case .alt("d"): characters.removeSubrange(cursor..<wordEnd)
        case .control("k"): characters.removeSubrange(cursor...)
        default: return false
        }
        return true
    }

    private mutating func insert(_ character: Character) {
        guard characters.count < Self.most, !character.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            return
        }
        characters.insert(character, at: cursor)
        cursor += 1
    }

    private mutating func cut(from start: Int) {
        characters.removeSubrange(start..<cursor)
        cursor = start
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, characters[place].isWhitespace { place += 1 }
        while place < characters.count, !characters[place].isWhitespace { place += 1 }
        return place
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }
}
