import FoundationEssentials
import NyanCore
import NyanWire
import Testing

@testable import nyanctl

@Suite("Long lists as JSON")
struct LongListTests {
    private struct Wrapped: Encodable { let list: [TrackDocument] }

    @Test("are the same text however long they are", arguments: [0, 1, 2, 255, 256, 257, 512, 1000])
    func pieces(count: Int) {
        let rows = (0..<count).map { number in
            let id = TrackID(owner: 1, audio: Int64(number) + 1)
            return TrackDocument(ListedTrack(track: Track(id: id, artist: "[\"🐈\",", title: "]\(number)")))
        }
        #expect("{\"list\":\(JSONText.encode(rows))}" == JSONText.encode(Wrapped(list: rows)))
    }

    @Test("are null where a part of them cannot be written, as short ones are")
    func unwritable() {
        let rows = (0..<600).map { $0 == 300 ? Double.nan : 1 }
        #expect(JSONText.encode(rows) == "null" && JSONText.encode([Double.nan]) == "null")
    }

    @Test("A track's document has every field that is stored in it")
    func fields() throws {
        let track = Track(
            id: TrackID(owner: 1, audio: 2), accessKey: "k", artist: "A", title: "T", album: "L", duration: 214,
            isAvailable: false, unavailableReason: "gone", isExplicit: true)
        let document = TrackDocument(
            ListedTrack(track: track, isAdded: true, copyPath: "/m", coverPath: "/c"), position: 3, current: true,
            playedAt: "2026-11-30T06:51:07Z", heard: 31.5)
        let text = JSONText.encode(document)
        for label in Mirror(reflecting: document).children.compactMap(\.label) {
            #expect(text.contains("\"\(label)\":"), "\(label)")
        }
    }
}
