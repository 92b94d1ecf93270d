/// A key of whatever name.
nonisolated struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// Reads fields as VK really sends them: numbers as text, booleans as 0 and 1, null, `false` or `[]` for an object
/// (vk-api.md §5). A field that cannot be read is absent; nothing throws.
extension KeyedDecodingContainer<AnyKey> {
    nonisolated func has(_ name: String) -> Bool {
        guard let isNull = try? decodeNil(forKey: AnyKey(name)) else { return false }
        return !isNull
    }

    nonisolated func int64(_ name: String) -> Int64? {
        let key = AnyKey(name)
        if let number = try? decode(Int64.self, forKey: key) { return number }
        if let text = try? decode(String.self, forKey: key) { return Int64(text) }
        if let flag = try? decode(Bool.self, forKey: key) { return flag ? 1 : 0 }
        if let real = try? decode(Double.self, forKey: key) { return Int64(exactly: real.rounded()) }
        return nil
    }

    nonisolated func int(_ name: String) -> Int? { int64(name).flatMap(Int.init(exactly:)) }

    nonisolated func flag(_ name: String) -> Bool {
        if let text = try? decode(String.self, forKey: AnyKey(name)) { return text == "1" || text == "true" }
        return (int64(name) ?? 0) != 0
    }

    /// Cut at `limit` bytes: a name of megabytes would go into the library, every listing and every signal of it.
    nonisolated func text(_ name: String, limit: Int = AnswerLimits.text) -> String? {
        let key = AnyKey(name)
        if let text = try? decode(String.self, forKey: key) { return AnswerLimits.cut(text, to: limit) }
        if let number = try? decode(Int64.self, forKey: key) { return String(number) }
        return nil
    }

    /// A text that says something: neither absent nor empty.
    nonisolated func filledText(_ name: String) -> String? {
        guard let text = text(name), !text.isEmpty else { return nil }
        return text
    }

    /// A name that stands in addresses: nothing but letters, digits, `_` and `.`, or it is none.
    nonisolated func screenName(_ name: String) -> String? {
        filledText(name).flatMap { text in
            let isName = text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789_.".unicodeScalars.contains($0))
            }
            return isName ? text : nil
        }
    }

    /// An address; one that is cut would be another, so a longer one is none.
    nonisolated func address(_ name: String) -> String? {
        guard let text = filledText(name), text.utf8.count < AnswerLimits.text else { return nil }
        return text
    }

    /// A list that may be missing or no list at all, which is an empty one.
    /// - Throws: `ListTooLong`; a list of which nothing was read must not look like one without anything.
    nonisolated func list<Element: Decodable>(_ name: String) throws -> LenientArray<Element> {
        do {
            return try decode(LenientArray<Element>.self, forKey: AnyKey(name))
        } catch let error as ListTooLong {
            throw error
        } catch {
            return LenientArray()
        }
    }

    nonisolated func object<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        try? decode(type, forKey: AnyKey(name))
    }
}

/// More elements than any answer has (`AnswerLimits.elements`).
nonisolated struct ListTooLong: Error {}

/// An array whose unreadable elements are left out but counted. One of more elements than any answer has is unreadable.
nonisolated struct LenientArray<Element: Decodable>: Decodable {
    var elements: [Element] = []
    /// Elements VK sent, readable or not.
    var sentCount = 0

    /// Takes any element, so that the array always moves on.
    private struct Slot: Decodable {
        var element: Element?
        init(from decoder: any Decoder) { element = try? Element(from: decoder) }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        // Each element that cannot be read costs its errors: millions of them would hold the main actor for minutes.
        guard list.count ?? 0 <= AnswerLimits.elements else { throw ListTooLong() }
        while !list.isAtEnd {
            let slot = try list.decode(Slot.self)
            sentCount += 1
            if let element = slot.element { elements.append(element) }
        }
    }
}
