import NyanCore
import Testing

@testable import NyanNet

@Suite("A sound is put together from HLS segments", .timeLimit(.minutes(1)))
struct SegmentTests {
    let server: LocalServer
    let fixture: SoundFixture
    let session = CurlSession()

    init() async throws {
        server = try LocalServer()
        fixture = try await SoundFixture.inDirectory(of: server.root)
    }

    private func fetch(_ playlist: String = "index", into copy: MemoryCopy) async -> Attempt {
        await attempt(server.location("dir/hls/\(playlist).m3u8"), into: copy, on: session)
    }

    private func asked(_ name: String) async throws -> Int {
        try await server.log().count { $0.path.hasSuffix("/hls/\(name)") }
    }

    @Test(
        "Encrypted and plain segments give the bytes ffmpeg gives",
        arguments: ["index", "master", "plain", "several", "ranged", "renditions"])
    func whole(playlist: String) async throws {
        let copy = MemoryCopy()
        let attempt = await fetch(playlist, into: copy)
        #expect(attempt.isFinished)
        #expect(fixture.segments > 15)
        #expect(copy.bytes == fixture.sound)
        #expect(copy.kind == .hls)
        #expect(copy.size == Int64(fixture.sound.count))
        #expect(copy.segments?.done == fixture.segments)
    }

    @Test("The key is fetched once, every segment once, over a few connections and with the User-Agent")
    func economy() async throws {
        _ = await fetch(into: MemoryCopy())
        let log = try await server.log()
        #expect(log.count == fixture.segments + 2)
        #expect(try await asked("key.pub") == 1)
        #expect(Set(log.map(\.link)).count <= 10)
        #expect(log.allSatisfy { $0.headers["user-agent"] == "test/1" })
    }

