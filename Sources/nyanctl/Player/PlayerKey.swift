/// What a key means to the live player.
enum PlayerKey: Sendable, Equatable {
    case toggle, next, previous, forward, back, louder, quieter, shuffle, repeatMode, like, download
    /// Tenths of the track, 0…9.
    case part(Int)
    /// Ctrl-Z: the shell shall have the terminal for a while.
    case suspend
    case leave
}

/// Turns the bytes a terminal sends into keys. A value; keeps the beginning of a sequence that came in pieces.
struct KeyReader {
    private var pending: [UInt8] = []

    /// The keys that are complete now; keys without a meaning are left out.
    mutating func keys(_ bytes: some Sequence<UInt8>) -> [PlayerKey] {
        pending += bytes
        var rest = pending[...]
        var found: [PlayerKey] = []
        while let first = rest.first {
            guard let length = Self.length(of: rest) else { break }
            let sequence = rest.prefix(length)
            rest = rest.dropFirst(length)
            if first == Self.escape { found += Self.arrow(sequence) } else { found += Self.letter(sequence) }
        }
        // Nothing that long is a key: it would only hold up what comes.
        pending = rest.count > 32 ? [] : Array(rest)
        return found
    }

    private static let escape: UInt8 = 0x1B

    /// Bytes of the key at the front; nil while it is not complete.
    private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        guard first == escape else {
            let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            return bytes.count >= length ? length : nil
        }
        guard let second = bytes.dropFirst().first else { return nil }
        switch second {
        // CSI: parameters, then one final byte.
        case UInt8(ascii: "["):
            return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 - bytes.startIndex + 1 }
        // SS3: arrows of a terminal in application mode.
        case UInt8(ascii: "O"): return bytes.count >= 3 ? 3 : nil
        // The Escape key itself, and then another key.
        default: return 1
        }
    }

    private static func arrow(_ sequence: ArraySlice<UInt8>) -> [PlayerKey] {
        guard sequence.count >= 3, let last = sequence.last else { return [] }
        switch last {
        case UInt8(ascii: "A"): return [.louder]
        case UInt8(ascii: "B"): return [.quieter]
        case UInt8(ascii: "C"): return [.forward]
        case UInt8(ascii: "D"): return [.back]
        default: return []
        }
    }

    /// The same keys also on a Russian keyboard, where other letters are at their places.
    private static func letter(_ bytes: ArraySlice<UInt8>) -> [PlayerKey] {
        switch String(decoding: bytes, as: UTF8.self) {
        case " ": [.toggle]
        case "n", "N", "т", "Т": [.next]
        case "p", "P", "з", "З": [.previous]
        case "s", "S", "ы", "Ы": [.shuffle]
        case "r", "R", "к", "К": [.repeatMode]
        case "l", "L", "д", "Д": [.like]
        case "d", "D", "в", "В": [.download]
        case "+", "=": [.louder]
        case "-", "_": [.quieter]
        case "\u{1A}": [.suspend]
        // Ctrl-C, Ctrl-D and Ctrl-\ come as bytes while the terminal is ours.
        case "q", "Q", "й", "Й", "\u{3}", "\u{4}", "\u{1C}": [.leave]
        case let text: text.count == 1 ? NumberText.whole(text).map { [.part($0)] } ?? [] : []
        }
    }
}
