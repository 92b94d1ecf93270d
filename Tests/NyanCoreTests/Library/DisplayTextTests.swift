import Testing

@testable import NyanCore

@Suite("Text for terminals and searches") struct DisplayTextTests {
    @Test(
        "Columns are counted as terminals count them",
        arguments: [
            ("", 0), ("abc", 3), ("Кукушка", 7), ("日本語", 6), ("한국어", 6), ("ｱｲｳ", 3), ("ＡＢ", 4), ("e\u{301}", 1),
            ("й", 1), ("и\u{306}", 1), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇷🇺", 2), ("❤", 1), ("❤️", 2), ("☎", 1),
            ("1️⃣", 2), ("\u{200B}", 0), ("a\u{200D}b", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("…", 1), ("—", 1), ("♥", 1),
            ("⚡", 2), ("🎵a", 3), ("\u{FEFF}x", 1), ("ا\u{64E}", 1), ("𠮷", 2), ("½", 1), ("☃️!", 3),
        ])
    func countsColumns(text: String, columns: Int) { #expect(DisplayText.columns(text) == columns) }

    @Test(
        "Text is cut at a character and says so",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("abc", 1, "…"),
            ("abc", 0, ""), ("abc", -1, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"), ("", 0, ""),
        ])
    func cuts(text: String, width: Int, expected: String) {
        #expect(DisplayText.cut(text, to: width) == expected)
        #expect(DisplayText.columns(DisplayText.fitted(text, to: width)) == max(0, width))
    }

    @Test(
        "What could move the cursor or turn the line is shown as an escape",
        arguments: [
            ("plain — ё", "plain — ё"), ("a\nb\r\nc\td", "a\\nb\\r\\nc\\td"), ("\u{1B}[31m", "\\x1B[31m"),
            ("\u{0}\u{7F}\u{9B}", "\\x00\\x7F\\x9B"), ("a\u{202E}b\u{2066}", "a\\u202Eb\\u2066"),
            ("\u{61C}\u{200F}", "\\u061C\\u200F"), ("\u{2028}", "\\u2028"), ("👨‍👩‍👧", "👨‍👩‍👧"),
        ])
    func escapes(text: String, expected: String) { #expect(DisplayText.escaped(text) == expected) }

    @Test(
        "Folded texts are equal when people mean the same",
        arguments: [
            ("ЧЁРНЫЙ", "черныи\u{306}"), ("чёрный", "че\u{308}рный"), ("Björk", "BJO\u{308}RK"), ("Björk", "bjork"),
            ("Motörhead", "motorhead"), ("Straße", "STRASSE"), ("İstanbul", "istanbul"), ("Sigur Rós", "sigur ros"),
            ("Ærø", "aero"), ("Łódź", "lodz"), ("Việt", "viet"), ("ΣΊΣΥΦΟΣ", "σισυφος"), ("don’t", "DON'T"),
            ("a\u{A0}—b", "a -b"), ("zero\u{200B}width", "zerowidth"), ("ГРАЖДАНСКАЯ", "гражданская"),
        ])
    func folds(one: String, other: String) {
        #expect(Array(FoldedText.fold(one).utf8) == Array(FoldedText.fold(other).utf8))
        #expect(FoldedText.fold(FoldedText.fold(one)) == FoldedText.fold(one))
    }

    @Test(
        "Different letters stay different",
        arguments: [("мой", "мои"), ("ї", "i"), ("ґ", "г"), ("і", "и"), ("日", "本"), ("ы", "и")])
    func keepsLetters(one: String, other: String) { #expect(FoldedText.fold(one) != FoldedText.fold(other)) }
}
