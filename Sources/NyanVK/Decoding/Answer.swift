import FoundationEssentials
import Glibc

/// The envelope of every method: `{"response": …}` or `{"error": {…}}` (vk-api.md §1.2).
nonisolated enum Answer<Response: Decodable>: Decodable {
    case response(Response)
    case error(VKError)

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        if fields.has("error") {
            self = .error(try fields.decode(VKError.self, forKey: AnyKey("error")))
        } else {
            self = .response(try fields.decode(Response.self, forKey: AnyKey("response")))
        }
    }

    /// Reads a body; nil for HTML, half JSON, or a response of a wrong shape.
    static func read(_ body: [UInt8]) -> Self? {
        guard !AnswerLimits.isCrowded(body) else { return nil }
        return try? JSONDecoder().decode(Self.self, from: Data(BodyMending.mend(body)))
    }
}

/// Mends what makes a JSON reader refuse a text or the whole body though only some letters are spoilt: bytes that are no UTF-8, and `\u` escapes
/// of half a surrogate pair (a title cut within an emoji). Both become U+FFFD.
nonisolated enum BodyMending {
    static func mend(_ body: [UInt8]) -> [UInt8] {
        let isValid = String(validating: body, as: UTF8.self) != nil
        let valid = isValid ? body : Array(String(decoding: body, as: UTF8.self).utf8)
        return hasSurrogateEscape(valid) ? replacingHalves(valid) : valid
    }

    /// Whether `\ud` stands anywhere: nearly no body needs the slow walk.
    private static func hasSurrogateEscape(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count, let start = bytes.baseAddress,
                let found = memchr(start + at, Int32(UInt8(ascii: "\\")), bytes.count - at)
            {
                at = UnsafeRawPointer(found) - start + 1
                if at + 1 < bytes.count, bytes[at] == UInt8(ascii: "u"), bytes[at + 1] | 0x20 == UInt8(ascii: "d") {
                    return true
                }
            }
            return false
        }
    }

    /// The same bytes with `\ufffd` in place of each half; both are six bytes long.
    private static func replacingHalves(_ valid: [UInt8]) -> [UInt8] {
        var mended = valid
        mended.withUnsafeMutableBytes { bytes in
            var index = 0
            while index < bytes.count, let start = bytes.baseAddress,
                let found = memchr(start + index, Int32(UInt8(ascii: "\\")), bytes.count - index)
            {
                index = UnsafeRawPointer(found) - UnsafeRawPointer(start)
                // An escape is two bytes unless it is a \u one; "\\" before a "u" must not be taken for one.
                guard let unit = escapedUnit(bytes, at: index) else {
                    index += 2
                    continue
                }
                if UTF16.isLeadSurrogate(unit), let next = escapedUnit(bytes, at: index + 6),
                    UTF16.isTrailSurrogate(next)
                {
                    index += 12
                    continue
                }
                if UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit) {
                    memcpy(start + index + 2, "fffd", 4)
                }
                index += 6
            }
        }
        return mended
    }

    /// The UTF-16 unit of a complete `\uXXXX` at `index`.
    private static func escapedUnit(_ bytes: UnsafeMutableRawBufferPointer, at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for place in index + 2..<index + 6 {
            let digit: UInt8
            switch bytes[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[place] & 0x0F
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = bytes[place] & 0x0F + 9
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
