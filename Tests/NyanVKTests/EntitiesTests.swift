import Testing

@testable import enum NyanVK.Entities

@Suite("HTML entities")
struct EntitiesTests {
    @Test(
        "are decoded once",
        arguments: [
            ("Песня &amp; друг", "Песня & друг"), ("&amp;amp;", "&amp;"), ("L&#39;Ame", "L'Ame"), ("&#9829;", "♥"),
            ("&#x2665;&#X2665;", "♥♥"), ("&quot;x&quot; &lt;b&gt;", "\"x\" <b>"), ("Don&#146;t", "Don’t"),
            ("&#150;", "–"), ("&#0;", "\u{FFFD}"), ("&#128512;", "😀"), ("", ""), ("plain", "plain"),
            ("&amp;\u{301}", "&\u{301}"), ("&laquo;Ё&raquo;", "«Ё»"),
            ("a&b&amp;c", "a&b&c"), ("&nbsp;&apos;", "\u{A0}'"), ("&euro;&Oslash;&hearts;", "€Ø♥"),
        ])
    func decoded(_ raw: String, _ shown: String) { #expect(Entities.decode(raw) == shown) }

    @Test(
        "that are none stay as they are",
        arguments: [
            "AT&T", "a & b", "&", "&;", "&#;", "&#x;", "&#xZZ;", "&unknown;", "&amp", "&#99999999999;", "&#55296;",
            "R&B; soul", "&&", "x&#-5;", "&verylongnamethatisnone;",
        ])
    func kept(_ raw: String) { #expect(Entities.decode(raw) == raw) }
}
