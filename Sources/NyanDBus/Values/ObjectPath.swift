/// A valid D-Bus object path: `/`, or elements of `[A-Za-z0-9_]` each behind a slash.
///
/// libdbus aborts the process on an invalid one, so nothing else is ever given to it (mpris.md §1).
nonisolated public struct ObjectPath: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The path as it travels.
    public let text: String

    /// nil where the text is not a valid path.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    private init(trusted text: String) { self.text = text }

    /// The path `/`.
    public static let root = ObjectPath(trusted: "/")

    public var description: String { text }

    public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.text < right.text }

    /// A child path. Bytes that a path cannot hold become `_` and two hex digits, and so does `_` itself, so that
    /// different elements stay different: `-12_3` becomes `_2d12_5f3`. An empty element becomes `_`.
    public func appending(escaping element: String) -> ObjectPath {
        var escaped = text == "/" ? "/" : text + "/"
        if element.isEmpty { escaped += "_" }
        for byte in element.utf8 {
            if Self.isLetterOrDigit(byte) {
                escaped.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let hex = String(byte, radix: 16)
                escaped += hex.utf8.count < 2 ? "_0" + hex : "_" + hex
            }
        }
        return ObjectPath(trusted: escaped)
    }

    /// The last element as it was before `appending(escaping:)`; nil where it was not made by that.
    public var unescapedLastElement: String? {
        let element = text.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        if element == [UInt8(ascii: "_")] { return "" }
        var bytes: [UInt8] = []
        var at = 0
        while at < element.count {
            if element[at] != UInt8(ascii: "_") {
                bytes.append(element[at])
                at += 1
                continue
            }
            guard at + 2 < element.count, let hex = String(validating: element[at + 1...at + 2], as: UTF8.self),
                let byte = UInt8(hex, radix: 16)
            else { return nil }
            bytes.append(byte)
            at += 3
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether `self` is `other` or lies below it.
    public func isWithin(_ other: ObjectPath) -> Bool {
        other.text == "/" || text == other.text || text.hasPrefix(other.text + "/")
    }

    private static func isValid(_ text: String) -> Bool {
        if text == "/" { return true }
        var afterSlash = false
        var isFirst = true
        for byte in text.utf8 {
            if byte == UInt8(ascii: "/") {
                if afterSlash { return false }
                afterSlash = true
            } else {
                guard !isFirst, isLetterOrDigit(byte) || byte == UInt8(ascii: "_") else { return false }
                afterSlash = false
            }
            isFirst = false
        }
        return !isFirst && !afterSlash
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

nonisolated extension ObjectPath: ExpressibleByStringLiteral {
    /// A path written in the source. A misspelt literal is a programming fault and traps at first use.
    public init(stringLiteral text: StaticString) {
        guard let path = ObjectPath(text.description) else { preconditionFailure("not an object path: \(text)") }
        self = path
    }
}
