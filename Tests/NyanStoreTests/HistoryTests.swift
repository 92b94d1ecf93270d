import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("The history on disk")
struct HistoryTests {
    let folder = TemporaryFolder()
    var path: String { folder("state/playback.db") }

    private func play(_ number: Int64) -> PlayedTrack {
        PlayedTrack(track: track(number, "A\(number)"), playedAt: 1_000_000 + number, heard: 30)
    }

    @Test("gives the newest first, as many as asked for, and grows the play that goes on")
    func newestFirst() async throws {
        let store = PlaybackDatabase(path: path)
        #expect(try await store.plays(10) == [])
        for number in Int64(1)...4 { _ = try await store.addPlay(play(number)) }
        let fifth = try await store.addPlay(play(5))
        try await store.setHeard(99.5, of: fifth)
        var expected = [5, 4, 3].map { play($0) }
        expected[0].heard = 99.5
        #expect(try await PlaybackDatabase(path: path).plays(3) == expected)
        #expect(try await store.plays(0) == [])
    }

    @Test("keeps an address")
    func address() async throws {
        let store = PlaybackDatabase(path: path)
        let track = try SoundAddress("https://h.test/a.mp3?k=v").track
        _ = try await store.addPlay(PlayedTrack(track: track, playedAt: 1, heard: 31))
        #expect(try await PlaybackDatabase(path: path).plays(1).first?.track == track)
    }

    @Test("keeps the newest ten thousand, whatever was dropped before")
    func bounded() async throws {
        let store = PlaybackDatabase(path: path)
        for number in Int64(1)...10_020 { _ = try await store.addPlay(play(number)) }
        let plays = try await store.plays(20_000)
        #expect(plays.count == 10_000)
        #expect(plays.first == play(10_020) && plays.last == play(21))
    }

    @Test("neither replaces the queue nor is replaced by it")
    func besideQueue() async throws {
        let store = PlaybackDatabase(path: path)
        var saved = SavedPlayback()
        saved.entries = [Entry(id: EntryID(1), track: track(1))]
        saved.nextEntry = 2
        try await store.save(saved)
        _ = try await store.addPlay(play(2))
        try await store.save(saved)
        try await PlaybackDatabase(path: path).save(saved)
        let again = PlaybackDatabase(path: path)
        #expect(try await again.load() == saved)
        #expect(try await again.plays(5) == [play(2)])
    }

    @Test("is there in a file of the first schema, whose queue stays, and so are rounds and addresses")
    func migrates() async throws {
        do {
            mkdir(folder("state"), 0o700)
            let old = try DatabaseFile(path: path, migrations: [PlaybackSchema.migrations[0]]).open().connection
            try old.execute(
                """
                INSERT INTO entries (id, place, owner, audio, artist, title, duration, available, explicit)
                VALUES (3, 1, 7, 1, 'A', 'T', 60, 1, 0), (4, 2, 7, 2, 'A', 'U', 60, 1, 0);
                INSERT INTO state VALUES (1, 4, 12.5, 1, 'queue', 0.5, 5);
                INSERT INTO shuffled VALUES (1, x'04000000000000000300000000000000');
                """)
        }
        let store = PlaybackDatabase(path: path)
        var saved = try #require(try await store.load())
        #expect(saved.entries.map(\.track.title) == ["T", "U"])
        #expect(saved.order == [EntryID(4), EntryID(3)] && saved.current == EntryID(4) && saved.position == 12.5)
        #expect(saved.roundsBefore == [] && saved.roundsAfter == [])
        saved.entries[0].track = try SoundAddress(path: "/m/Кот.mp3").track
        saved.roundsBefore = [[EntryID(3), EntryID(4)], [EntryID(4), EntryID(3)]]
        saved.roundsAfter = [[EntryID(4), EntryID(3)], [EntryID(3), EntryID(4)], [EntryID(4), EntryID(3)]]
        try await store.save(saved)
        #expect(try await PlaybackDatabase(path: path).load() == saved)
        saved.roundsBefore.removeLast()
        saved.roundsAfter = []
        try await store.save(saved)
        #expect(try await PlaybackDatabase(path: path).load() == saved)
        #expect(try await PlaybackDatabase(path: path).plays(1) == [])
    }
}

@Suite("Files of this machine")
struct ForeignFileTests {
    let folder = TemporaryFolder()

    @Test("what is no ordinary file is refused in words and at once", .timeLimit(.minutes(1)))
    func refused() async throws {
        let copies = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("durable"))
        mkfifo(folder("pipe"), 0o600)
        mkdir(folder("folder"), 0o700)
        for (path, word) in [
            (folder("pipe"), "pipe"), (folder("folder"), "directory"), ("/dev/zero", "device"),
            (folder("none"), "No such file"),
        ] {
            let failure = await #expect(throws: Failure.self) { _ = try await copies.describeFile(path) }
            #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")")
            #expect(throws: Failure.self) { _ = try copies.openFile(path) }
        }
    }

    @Test("a file is described by its tags; one without any says nothing")
    func described() async throws {
        let copies = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("durable"))
        try Disk.write(folder("rubbish.mp3"), Array("rubbish".utf8))
        #expect(try await copies.describeFile(folder("rubbish.mp3")) == FileDescription())
        let tags = FileTags(
            title: "Кошкин дом", artist: "A & B", album: "Альбом", trackID: TrackID(owner: 1, audio: 2), coverPath: nil)
        let rendered = try Tags.render(tags, keepingGainOf: folder("rubbish.mp3"))
        // 38 frames of 128 kbit/s at 44.1 kHz: a second of silence.
        let frame = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        try Disk.write(folder("Кот.mp3"), rendered + Array(repeatElement(frame, count: 80).joined()))
        let description = try await copies.describeFile(folder("Кот.mp3"))
        #expect(description == FileDescription(title: "Кошкин дом", artist: "A & B", album: "Альбом", seconds: 2))
    }
}
