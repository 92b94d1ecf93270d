import NyanCore
import Testing

@Suite("Columns of a text, counted quickly") struct ColumnsTests {
    private static let parts = [
        "a", "Ж", "ё", "–", "…", "и\u{306}", "e\u{301}", "中", "🐦", "©", "©\u{FE0F}", "1\u{FE0F}\u{20E3}", "👨‍👩‍👧", "🇷🇺",
        "\u{200B}",
        "\u{AD}", "ß", "\u{600}a", "\r\n", "\u{A0}", "한", "\u{1100}\u{1161}", "\u{483}", "€", "“", "\u{2028}", "ñ", " ",
        "№", "™", "™\u{FE0F}",
        "‼\u{FE0F}", "₽", "\u{200D}", "\u{302}",
    ]

    @Test("are the sum of what each sign takes by itself, in any mixture", arguments: [UInt64(1), 2, 3])
    func sums(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...7, using: &random))
                .map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
            let sum = text.reduce(0) { $0 + DisplayText.columns(String($1)) }
            #expect(DisplayText.columns(text) == sum, "\(text.debugDescription)")
            #expect(DisplayText.columns(text[...]) == sum)
        }
    }
}
