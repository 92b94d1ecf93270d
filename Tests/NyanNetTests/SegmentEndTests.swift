import NyanCore
import Testing

@testable import NyanNet

@Suite("Segments leave nothing behind", .timeLimit(.minutes(1)))
struct SegmentEndTests {
    let server: LocalServer
    let fixture: SoundFixture
    let session = CurlSession()

    init() async throws {
        server = try LocalServer()
        fixture = try await SoundFixture.inDirectory(of: server.root)
    }

    private func fetch(into copy: MemoryCopy) async -> Attempt {
        await attempt(server.location("dir/hls/index.m3u8"), into: copy, on: session)
    }

    private func asked(_ name: String) async throws -> Int {
        try await server.log().count { $0.path.hasSuffix("/hls/\(name)") }
    }

    @Test("What is no longer fetched does not count: others have their room again")
    func counted() async throws {
        try await server.fault("hls/seg-3.ts", "hold", times: 1)
        let attempt = Attempt(server.location("dir/hls/index.m3u8"), into: MemoryCopy(), on: session)
        while try await asked("seg-3.ts") == 0 {}
        #expect(SegmentFetch.count > 0)
        attempt.transfer?.cancel()
        try await server.open()
        for number in 1...3 { try await server.fault("hls/seg-\(number).ts", "403", times: 1) }
        _ = await fetch(into: MemoryCopy())
        // Other tests may be fetching at the same time.
        while SegmentFetch.count > 0 { _ = try await server.log() }
    }

    @Test("An attempt that is over is let go, with its memory", arguments: ["", "404", "rubbish"])
    func letGo(fault: String) async throws {
        try await server.fault("hls/seg-4.ts", fault, times: fault.isEmpty ? 0 : 99)
        weak var transfer: (any Transfer)?
        do {
            let attempt = await fetch(into: MemoryCopy())
            transfer = attempt.transfer
            #expect(transfer != nil)
        }
        // What was to be tried again lets go a moment later.
        while transfer != nil { _ = try await server.log() }
    }
}
