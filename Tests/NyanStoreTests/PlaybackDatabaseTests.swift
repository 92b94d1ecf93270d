import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("The queue on disk")
struct PlaybackDatabaseTests {
    let folder = TemporaryFolder()
    var path: String { folder("state/playback.db") }

    func playback(_ numbers: [UInt64]) -> SavedPlayback {
        var playback = SavedPlayback()
        playback.entries = numbers.map { Entry(id: EntryID($0), track: track(Int64($0 % 7 + 1), "A\($0)")) }
        playback.nextEntry = (numbers.max() ?? 0) + 1
        return playback
    }

    @Test("is nothing at first and comes back whole")
    func roundTrip() async throws {
        let store = PlaybackDatabase(path: path)
        #expect(try await store.load() == nil)
        var saved = playback([5, 3, 9, .max - 1])
        saved.current = EntryID(3)
        saved.position = 12.345
        saved.shuffle = true
        saved.order = [EntryID(9), EntryID(.max - 1), EntryID(3), EntryID(5)]
        saved.repeatMode = .queue
        saved.volume = 0.3
        try await store.save(saved)
        #expect(try await PlaybackDatabase(path: path).load() == saved)
        #expect(Disk.mode(path) == 0o600 && Disk.mode(folder("state")) == 0o700)
    }

    @Test("follows any edit of the queue", arguments: 1...10)
    func edits(seed: UInt64) async throws {
        var random = Steps(state: seed)
        let store = PlaybackDatabase(path: path)
        var numbers = [UInt64](1...30)
        for step in 0..<25 {
            switch random.next() % 6 {
            case 0: numbers.shuffle(using: &random)
            case 1: numbers.removeAll { _ in random.next() % 4 == 0 }
            case 2: numbers.insert(UInt64(100 + step), at: Int(random.next() % UInt64(numbers.count + 1)))
            case 3: numbers.insert(contentsOf: [UInt64(200 + step), UInt64(300 + step)], at: 0)
            case 4: numbers.append(UInt64(400 + step))
            default: if numbers.count > 1 { numbers.append(numbers.removeFirst()) }
            }
            let saved = playback(numbers)
            try await store.save(saved)
            #expect(try await PlaybackDatabase(path: path).load() == saved)
        }
    }

    @Test("saved without being loaded first replaces what was there")
    func savesBlindly() async throws {
        try await PlaybackDatabase(path: path).save(playback([1, 2, 3]))
        try await PlaybackDatabase(path: path).save(playback([3, 4]))
        #expect(try await PlaybackDatabase(path: path).load() == playback([3, 4]))
    }

    @Test("that cannot be read is set aside and reported once; then there is none")
    func damaged() async throws {
        try await PlaybackDatabase(path: path).save(playback([1]))
        try Disk.write(path, Array("rubbish, rubbish, rubbish and still more rubbish".utf8))
        let store = PlaybackDatabase(path: path)
        #expect(try await store.load() == nil)
        #expect(await store.notice?.message.contains(".broken-") == true)
        try await store.save(playback([7]))
        let next = PlaybackDatabase(path: path)
        #expect(try await next.load() == playback([7]))
        #expect(await next.notice == nil)
    }

    @Test("that could not be loaded is never overwritten")
    func unread() async throws {
        try await PlaybackDatabase(path: path).save(playback([1, 2, 3]))
        let names = ["playback.db", "playback.db-wal", "playback.db-shm"]
        for name in names { rename(folder("state/\(name)"), folder("away-\(name)")) }
        mkdir(path, 0o700)
        let store = PlaybackDatabase(path: path)
        #expect(await failure { _ = try await store.load() } != nil)
        rmdir(path)
        for name in names { rename(folder("away-\(name)"), folder("state/\(name)")) }
        #expect(await failure { try await store.save(playback([7])) } != nil)
        #expect(try await PlaybackDatabase(path: path).load() == playback([1, 2, 3]))
        #expect(try await store.load() == playback([1, 2, 3]))
        try await store.save(playback([7]))
        #expect(try await PlaybackDatabase(path: path).load() == playback([7]))
    }

    @Test("of ten thousand entries is quick to save, and quicker to save a new position")
    func large() async throws {
        let store = PlaybackDatabase(path: path)
        var saved = playback([UInt64](1...10_000))
        let clock = ContinuousClock()
        let first = try await clock.measure { try await store.save(saved) }
        saved.position = 5
        let position = try await clock.measure { try await store.save(saved) }
        saved.entries.insert(Entry(id: EntryID(20_000), track: track(3)), at: 5000)
        let insert = try await clock.measure { try await store.save(saved) }
        var loaded: SavedPlayback?
        let load = try await clock.measure { loaded = try await PlaybackDatabase(path: path).load() }
        #expect(loaded == saved)
        guard LibraryDatabaseTests.showsFigures else { return }
        print("FIGURES queue 10000: first \(first), position \(position), insert \(insert), load \(load)")
    }

    @Test(
        "places a change between its neighbours and leaves these alone",
        arguments: [
            ([1, 2, 3], [1, 2, 3], 0, 0), ([1, 2, 3], [1, 9, 2, 3], 1, 0), ([1, 2, 3], [9, 1, 2, 3], 1, 0),
            ([1, 2, 3], [1, 2, 3, 9], 1, 0), ([1, 2, 3], [1, 3], 0, 1), ([1, 2, 3, 4], [1, 3, 2, 4], 2, 0),
            ([], [1, 2], 2, 0), ([1, 2], [], 0, 2),
        ] as [([UInt64], [UInt64], Int, Int)])
    func places(old: [UInt64], new: [UInt64], placed: Int, removed: Int) {
        var order = PlaceOrder()
        _ = order.become(old.map { EntryID($0) })
        let change = order.become(new.map { EntryID($0) })
        #expect(change.placed.count == placed && change.removed.count == removed)
        let places = new.compactMap { order.places[EntryID($0)] }
        #expect(places == places.sorted() && Set(places).count == new.count)
    }

    @Test("numbers all anew when there is no room left between two entries")
    func noRoom() {
        var order = PlaceOrder()
        var ids = [EntryID(1), EntryID(2)]
        _ = order.become(ids)
        for number in UInt64(3)..<60 {
            ids.insert(EntryID(number), at: 1)
            _ = order.become(ids)
            let places = ids.compactMap { order.places[$0] }
            #expect(places == places.sorted() && Set(places).count == ids.count)
        }
    }
}
