import NyanCore
import Testing

@testable import NyanNet

@Suite("What comes at once is written at once", .timeLimit(.minutes(1)))
struct GatheringTests {
    static let size = 4_000_000
    let server: LocalServer

    init() throws { server = try LocalServer() }

    @Test("A file on a fast line is written in larger pieces than libcurl hands out, and none is left behind")
    func larger() async throws {
        let copy = MemoryCopy()
        let writes = WriteCount()
        writes.count(in: copy) {}
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == LocalServer.sound(Self.size))
        // libcurl's own pieces have 16 KiB at most: 245 of them.
        #expect(writes.value < 180)
    }

    @Test("A disk that is full in the middle ends the attempt at once, and the session goes on")
    func full() async throws {
        let session = CurlSession()
        let copy = MemoryCopy { $0.room = 1_000_000 }
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy, on: session)
        #expect(attempt.failure?.code == .diskFull)
        #expect(session.runningCount == 0)
        let next = MemoryCopy()
        let other = await NyanNetTests.attempt(server.location("good/\(Self.size)"), into: next, on: session)
        #expect(other.isFinished && next.bytes == LocalServer.sound(Self.size))
    }

    @Test("A transfer cancelled while its bytes are written hears of no more, and others lose nothing")
    func cancelled() async throws {
        let session = CurlSession()
        let copy = MemoryCopy()
        let attempt = Attempt(server.location("good/\(Self.size)"), into: copy, on: session)
        let writes = WriteCount()
        writes.count(in: copy) {
            if writes.value == 3 { attempt.transfer?.cancel() }
        }
        let next = MemoryCopy()
        let other = await NyanNetTests.attempt(server.location("good/\(Self.size)"), into: next, on: session)
        #expect(other.isFinished && next.bytes == LocalServer.sound(Self.size))
        #expect(writes.value == 3 && !attempt.isFinished && session.runningCount == 0)
    }
}

/// How often a copy was written to.
final class WriteCount {
    private(set) var value = 0

    func count(in copy: MemoryCopy, then act: @escaping @MainActor @Sendable () -> Void) {
        let onWrite: @MainActor @Sendable () -> Void = { [self] in
            value += 1
            act()
        }
        copy.look { $0.onWrite = onWrite }
    }
}
