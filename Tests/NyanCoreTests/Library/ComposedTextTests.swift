import Testing

@testable import NyanCore

@Suite("Composed text") struct ComposedTextTests {
    @Test(
        "Letters and marks become one scalar where there is one",
        arguments: [
            ("и\u{306}", "\u{439}"), ("Е\u{308}", "\u{401}"), ("e\u{301}a", "\u{E9}a"),
            ("i\u{302}\u{323}", "\u{1ECB}\u{302}"),
            ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{1112}\u{1161}", "\u{D558}"), ("か\u{3099}", "\u{304C}"),
            ("e\u{302}\u{301}", "\u{1EBF}"), ("и\u{306}\u{332}", "\u{439}\u{332}"), ("plain", "plain"),
            ("x\u{301}", "x\u{301}"), ("❤️", "❤️"), ("\u{301}", "\u{301}"), ("", ""),
        ])
    func composes(text: String, expected: String) {
        #expect(Array(ComposedText.compose(text).unicodeScalars) == Array(expected.unicodeScalars))
    }
}
