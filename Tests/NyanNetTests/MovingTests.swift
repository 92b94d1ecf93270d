import NyanCore
import Testing

@testable import NyanNet

@Suite("A transfer goes where the reader is, and stops when told", .timeLimit(.minutes(1)))
struct MovingTests {
    static let size = 2_000_000
    let server: LocalServer
    let session = CurlSession()
    let sound = LocalServer.sound(size)

    init() throws { server = try LocalServer() }

    /// What happened inside a write.
    private final class Seen {
        var writes = 0
        var second: Attempt?
    }

    /// An attempt whose server has sent the first half and waits.
    private func held(_ copy: MemoryCopy) async -> Attempt {
        let attempt = Attempt(server.location("held/\(Self.size)"), into: copy, on: session)
        await attempt.wait { event in
            if case .progress(1_000_000, _) = event { true } else { false }
        }
        return attempt
    }

    private func ranges() async throws -> [String] { try await server.log().map { $0.headers["range"] ?? "" } }

    @Test("A reader far ahead gets its bytes first, then the hole is filled")
    func farAhead() async throws {
        let copy = MemoryCopy()
        let attempt = await held(copy)
        attempt.transfer?.prefer(offset: 1_800_000)
        await attempt.end()
        #expect(attempt.isFinished)
        #expect(copy.bytes == sound)
        #expect(try await ranges() == ["bytes=0-", "bytes=1800000-1999999", "bytes=1000000-1799999"])
        #expect(copy.look { $0.written } == 2_000_000)
        try await server.open()
    }

    @Test(
        "A reader close ahead, or where bytes are, waits for the transfer going on",
        arguments: [0, 1_000_000, 1_200_000])
    func closeAhead(offset: Int64) async throws {
        let copy = MemoryCopy()
        let attempt = await held(copy)
        attempt.transfer?.prefer(offset: offset)
        try await server.open()
        await attempt.end()
        #expect(copy.bytes == sound)
        #expect(try await ranges() == ["bytes=0-"])
    }

    @Test("A reader who begins in the middle: the start is looked at, then the transfer moves there")
    func fromTheMiddle() async throws {
        let copy = MemoryCopy()
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy, from: 1_500_000, on: session)
        #expect(attempt.isFinished)
        #expect(copy.bytes == sound)
        #expect(try await ranges().prefix(2) == ["bytes=0-", "bytes=1500000-1999999"])
    }

    @Test("A server without ranges is not asked to move")
    func noRanges() async throws {
        let copy = MemoryCopy()
        let attempt = await attempt(server.location("chunked/\(Self.size)"), into: copy, from: 1_500_000, on: session)
        #expect(attempt.isFinished)
        #expect(copy.bytes == sound)
        #expect(try await server.log().count == 1)
    }

    @Test("Cancelled from the outside: no event comes any more, and nothing runs on")
    func cancelled() async throws {
        let copy = MemoryCopy()
        let attempt = await held(copy)
        let count = attempt.events.count
        attempt.transfer?.cancel()
        #expect(session.runningCount == 0)
        try await server.open()
        _ = await NyanNetTests.attempt(server.location("good/1000"), into: MemoryCopy(), on: session)
        #expect(attempt.events.count == count)
        #expect(copy.received == 1_000_000)
    }

    @Test("Cancelled, moved and begun from inside a write, that is from inside libcurl")
    func insideWrites() async throws {
        let copy = MemoryCopy()
        let other = MemoryCopy()
        let seen = Seen()
        let first = Attempt(server.location("good/\(Self.size)"), into: copy, on: session)
        let onWrite: @MainActor @Sendable () -> Void = { [server, session] in
            seen.writes += 1
            if seen.writes == 1 { first.transfer?.prefer(offset: 1_500_000) }
            if seen.writes == 3 {
                first.transfer?.cancel()
                seen.second = Attempt(server.location("good/5000"), into: other, on: session)
            }
        }
        copy.look { $0.onWrite = onWrite }
        while seen.second == nil { await Task.yield() }
        await seen.second?.end()
        #expect(other.bytes == LocalServer.sound(5000))
        #expect(session.runningCount == 0)
        #expect(!copy.isComplete)
        #expect(first.events.allSatisfy { $0 != .finished })
    }

    @Test("A limited transfer takes its time; a limit lifted lets it go")
    func limited() async throws {
        let copy = MemoryCopy()
        let clock = ContinuousClock()
        let attempt = Attempt(server.location("good/2000000"), into: copy, on: session, limit: 500_000)
        await attempt.wait { _ in true }
        let start = clock.now
        await attempt.end()
        #expect(clock.now - start > .seconds(1))
        #expect(copy.bytes == sound)

        let slow = Attempt(server.location("good/\(Self.size)"), into: MemoryCopy(), on: session, limit: 20_000)
        await slow.wait { _ in true }
        let lifted = clock.now
        slow.transfer?.limit(bytesPerSecond: nil)
        await slow.end()
        // Under its limit it takes a quarter of a minute.
        #expect(clock.now - lifted < .seconds(10))
        #expect(slow.isFinished)
    }

    @Test("A limit set again after a free run does not make the transfer pay for it")
    func limitedAgain() async throws {
        let copy = MemoryCopy()
        let attempt = Attempt(server.location("held/\(Self.size)"), into: copy, on: session, limit: 10_000_000)
        await attempt.wait { event in
            if case .progress(1_000_000, _) = event { true } else { false }
        }
        attempt.transfer?.limit(bytesPerSecond: nil)
        attempt.transfer?.limit(bytesPerSecond: 2_000_000)
        try await server.open()
        await attempt.end()
        #expect(copy.bytes == sound)
    }

    @Test("Twenty files at once, each with its own bytes")
    func many() async throws {
        let copies = (0..<20).map { _ in MemoryCopy() }
        let attempts = copies.enumerated().map { index, copy in
            Attempt(server.location("good/\(100_000 + index)"), into: copy, on: session)
        }
        for (index, attempt) in attempts.enumerated() {
            await attempt.end()
            #expect(attempt.isFinished)
            #expect(copies[index].bytes == LocalServer.sound(100_000 + index))
        }
    }
}
