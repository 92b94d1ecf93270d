import NyanCore

/// What is searched of a track, folded as `FilterWords` folds what is searched for.
///
/// SQLite and FTS5 fold neither Cyrillic nor ё (swift-facts.md §7, field-issues.md D2, D3), so both sides are folded
/// here, when a track is written and when it is looked for.
enum SearchText {
    /// What is searched of a track: artist, title and album.
    static func folded(_ track: Track) -> String {
        folded("\(track.artist)\n\(track.title)\n\(track.album ?? "")")
    }

    static func folded(_ text: String) -> String { foldedPlain(text) ?? FilterWords.folded(text) }

    /// `FilterWords.folded` ten times as fast for texts of ASCII and composed Cyrillic, which most are; nil for any
    /// other.
    private static func foldedPlain(_ text: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isBetween = false
        for scalar in text.unicodeScalars {
            var value = scalar.value
            switch value {
            case 0x27: continue
            case 0x41...0x5A: value += 0x20
            case 0x30...0x39, 0x61...0x7A: break
            case 0..<0x80:
                isBetween = true
                continue
            case 0x400...0x40F: value += 0x50
            case 0x410...0x42F: value += 0x20
            case 0x430...0x45F: break
            default: return nil
            }
            if value == 0x451 { value = 0x435 }
            if isBetween, !bytes.isEmpty { bytes.append(0x20) }
            isBetween = false
            if value < 0x80 {
                bytes.append(UInt8(value))
            } else {
                bytes.append(UInt8(0xC0 | value >> 6))
                bytes.append(UInt8(0x80 | value & 0x3F))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
