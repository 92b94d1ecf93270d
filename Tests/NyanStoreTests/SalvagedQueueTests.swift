import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// Nobody expects to lose a queue: what can be read of a damaged one is in the new one.
@Suite("A damaged queue")
struct SalvagedQueueTests {
    let folder = TemporaryFolder()
    private var path: String { folder("playback.db") }

    /// 600 entries in an order that is not that of their ids, shuffled, in the middle of one, with 300 plays.
    private func fill() async throws -> SavedPlayback {
        var saved = SavedPlayback()
        saved.entries = (1...600).reversed().map {
            Entry(id: EntryID(UInt64($0)), track: track(Int64($0), "Исполнитель \($0)", "Песня \($0)"))
        }
        saved.current = EntryID(40)
        saved.position = 77.5
        saved.shuffle = true
        saved.order = saved.entries.map(\.id)
        saved.roundsBefore = [saved.order]
        saved.repeatMode = .queue
        saved.volume = 0.3
        saved.nextEntry = 700
        let store = PlaybackDatabase(path: path)
        _ = try await store.load()
        try await store.save(saved)
        for number in Int64(1)...300 {
            _ = try await store.addPlay(PlayedTrack(track: track(number), playedAt: 1_000 + number, heard: 31))
        }
        return saved
    }

    /// A page in the middle that holds rows with this text.
    private func spoilPage(with text: String) throws {
        var bytes = Disk.bytes(path)
        let name = Array(text.utf8)
        let place = try #require(
            stride(from: 0, to: bytes.count, by: 4096).first { place in
                let page = bytes[place..<min(place + 4096, bytes.count)]
                let places = page.indices.dropLast(name.count)
                return bytes[place] == 0x0D && places.contains { page[$0...].starts(with: name) }
            })
        for offset in 0..<4096 { bytes[place + offset] = UInt8(truncatingIfNeeded: offset &* 37 &+ 11) }
        try Disk.write(path, bytes)
    }

    @Test("keeps its order, where it stood, and what was heard, but for what stood on the page that was lost")
    func page() async throws {
        let saved = try await fill()
        try spoilPage(with: "Песня 300")
        let store = PlaybackDatabase(path: path)
        let found = try #require(try await store.load())
        #expect(await store.notice?.message.contains("playback.db.broken-") == true)
        #expect(found.entries.count > 500 && found.entries.count < 600)
        let kept = Set(found.entries.map(\.id))
        #expect(found.entries == saved.entries.filter { kept.contains($0.id) })
        #expect(found.current == saved.current && found.position == 77.5 && found.volume == 0.3 && found.shuffle)
        #expect(found.repeatMode == .queue && found.nextEntry == 700)
        #expect(found.order == saved.order.filter(kept.contains) && found.roundsBefore == [found.order])
        #expect(try await store.plays(1000).count == 300)
        // The next start is an ordinary one, and edits go on.
        var edited = found
        edited.entries.removeFirst(10)
        try await store.save(edited)
        let again = PlaybackDatabase(path: path)
        #expect(try await again.load()?.entries == edited.entries)
        #expect(await again.notice == nil)
    }

    @Test(
        "of which a table is missing keeps the others",
        arguments: ["state", "entries", "history", "rounds", "shuffled"])
    func tables(missing: String) async throws {
        let saved = try await fill()
        try Connection(path).execute("DROP TABLE \(missing)")
        let store = PlaybackDatabase(path: path)
        let found = try #require(try await store.load())
        #expect(found.entries == (missing == "entries" ? [] : saved.entries))
        #expect(found.current == (["entries", "state"].contains(missing) ? nil : saved.current))
        #expect(found.volume == (missing == "state" ? 1 : 0.3) && found.nextEntry > 600)
        #expect(try await store.plays(1000).count == (missing == "history" ? 0 : 300))
    }

    @Test("of which a play's number can be followed by none, or says no track, goes on with the history all the same")
    func numbers() async throws {
        _ = try await fill()
        let most = Int64.max
        try Connection(path).execute(
            "UPDATE history SET id = \(most) WHERE id = 300; UPDATE history SET owner = 'ж' WHERE id = 5; DROP TABLE rounds"
        )
        let store = PlaybackDatabase(path: path)
        _ = try await store.load()
        #expect(try await store.plays(1000).count == 299)
        _ = try await store.addPlay(PlayedTrack(track: track(9), playedAt: 9, heard: 1))
        try Connection(path).execute("UPDATE history SET owner = 'ж' WHERE played_at = 9")
        #expect(try await store.plays(1000).count == 299)
    }

    @Test("whose reading a kill ended is read at the next start")
    func killed() async throws {
        let saved = try await fill()
        rename(path, "\(path).damaged")
        let store = PlaybackDatabase(path: path)
        #expect(try await store.load() == saved)
        #expect(await store.notice?.message.contains("playback.db.broken-") == true)
    }

    @Test("that is no database at all is a new one, and is kept")
    func rubbish() async throws {
        try Disk.write(path, Array("this is no database at all, but a text that is long enough".utf8))
        let store = PlaybackDatabase(path: path)
        #expect(try await store.load() == nil)
        #expect(Folder.names(in: folder.path).filter { $0.contains(".broken-") }.count == 1)
    }
}