    @Test("The total is estimated on the way, and right at the end")
    func estimate() async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-7.ts", "hold", times: 1)
        let attempt = Attempt(server.location("dir/hls/index.m3u8"), into: copy, on: session)
        await attempt.wait { event in
            if case .progress = event { copy.segments?.done == 6 } else { false }
        }
        try await server.open()
        await attempt.end()
        let totals = attempt.events.compactMap { event in
            if case .progress(_, let total?) = event { Double(total) } else { nil }
        }
        #expect(totals.allSatisfy { abs($0 / Double(fixture.sound.count) - 1) < 0.1 })
        #expect(totals.last == Double(fixture.sound.count))
    }

    @Test(
        "A segment that comes broken is fetched again",
        arguments: ["rubbish", "odd", "empty", "cut", "page", "tail", "500", "404"], [1, 6])
    func brokenSegment(kind: String, number: Int) async throws {
        let copy = MemoryCopy()
        // What comes twice the same way and could be sound is taken.
        let times = kind == "tail" ? 1 : 2
        try await server.fault("hls/seg-\(number).ts", kind, times: times)
        let attempt = await fetch(into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == fixture.sound)
        #expect(try await asked("seg-\(number).ts") == times + 1)
    }

    @Test("A segment that stays broken ends the attempt; the segments before it are kept, none after it")
    func staysBroken() async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-8.ts", "rubbish", times: 99)
        let attempt = await fetch(into: copy)
        #expect(attempt.failure?.code == .damagedSound)
        #expect(copy.segments?.done == 7)
        #expect(try await asked("seg-8.ts") == 4)
        #expect(!copy.isComplete)
    }

    @Test(
        "A key that is none, or not there, or another file's, ends the attempt",
        arguments: [
            ("page", Failure.Code.badAnswer), ("empty", .badAnswer), ("long", .badAnswer), ("500", .serverBusy),
            ("404", .expiredLocation), ("other", .damagedSound),
        ])
    func badKey(kind: String, code: Failure.Code) async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/key.pub", kind, times: 99)
        let attempt = await fetch(into: copy)
        #expect(attempt.failure?.code == code)
        #expect(copy.received == 0)
        #expect(try await asked("key.pub") == 3)
    }

    @Test("A key that fails at first is fetched again", arguments: ["500", "404", "page", "empty", "long", "other"])
    func keyAgain(kind: String) async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/key.pub", kind, times: 2)
        let attempt = await fetch(into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == fixture.sound)
        #expect(try await asked("key.pub") == 3)
    }

    @Test(
        "An address that expires in the middle keeps what came before; a fresh one completes it",
        arguments: ["403", "404", "410", "away"])
    func expires(status: String) async throws {
        let copy = MemoryCopy()
        for number in 9...fixture.segments { try await server.fault("hls/seg-\(number).ts", status, times: 99) }
        let first = await fetch(into: copy)
        #expect(first.failure?.code == .expiredLocation)
        #expect(copy.segments?.done == 8)
        for number in 9...fixture.segments { try await server.fault("hls/seg-\(number).ts", "", times: 0) }
        let second = await fetch(into: copy)
        #expect(second.isFinished)
        #expect(copy.bytes == fixture.sound)
        #expect(copy.look { $0.written } == Int64(fixture.sound.count))
        for number in 2...7 { #expect(try await asked("seg-\(number).ts") == 1) }
        // The last one of before proves that it is the same sound.
        #expect(try await asked("seg-8.ts") == 2)
    }

    @Test("One part that is not there is asked for three times and ends the attempt; the ones before it are kept")
    func missing() async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-7.ts", "404", times: 99)
        let attempt = await fetch(into: copy)
        #expect(attempt.failure?.code == .expiredLocation)
        #expect(copy.segments?.done == 6)
        #expect(try await asked("seg-7.ts") == 3)
        for number in 1...6 { #expect(try await asked("seg-\(number).ts") == 1) }
    }

    @Test("What comes the same way twice is taken, though packets seem to be missing: the check at the end has the say")
    func doubtful() async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-5.ts", "tail", times: 99)
        let attempt = await fetch(into: copy)
        #expect(attempt.isFinished)
        #expect(copy.received < Int64(fixture.sound.count))
        #expect(try await asked("seg-5.ts") == 2)
    }

    @Test("A playlist whose segments are shorter than it says is no sound")
    func shorter() async throws {
        let copy = MemoryCopy()
        let attempt = await fetch("short", into: copy)
        #expect(attempt.failure?.code == .damagedSound)
        #expect(copy.received == 0)
    }

    @Test("A part of a file is taken only from an answer that names that part", arguments: ["whole", "shifted"])
    func otherPart(kind: String) async throws {
        try await server.fault("hls/all.ts", kind, times: 1)
        let attempt = await fetch("ranged", into: MemoryCopy())
        #expect(attempt.failure?.code == .badAnswer)
    }

    @Test("AAC is taken as it is")
    func aac() async throws {
        let copy = MemoryCopy()
        let attempt = await fetch("aac", into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == fixture.aac)
    }

    @Test(
        "References are resolved against where the playlist was found after redirects", arguments: ["index", "master"])
    func moved(playlist: String) async throws {
        let copy = MemoryCopy()
        let attempt = await attempt(server.location("moved/\(playlist).m3u8"), into: copy, on: session)
        #expect(attempt.isFinished)
        #expect(copy.bytes == fixture.sound)
    }

    @Test("While one segment is late, some of the next are fetched ahead, no more than memory should hold")
    func ahead() async throws {
        try await server.fault("hls/seg-2.ts", "hold", times: 1)
        let copy = MemoryCopy()
        let held = Attempt(server.location("dir/hls/index.m3u8"), into: copy, on: session)
        var names: Set<String> = []
        while names.count < 6 {
            names = Set(try await server.log().map(\.path).filter { $0.hasSuffix(".ts") && $0.contains("/seg-") })
        }
        #expect(names.count <= 9)
        #expect(copy.segments?.done ?? 0 <= 1)
        try await server.open()
        await held.end()
        #expect(copy.bytes == fixture.sound)
    }

    @Test("A server that asks to wait is not asked again at once", arguments: ["429", "503"])
    func busy(status: String) async throws {
        try await server.fault("hls/seg-5.ts", status, times: 9)
        let attempt = await fetch(into: MemoryCopy())
        #expect(attempt.failure?.code == .serverBusy)
        #expect(try await asked("seg-5.ts") == 1)
    }

    @Test("A playlist with other segments begins anew", arguments: ["other", "fewer"])
    func otherPlaylist(name: String) async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-5.ts", "403", times: 1)
        _ = await fetch(into: copy)
        #expect(copy.segments?.done == 4)
        let attempt = await fetch(name, into: copy)
        #expect(attempt.isFinished)
        #expect(copy.look { $0.resets } == 1)
        #expect(fixture.sound.starts(with: copy.bytes))
        #expect(name == "fewer" || copy.bytes == fixture.sound)
    }

    @Test("What was begun as one file goes on as segments, and the other way round, from the start")
    func kindChanges() async throws {
        let copy = MemoryCopy()
        _ = await attempt(server.location("cut/50000"), into: copy, on: session)
        #expect(copy.received == 25000)
        try await server.fault("hls/seg-5.ts", "403", times: 1)
        _ = await fetch(into: copy)
        #expect(copy.kind == .hls)
        #expect(copy.segments?.done == 4)
        let attempt = await attempt(server.location("good/50000"), into: copy, on: session)
        #expect(attempt.isFinished)
        #expect(copy.kind == .direct)
        #expect(copy.bytes == LocalServer.sound(50000))
    }

    @Test(
        "Circles of playlists, a list without an end and what we do not know are refused in words",
        arguments: [
            ("circle", Failure.Code.badAnswer, "leads to no sound"), ("endless", .badAnswer, "cut short"),
            ("map", .unsupported, "EXT-X-MAP"), ("sample-aes", .unsupported, "SAMPLE-AES"),
        ])
    func refused(playlist: String, code: Failure.Code, words: String) async throws {
        let copy = MemoryCopy()
        let attempt = await fetch(playlist, into: copy)
        #expect(attempt.failure?.code == code)
        #expect(attempt.failure?.message.contains(words) == true)
        #expect(copy.received == 0)
    }

    @Test("Segments go on in order whatever the reader prefers, and stop when cancelled")
    func cancelled() async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-6.ts", "hold", times: 1)
        let attempt = Attempt(server.location("dir/hls/index.m3u8"), into: copy, on: session)
        await attempt.wait { event in
            if case .progress = event { copy.segments?.done == 5 } else { false }
        }
        attempt.transfer?.prefer(offset: 900_000)
        attempt.transfer?.cancel()
        #expect(session.runningCount == 0)
        try await server.open()
        let count = attempt.events.count
        _ = await fetch("plain", into: MemoryCopy())
        #expect(attempt.events.count == count)
        #expect(copy.segments?.done == 5)
    }

    @Test("A full disk ends the attempt with that reason")
    func diskFull() async throws {
        let copy = MemoryCopy { $0.room = 300_000 }
        let attempt = await fetch(into: copy)
        #expect(attempt.failure?.code == .diskFull)
    }
}
