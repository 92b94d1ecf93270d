import CCurses
import Glibc
import NyanCore
import Testing

@testable import nyanctl

@Suite struct PaintedTextTests {
    /// The C library's widths in the only locale where it knows them.
    private static let width: @Sendable (UInt32) -> Int = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return { Int(nyan_screen_width($0)) }
    }()

    private func text(_ painted: PaintedText) -> String {
        String(String.UnicodeScalarView(painted.scalars.compactMap(Unicode.Scalar.init)))
    }

    @Test(
        "what is given to ncurses takes the columns that were counted for it",
        arguments: [
            "plain", "Кириллица", "日本語", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "👨‍👩‍👧", "❤️", "👍🏽", "🇷🇺", "한글", "ক্ষি",
            "\u{1FAE9}", "a\u{200B}b\u{200D}c", "©️", "1️⃣", "\u{301}x", "ﷺ", "…", "\u{AD}",
            "🏴\u{E0067}\u{E0062}\u{E007F}", "مرحبا",
        ])
    func sameColumns(_ title: String) {
        let painted = PaintedText(title, limit: 200, width: Self.width)
        #expect(painted.columns == DisplayText.columns(title))
        #expect(painted.scalars.reduce(0) { $0 + Self.width($1) } == painted.columns)
        #expect(!painted.scalars.contains { Self.width($0) < 0 })
    }

    @Test("letters with marks stay what they are; emoji made of several show the first")
    func looks() {
        func shown(_ title: String) -> String { text(PaintedText(title, limit: 99, width: Self.width)) }
        #expect(shown("Ёж é") == "Ёж é")
        #expect(shown("é̂") == "é̂")
        #expect(shown("❤️|") == "❤ |")
        #expect(shown("👨‍👩‍👧|") == "👨|")
        #expect(shown("👍🏽|") == "👍|")
        #expect(shown("a\u{200B}b\u{200D}c") == "abc", "what no terminal shows, and some count")
    }

    @Test("a text is cut at its limit, and a wide letter that would cross it leaves a blank")
    func cut() {
        #expect(text(PaintedText("abcdef", limit: 3, width: Self.width)) == "abc")
        #expect(text(PaintedText("日本語", limit: 5, width: Self.width)) == "日本 ")
        #expect(PaintedText("日本語", limit: 0, width: Self.width).scalars.isEmpty)
        #expect(PaintedText("x", limit: -3, width: Self.width).scalars.isEmpty)
        var filled = PaintedText("ab", limit: 9, width: Self.width)
        filled.fill(to: 4)
        #expect(text(filled) == "ab  ")
        #expect(filled.columns == 4)
    }

    @Test("no meaning hangs on a colour alone")
    func weights() {
        // Without colours, what plays, what is selected and what is wrong differ from plain text.
        let plain = StyleInk(.plain).weight
        for style in Style.allCases where ![.plain, .fetched].contains(style) {
            #expect(StyleInk(style).weight != plain, "\(style)")
        }
        #expect(StyleInk(.selected).weight != StyleInk(.selectedPlaying).weight)
        #expect(Style.allCases.allSatisfy { (-1...7).contains(StyleInk($0).colour) })
    }
}
