/// Percent-encoding of URLs (RFC 3986 §2.1), byte by byte.
public enum PercentText {
    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Every byte encoded but letters, digits, `-._~` and what `keeping` names.
    static func encoded(_ bytes: some Sequence<UInt8>, keeping: String = "") -> String {
        let kept = unreserved.union(keeping.utf8)
        var text = ""
        for byte in bytes {
            if kept.contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                text += hex.utf8.count < 2 ? "%0" + hex : "%" + hex
            }
        }
        return text
    }

    /// The bytes that a text stands for; a `%` without two digits behind it stands for itself.
    public static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count, let high = digit(bytes[place + 1]),
                let low = digit(bytes[place + 2])
            {
                result.append(high << 4 | low)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
