import NyanCore
import Testing

/// What people type and what it must find (field-issues.md D2, D3); the database's own filter is held to the same table.
@Suite("Words typed to find tracks") struct FilterWordsTests {
    @Test("find a track by the beginnings of any of its words, whatever the spelling", arguments: FilterTable.rows)
    func finds(row: FilterTable.Row) {
        #expect(FilterWords(row.typed).match(row.track) == row.isFound)
    }

    @Test("that are none leave everything; signs alone are meant as they are") func kinds() {
        let nameless = Track(id: TrackID(owner: 1, audio: 1), artist: "", title: "")
        #expect(FilterWords(" \t").isEmpty && FilterWords(" \t").match(nameless))
        #expect(FilterWords("- % _").signs == ["-", "%", "_"])
        #expect(FilterWords("AC/DC – back").prefixes == ["ac", "dc", "back"])
        #expect(FilterWords("宇多田 x").pieces == ["宇多田"])
    }
}
