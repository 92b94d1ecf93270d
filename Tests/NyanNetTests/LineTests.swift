import NyanCore
import Testing

@testable import NyanNet

@Suite("Connections to a host are bounded", .timeLimit(.minutes(1)))
struct LineTests {
    static let size = 300_000
    let server: LocalServer
    let session = CurlSession(limits: CurlSession.Limits(silence: .seconds(1)))

    init() throws { server = try LocalServer() }

    @Test("A hundred transfers at once all end well; never more go on than may")
    func many() async throws {
        // On a slow machine the gate may stay closed for long: nobody is given up for that, which would let others begin
        // while the server still holds the ones before.
        let session = CurlSession(limits: CurlSession.Limits(silence: .seconds(50)))
        let most = MostGoingOn()
        let copies = (0..<100).map { _ in
            MemoryCopy { $0.onWrite = { most.note(session.goingOn) } }
        }
        // Each stops in the middle until the gate opens.
        let attempts = copies.map { Attempt(server.location("silent/\(Self.size)"), into: $0, on: session) }
        while try await mostHeld() < ConnectionLine.mostPerHost {}
        #expect(session.runningCount == 100)
        #expect(try await mostHeld() == ConnectionLine.mostPerHost)
        try await server.open()
        for attempt in attempts { await attempt.end() }
        #expect(attempts.allSatisfy { $0.isFinished })
        let sound = LocalServer.sound(Self.size)
        let areEqual = copies.allSatisfy { $0.bytes == sound }
        #expect(areEqual && session.runningCount == 0)
        #expect(most.count == ConnectionLine.mostPerHost)
    }

    private final class MostGoingOn {
        private(set) var count = 0
        func note(_ goingOn: Int) { count = max(count, goingOn) }
    }

    /// The most requests the server held at once while the gate was closed.
    private func mostHeld() async throws -> Int {
        let answer = try await session.send(HTTPRequest(.get, url: server.url("most")))
        return try #require(Int(String(decoding: answer.body, as: UTF8.self)))
    }

    @Test("Who waits behind silent ones is not given up with them; who is cancelled there is gone; calls pass by")
    func behindSilence() async throws {
        let silent = (0..<ConnectionLine.mostPerHost).map { _ in
            Attempt(server.location("mute"), into: MemoryCopy(), on: session)
        }
        let copy = MemoryCopy()
        let good = Attempt(server.location("good/\(Self.size)"), into: copy, on: session)
        let other = Attempt(server.location("good/\(Self.size)"), into: MemoryCopy(), on: session)
        while session.runningCount < silent.count + 2 { await Task.yield() }
        other.transfer?.cancel()
        #expect(session.runningCount == silent.count + 1)
        #expect(try await session.send(HTTPRequest(.get, url: server.url("echo/200"))).status == 200)
        await good.end()
        #expect(good.isFinished && copy.isComplete)
        for attempt in silent {
            await attempt.end()
            #expect(attempt.failure?.code == .timeout)
        }
        #expect(other.events.isEmpty)
        try await server.open()
    }

    @Test("Dropped connections end those who wait as well")
    func dropped() async throws {
        let attempts = (0..<30).map { _ in Attempt(server.location("mute"), into: MemoryCopy(), on: session) }
        while session.runningCount < 30 { await Task.yield() }
        session.dropConnections()
        for attempt in attempts {
            await attempt.end()
            #expect(attempt.failure?.code == .network)
        }
        #expect(session.runningCount == 0)
        try await server.open()
    }
}
