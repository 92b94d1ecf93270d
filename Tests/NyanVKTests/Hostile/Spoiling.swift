import Testing

/// One way of spoiling a value in an answer of VK's.
nonisolated struct Spoiling: Sendable, CustomTestStringConvertible {
    var name: String
    /// What stands there instead; nil = the member is missing.
    var value: @Sendable (JSONTree) -> JSONTree?
    /// The document is none any more: it may be refused as a whole.
    var breaksAll = false
    var testDescription: String { name }

    init(_ name: String, _ raw: String, breaksAll: Bool = false) {
        self.name = name
        self.breaksAll = breaksAll
        value = { _ in .raw(raw) }
    }

    init(_ name: String, _ value: @escaping @Sendable (JSONTree) -> JSONTree?) {
        self.name = name
        self.value = value
    }

    /// At the sizes where things begin to break.
    static let short = all(letters: 10_000, depth: 600, elements: 10_001, digits: 400)
    static let long = all(letters: 1 << 19, depth: 10_000, elements: 50_000, digits: 10_000)

    private static func all(letters: Int, depth: Int, elements: Int, digits: Int) -> [Spoiling] {
        [
            Spoiling("missing") { _ in nil },
            Spoiling("twice") { .array([$0, $0]) },
            Spoiling("as text") { .text($0.written.filter { $0 != "\"" && $0 != "\\" }) },
            Spoiling("too long", "\"" + String(repeating: "ж", count: letters) + "\""),
            Spoiling("too deep", deep("[", "]", depth), breaksAll: true),
            Spoiling("too deep in objects", deep("{\"a\":", "}", depth, "1"), breaksAll: true),
            Spoiling("deep", deep("[", "]", 400)),
            Spoiling("too many elements", "[" + String(repeating: "{},", count: elements) + "1]"),
            Spoiling("too many digits", String(repeating: "9", count: digits), breaksAll: true),
            Spoiling("no JSON", "nan", breaksAll: true), Spoiling("cut off", "\"abc", breaksAll: true),
        ] + plain
    }

    private static let plain =
        [
            "null", "0", "-1", "1", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
            "18446744073709551616", "1e308", "-1e308", "1e-320", "0.5", "true", "false", "[]", "{}", "[[]]", "[null]",
            "\"\"", "\"0\"", "\"-1\"", "\"9223372036854775807\"", "\"1e999\"", "\"a\\u0000b\"",
            "\"\\ud800\"", "\"\\udfff\\ud800\"", "\"\\u001b[2J\\u001b]0;x\\u0007\"", "\"\\u202e\\u2066abc\"",
            "\"file:///etc/passwd\"", "\"javascript:alert(1)\"", "\"../../../../etc/passwd\"", "\"\u{FEFF}\"",
            "{\"id\":1,\"id\":2,\"count\":1,\"count\":-1,\"items\":[],\"items\":{}}",
        ].map { Spoiling($0, $0) }

    private static func deep(_ open: String, _ close: String, _ depth: Int, _ core: String = "") -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }
}
