import NyanCore
import Testing

@testable import NyanNet

@Suite("A long body that comes steadily is looked at in intervals", .timeLimit(.minutes(1)))
struct SteadyLineTests {
    static let size = 3_000_000
    let server: LocalServer
    let session = CurlSession()

    init() throws { server = try LocalServer() }

    @Test("What came meanwhile is written together, and all of it arrives")
    func together() async throws {
        let copy = MemoryCopy()
        let writes = WriteCount()
        writes.count(in: copy) {}
        let attempt = await attempt(server.location("steady/\(Self.size)"), into: copy, on: session)
        #expect(attempt.isFinished && copy.bytes == LocalServer.sound(Self.size))
        // Its server sends 184 pieces, 4 ms apart: two or three of them in an interval.
        #expect(writes.value < 160)
    }

    @Test("Several at once, and one that is cut off while it rests, leave the session in order")
    func several() async throws {
        let copies = (0..<4).map { _ in MemoryCopy() }
        let attempts = copies.map { Attempt(server.location("steady/\(Self.size)"), into: $0, on: session) }
        let writes = WriteCount()
        writes.count(in: copies[0]) {
            if copies[0].received > Self.size / 2 { attempts[0].transfer?.cancel() }
        }
        for attempt in attempts.dropFirst() { await attempt.end() }
        #expect(attempts.dropFirst().allSatisfy(\.isFinished) && !attempts[0].isFinished)
        #expect(copies.dropFirst().allSatisfy { $0.bytes == LocalServer.sound(Self.size) })
        #expect(session.runningCount == 0)
        let next = MemoryCopy()
        let last = await attempt(server.location("steady/\(Self.size)"), into: next, on: session)
        #expect(last.isFinished && next.bytes == LocalServer.sound(Self.size))
    }

    @Test("Connections dropped while they rest fail at once, and new ones are opened")
    func dropped() async throws {
        let copy = MemoryCopy()
        let attempt = Attempt(server.location("steady/\(Self.size)"), into: copy, on: session)
        await attempt.wait { event in
            if case .progress(let received, _) = event { received > 1_000_000 } else { false }
        }
        session.dropConnections()
        await attempt.end()
        #expect(attempt.failure?.code == .network)
        let again = await NyanNetTests.attempt(server.location("steady/\(Self.size)"), into: copy, on: session)
        #expect(again.isFinished && copy.bytes == LocalServer.sound(Self.size))
    }
}
