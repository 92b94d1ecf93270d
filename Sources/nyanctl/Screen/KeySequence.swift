/// The sequences of bytes that stand for keys at nearly every terminal: ECMA-48's CSI and SS3 forms as xterm, the Linux
/// console, rxvt and tmux send them.
nonisolated enum KeySequence {
    /// Bytes of the sequence at the front, which begins with an escape; nil while it is not complete.
    static func length(of bytes: [UInt8]) -> Int? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "["):
            guard bytes.count > 2 else { return nil }
            // The console's F1 to F5, and the old mouse report: what follows is no parameter.
            if bytes[2] == UInt8(ascii: "[") { return bytes.count >= 4 ? 4 : nil }
            if bytes[2] == UInt8(ascii: "M") { return bytes.count >= 6 ? 6 : nil }
            // rxvt ends a key pressed with Shift by `$`, which is no final byte elsewhere.
            return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) || $0 == UInt8(ascii: "$") }.map {
                $0 + 1
            }
        case UInt8(ascii: "O"): return bytes.count >= 3 ? 3 : nil
        // The Escape key itself, and then another key.
        case 0x1B: return 1
        // Alt and a letter.
        default:
            let count = letterLength(bytes[1])
            return bytes.count > count ? count + 1 : nil
        }
    }

    /// Bytes of a letter that begins so.
    static func letterLength(_ first: UInt8) -> Int { first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

    /// A typed letter or control character; nil for what is no key.
    static func letter(_ letter: Character) -> ScreenKey? {
        guard let value = letter.unicodeScalars.first?.value else { return nil }
        switch value {
        case 0x0D, 0x0A: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        case 0: return .control(" ")
        // Ctrl and a letter, or one of \ ] ^ _.
        case 1...26: return Unicode.Scalar(value + 0x60).map { .control(Character($0)) }
        case 28...31: return Unicode.Scalar(value + 0x40).map { .control(Character($0)) }
        case 0x80..<0xA0, 0xFFFD: return nil
        default: return .text(letter)
        }
    }

    /// The key of a whole sequence; nil for replies of the terminal and keys without a meaning here.
    static func key(_ sequence: [UInt8]) -> ScreenKey? {
        guard sequence.count > 1, let last = sequence.last else { return .escape }
        if sequence[1] == UInt8(ascii: "O") { return final(last) ?? keypad(last) }
        guard sequence[1] == UInt8(ascii: "[") else {
            return String(decoding: sequence[1...], as: UTF8.self).first.map { .alt($0) }
        }
        if sequence[2] == UInt8(ascii: "["), (0x41...0x45).contains(last) { return .function(Int(last) - 0x40) }
        let parameters = sequence[2..<(sequence.count - 1)].split(separator: UInt8(ascii: ";"))
            .map { Int(String(decoding: $0.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) }
        guard !parameters.contains(nil) else { return nil }
        let numbers = parameters.compactMap(\.self)
        let hasAlt = numbers.count > 1 && modifiers(numbers) & 2 != 0
        switch last {
        case UInt8(ascii: "~"), UInt8(ascii: "$"), UInt8(ascii: "^"), UInt8(ascii: "@"): return numbered(numbers.first)
        case UInt8(ascii: "u"): return unicode(numbers)
        case UInt8(ascii: "C") where hasAlt: return .alt("f")
        case UInt8(ascii: "D") where hasAlt: return .alt("b")
        default: return final(last)
        }
    }

    /// What was held down with it: 1 less than the second number, which a terminal may make anything of.
    private static func modifiers(_ numbers: [Int]) -> Int { max(1, numbers.dropFirst().first ?? 1) - 1 }

    private static func final(_ last: UInt8) -> ScreenKey? {
        switch last {
        case UInt8(ascii: "A"), UInt8(ascii: "a"): .up
        case UInt8(ascii: "B"), UInt8(ascii: "b"): .down
        case UInt8(ascii: "C"), UInt8(ascii: "c"): .right
        case UInt8(ascii: "D"), UInt8(ascii: "d"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(last) - 0x4F)
        default: nil
        }
    }

    /// VT220's numbers. The holes between the function keys are DEC's.
    private static func numbered(_ number: Int?) -> ScreenKey? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case .some(let number) where (11...15).contains(number): .function(number - 10)
        case .some(let number) where (17...21).contains(number): .function(number - 11)
        case .some(let number) where (23...26).contains(number): .function(number - 12)
        case .some(let number) where (28...29).contains(number): .function(number - 13)
        case .some(let number) where (31...34).contains(number): .function(number - 14)
        default: nil
        }
    }

    /// The keypad in application mode.
    private static func keypad(_ last: UInt8) -> ScreenKey? {
        switch last {
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "X"): return .text("=")
        // `*` to `9` lie in ASCII's order.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): return .text(Character(Unicode.Scalar(last - 0x40)))
        default: return nil
        }
    }

    /// A letter by its number and modifiers (1 + Shift 1, Alt 2, Ctrl 4), as terminals with more keys send it.
    private static func unicode(_ numbers: [Int]) -> ScreenKey? {
        guard let code = numbers.first, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else {
            return nil
        }
        if code == 27 { return .escape }
        let modifiers = modifiers(numbers)
        if code == 9, modifiers & 1 != 0 { return .backTab }
        if modifiers & 2 != 0 { return .alt(Character(scalar)) }
        guard modifiers & 4 != 0, scalar.isASCII, scalar.value >= 0x40 else { return letter(Character(scalar)) }
        return .control(Character(Character(scalar).lowercased()))
    }
}
