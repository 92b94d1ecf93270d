import FoundationEssentials
import Testing

@testable import nyanctl

/// JSON where a person looks at it.
@Suite("A document on a terminal")
struct HarmlessDocumentTests {
    @Test("holds no sign that moves a cursor or turns a line, and says the same")
    func harmless() throws {
        let titles = ["\u{9B}31m", "a\u{202E}b", "\u{7F}", "\u{1B}[2J", "\u{2066}\u{61C}", "ёлка 🎄", "\u{2028}"]
        let shown = JSONText.harmless(JSONText.encode(titles))
        #expect(shown.contains("\\u009b31m") && shown.contains("a\\u202eb") && shown.contains("ёлка 🎄"))
        #expect(!shown.unicodeScalars.contains { (0..<0x20).contains($0.value) || (0x7F..<0xA0).contains($0.value) })
        #expect(!shown.unicodeScalars.contains { (0x2028...0x202E).contains($0.value) || $0.value == 0x2066 })
        #expect(try JSONDecoder().decode([String].self, from: Data(shown.utf8)) == titles)
    }
}
