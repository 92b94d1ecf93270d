/// Foreign text as a notification may show it: one line, no controls, nothing that turns the order of what stands around it,
/// not endless. Marks of right-to-left scripts and the joiners of emoji stay.
public enum NoticeText {
    /// Longer texts are cut; no desktop shows so much.
    static let limit = 250

    public static func line(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: kept.append(" ")
            // Controls; embeddings, overrides and isolates, which may be left open; noncharacters.
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: break
            case let value where value & 0xFFFE == 0xFFFE: break
            default: kept.append(scalar)
            }
        }
        let line = String(kept).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard line.count > limit else { return line }
        return String(line.prefix(limit - 1)) + "…"
    }
}
