import NyanCore
import NyanWire
import Testing

@Suite("A listing as one run of bytes") struct TrackSheetTests {
    private static let rows: [ListedTrack] = [
        ListedTrack(track: Track(id: TrackID(owner: -2_001_550_144, audio: 92_550_144), artist: "", title: "")),
        ListedTrack(
            track: Track(
                id: TrackID(owner: 1, audio: .max), accessKey: "key", artist: "Кино", title: "Кукушка 🐦\u{0}\n",
                album: "Ё",
                duration: 214, isAvailable: false, unavailableReason: "Gone.", isExplicit: true, date: 1_700_000_000),
            isAdded: true, copyPath: "/m/a.mp3", coverPath: "/c/b.jpg"),
        ListedTrack(
            track: Track(
                id: TrackID(owner: 7, audio: 1), artist: String(repeating: "я", count: 127),
                title: String(repeating: "x", count: 255), album: String(repeating: "🐦", count: 500))),
    ]

    @Test("comes out as it went in, whatever the lengths") func same() {
        #expect(TrackSheet.tracks(TrackSheet.bytes(Self.rows)) == Self.rows)
        #expect(TrackSheet.tracks(TrackSheet.bytes([])) == [])
    }

    @Test("that is cut off anywhere, too long or invented is none") func broken() {
        let whole = TrackSheet.bytes(Self.rows)
        for length in 0..<whole.count { #expect(TrackSheet.tracks(Array(whole[..<length])) == nil) }
        #expect(TrackSheet.tracks(whole + [0]) == nil)
        #expect(TrackSheet.tracks([255, 255, 255, 255] + whole) == nil)
    }
}
