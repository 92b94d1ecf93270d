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

    @Test("Encrypted and plain segments give the bytes ffmpeg gives", arguments: ["index", "master", "plain"])
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

    @Test("The key is fetched once, every segment once, over at most four connections and with the User-Agent")
    func economy() async throws {
        _ = await fetch(into: MemoryCopy())
        let log = try await server.log()
        #expect(log.count == fixture.segments + 2)
        #expect(try await asked("key.pub") == 1)
        #expect(Set(log.map(\.link)).count <= 5)
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
        arguments: ["rubbish", "odd", "empty", "cut", "page", "500"], [1, 4, 6])
    func brokenSegment(kind: String, number: Int) async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-\(number).ts", kind, times: 2)
        let attempt = await fetch(into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == fixture.sound)
        #expect(try await asked("seg-\(number).ts") == 3)
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

    @Test("A wrong or missing key ends the attempt", arguments: [("page", 99), ("empty", 99)])
    func badKey(kind: String, times: Int) async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/key.pub", kind, times: times)
        let attempt = await fetch(into: copy)
        #expect(attempt.failure?.code == .badAnswer)
        #expect(copy.received == 0)
        #expect(try await asked("key.pub") == 3)
    }

    @Test("A key that fails at first is fetched again", arguments: ["500", "page"])
    func keyAgain(kind: String) async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/key.pub", kind, times: 2)
        let attempt = await fetch(into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == fixture.sound)
    }

    @Test(
        "An address that expires in the middle keeps what came before; a fresh one completes it without fetching again",
        arguments: ["403", "404", "410"])
    func expires(status: String) async throws {
        let copy = MemoryCopy()
        for number in 9...fixture.segments { try await server.fault("hls/seg-\(number).ts", status, times: 1) }
        let first = await fetch(into: copy)
        #expect(first.failure?.code == .expiredLocation)
        #expect(copy.segments?.done == 8)
        for number in 9...fixture.segments { try await server.fault("hls/seg-\(number).ts", "", times: 0) }
        let second = await fetch(into: copy)
        #expect(second.isFinished)
        #expect(copy.bytes == fixture.sound)
        #expect(copy.look { $0.written } == Int64(fixture.sound.count))
        for number in 2...8 { #expect(try await asked("seg-\(number).ts") == 1) }
    }

    @Test("A server that asks to wait is not asked again at once", arguments: ["429", "503"])
    func busy(status: String) async throws {
        try await server.fault("hls/seg-5.ts", status, times: 9)
        let attempt = await fetch(into: MemoryCopy())
        #expect(attempt.failure?.code == .serverBusy)
        #expect(try await asked("seg-5.ts") == 1)
    }

    @Test("A playlist with other segments begins anew")
    func otherPlaylist() async throws {
        let copy = MemoryCopy()
        try await server.fault("hls/seg-5.ts", "404", times: 1)
        _ = await fetch(into: copy)
        #expect(copy.segments?.done == 4)
        let attempt = await fetch("other", into: copy)
        #expect(attempt.isFinished)
        #expect(copy.look { $0.resets } == 1)
        #expect(copy.bytes == fixture.sound)
    }

    @Test("What was begun as one file goes on as segments, and the other way round, from the start")
    func kindChanges() async throws {
        let copy = MemoryCopy()
        _ = await attempt(server.location("cut/50000"), into: copy, on: session)
        #expect(copy.received == 25000)
        try await server.fault("hls/seg-5.ts", "404", times: 1)
        _ = await fetch(into: copy)
        #expect(copy.kind == .hls)
        #expect(copy.segments?.done == 4)
        let attempt = await attempt(server.location("good/50000"), into: copy, on: session)
        #expect(attempt.isFinished)
        #expect(copy.kind == .direct)
        #expect(copy.bytes == LocalServer.sound(50000))
    }

    @Test(
        "AAC, circles of playlists and a list without an end are refused",
        arguments: [("aac", Failure.Code.unsupported), ("circle", .badAnswer), ("endless", .badAnswer)])
    func refused(playlist: String, code: Failure.Code) async throws {
        let copy = MemoryCopy()
        let attempt = await fetch(playlist, into: copy)
        #expect(attempt.failure?.code == code)
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
