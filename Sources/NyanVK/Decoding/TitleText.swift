/// Artists, titles and names as people see them (vk-api.md §5): entities decoded once, then no control characters.
///
/// Line breaks and tabs become spaces, other controls vanish. Everything else stays: emoji and their joiners, marks of
/// direction, blanks around, whatever length.
nonisolated enum TitleText {
    static func shown(_ raw: String) -> String {
        let text = Entities.decode(raw)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isControl(scalar) {
                shown.append(scalar)
            } else if isBreak(scalar) {
                shown.append(" ")
            }
        }
        return String(shown)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
