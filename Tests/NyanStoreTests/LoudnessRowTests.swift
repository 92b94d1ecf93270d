import NyanCore
import Testing

@testable import NyanStore

@Suite("Measured loudness on disk")
struct LoudnessRowTests {
    let folder = TemporaryFolder()
    let loud = LoudnessReading(bytes: 1000, loudness: Loudness(trackGain: -8.25, trackPeak: 1.0625))

    private func open() async throws -> LibraryDatabase { try await LibraryDatabase.open(folder("library.db")) }

    private func add(_ number: Int64, bytes: Int64 = 1000, to database: LibraryDatabase) async throws {
        try await database.remember([track(number)])
        try await database.addCopy(FinishedCopy(id: track(number).id, path: "/m/\(number).mp3", bytes: bytes))
    }

    @Test("is kept over a restart; a copy without a gain to add counts as measured too")
    func keeps() async throws {
        let first = try await open()
        for number in Int64(1)...3 { try await add(number, to: first) }
        #expect(try await first.unmeasured().map(\.id) == [track(3).id, track(2).id, track(1).id])
        try await first.setLoudness(loud, of: track(3).id)
        try await first.setLoudness(LoudnessReading(bytes: 1000, loudness: nil), of: track(2).id)
        let second = try await open()
        #expect(try await second.loudness(of: track(3).id) == loud)
        #expect(try await second.loudness(of: track(2).id) == LoudnessReading(bytes: 1000, loudness: nil))
        #expect(try await second.loudness(of: track(1).id) == nil)
        #expect(
            try await second.unmeasured() == [FinishedCopy(id: track(1).id, path: "/m/1.mp3", bytes: 1000)])
    }

    @Test("is forgotten when another file takes the copy's place, and stays when the same one is written again")
    func forgets() async throws {
        let database = try await open()
        try await add(1, to: database)
        try await database.setLoudness(loud, of: track(1).id)
        try await add(1, to: database)
        #expect(try await database.loudness(of: track(1).id) == loud)
        try await add(1, bytes: 1001, to: database)
        #expect(try await database.unmeasured().map(\.id) == [track(1).id])
        try await database.setLoudness(loud, of: track(1).id)
        try await database.setLoudness(nil, of: track(1).id)
        #expect(try await database.loudness(of: track(1).id) == nil)
    }

    @Test("goes with its track and is never written for a stranger")
    func goes() async throws {
        let database = try await open()
        try await add(1, to: database)
        try await database.setLoudness(loud, of: track(1).id)
        try await database.removeCopy(track(1).id)
        try await database.forgetProfile()
        try await database.setLoudness(loud, of: track(1).id)
        #expect(try await database.loudness(of: track(1).id) == nil)
        #expect(try await database.unmeasured().isEmpty)
    }

    @Test("finds its place in a library of the schema before, whose copies are all unmeasured")
    func migrates() async throws {
        let path = folder("library.db")
        let old = try DatabaseFile(path: path, migrations: LibrarySchema.migrations.dropLast()).open().connection
        try old.run(
            "INSERT INTO copies (track, path, bytes) VALUES (?, '/m/1.mp3', 5)", .integer(try old.rowOrNew(track(1))))
        let database = try await open()
        #expect(database.notice == nil)
        #expect(try await database.unmeasured().map(\.id) == [track(1).id])
    }
}
