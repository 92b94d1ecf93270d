import FoundationEssentials

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
    ///
    /// A body the strict reader refuses is mended and read once more, so that one spoilt title does not cost a page.
    static func read(_ body: [UInt8]) -> Self? {
        if let answer = try? JSONDecoder().decode(Self.self, from: Data(body)) { return answer }
        let mended = BodyMending.mend(body)
        guard mended != body else { return nil }
        return try? JSONDecoder().decode(Self.self, from: Data(mended))
    }
}

/// Mends what a JSON reader refuses as a whole though only a text is spoilt: bytes that are no UTF-8, and `\u` escapes
/// of half a surrogate pair (a title cut within an emoji). Both become U+FFFD.
nonisolated enum BodyMending {
    static func mend(_ body: [UInt8]) -> [UInt8] {
        let valid = Array(String(decoding: body, as: UTF8.self).utf8)
        var mended: [UInt8] = []
        mended.reserveCapacity(valid.count)
        var index = 0
        while index < valid.count {
            guard valid[index] == UInt8(ascii: "\\") else {
                mended.append(valid[index])
                index += 1
                continue
            }
            // An escape is two bytes unless it is a \u one; "\\" before a "u" must not be taken for one.
            guard let unit = escapedUnit(valid, at: index) else {
                mended += valid[index..<min(index + 2, valid.count)]
                index += 2
                continue
            }
            if UTF16.isLeadSurrogate(unit), let next = escapedUnit(valid, at: index + 6), UTF16.isTrailSurrogate(next) {
                mended += valid[index..<index + 12]
                index += 12
            } else {
                let isHalf = UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit)
                mended += isHalf ? Array("\\ufffd".utf8) : Array(valid[index..<index + 6])
                index += 6
            }
        }
        return mended
    }

    /// The UTF-16 unit of a complete `\uXXXX` at `index`.
    private static func escapedUnit(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = String(decoding: bytes[index + 2..<index + 6], as: UTF8.self)
        return digits.hasPrefix("+") || digits.hasPrefix("-") ? nil : UInt16(digits, radix: 16)
    }
}
