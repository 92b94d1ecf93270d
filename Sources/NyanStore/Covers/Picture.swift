import NyanCore

/// Looks whether bytes are a whole JPEG or PNG picture of a size a desktop can show. Decodes nothing.
///
/// What begins like a picture and breaks off would be shown half, or not at all and for ever, as desktops cache by name; one
/// of 30,000 pixels a side takes gigabytes in the shell that decodes it.
enum Picture {
    /// Pixels a side.
    static let largest = 8192

    /// What is wrong with it, in words for the log; nil = nothing.
    static func complaint(_ bytes: [UInt8]) -> String? {
        guard let kind = PictureKind(bytes) else { return "the cover is no JPEG or PNG picture" }
        guard let size = kind == .jpeg ? jpegSize(bytes) : pngSize(bytes) else { return "the cover is damaged" }
        guard size.width > 0, size.height > 0 else { return "the cover is damaged" }
        guard size.width <= largest, size.height <= largest else { return "the cover has too many pixels" }
        return nil
    }

    /// nil where the picture is not whole.
    private static func pngSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 45, Array(bytes[12..<16]) == Array("IHDR".utf8) else { return nil }
        // The chunks lead from one to the next: length, name, content, sum.
        var place = 8
        while place + 12 <= bytes.count {
            let length = number(bytes, place, 4)
            if Array(bytes[place + 4..<place + 8]) == Array("IEND".utf8) {
                return (number(bytes, 16, 4), number(bytes, 20, 4))
            }
            place += 12 + length
        }
        return nil
    }

    /// nil where the picture is not whole.
    private static func jpegSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var place = 2
        var size: (width: Int, height: Int)?
        while place + 4 <= bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            // Padding, and markers without content.
            if marker == 0xFF {
                place += 1
                continue
            }
            let length = number(bytes, place + 2, 2)
            switch marker {
            case 0x01, 0xD0...0xD7:
                place += 2
                continue
            // Frame headers; the three left out are tables.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard place + 9 <= bytes.count else { return nil }
                size = (number(bytes, place + 7, 2), number(bytes, place + 5, 2))
            // The scan: whole if an end follows somewhere; some writers leave junk behind it.
            case 0xDA: return hasEnd(bytes, after: place) ? size : nil
            case 0xD9: return nil
            default: break
            }
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func hasEnd(_ bytes: [UInt8], after start: Int) -> Bool {
        var place = bytes.count - 2
        while place > start {
            if bytes[place] == 0xFF, bytes[place + 1] == 0xD9 { return true }
            place -= 1
        }
        return false
    }

    /// A number of so many bytes, the highest first.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
