import Glibc
import NyanCore
import Testing

@testable import NyanNet

@Suite("Connections are dropped after a sleep", .timeLimit(.minutes(1)))
struct DroppingTests {
    static let size = 2_000_000
    let server: LocalServer
    let session = CurlSession()

    init() throws { server = try LocalServer() }

    private func links() async throws -> [Int] { try await server.log().map(\.link) }

    @Test("An idle connection is used again, but not after it was dropped")
    func idle() async throws {
        for _ in 0..<2 { _ = try await session.send(HTTPRequest(.get, url: server.url("echo/200"))) }
        session.dropConnections()
        for _ in 0..<2 { _ = try await session.send(HTTPRequest(.get, url: server.url("echo/200"))) }
        let links = try await links()
        #expect(links[0] == links[1] && links[2] == links[3] && links[1] != links[2])
        #expect(session.runningCount == 0)
    }

    @Test("What runs fails as a broken connection, at once; a new attempt goes on at the same byte over a new one")
    func running() async throws {
        let copy = MemoryCopy()
        let first = Attempt(server.location("held/\(Self.size)"), into: copy, on: session)
        await first.wait { event in
            if case .progress(1_000_000, _) = event { true } else { false }
        }
        session.dropConnections()
        await first.end()
        #expect(first.failure?.code == .network && first.failure?.retry == .later)
        #expect(session.runningCount == 0)
        try await server.open()
        let second = await attempt(server.location("held/\(Self.size)"), into: copy, on: session)
        #expect(second.isFinished && copy.bytes == LocalServer.sound(Self.size))
        let asked = try await server.log()
        #expect(asked.map { $0.headers["range"] } == ["bytes=0-", "bytes=1000000-1999999"])
        #expect(asked[0].link != asked[1].link)
    }

    @Test("A call under way fails, and whoever hears of it may begin the next from there")
    func calls() async throws {
        let call = Task { [session, server] in
            await Result { () async throws(Failure) in
                try await session.send(HTTPRequest(.get, url: server.url("mute")))
            }
        }
        while session.runningCount == 0 { await Task.yield() }
        session.dropConnections()
        guard case .failure(let failure) = await call.value else { return #expect(Bool(false), "it was answered") }
        #expect(failure.code == .network)
        #expect(try await session.send(HTTPRequest(.get, url: server.url("echo/200"))).status == 200)
        try await server.open()
    }

    @Test("Dropped from within the end of a transfer, and again and again: descriptors stay the same")
    func again() async throws {
        let copy = MemoryCopy()
        for _ in 0..<3 { session.dropConnections() }
        _ = await attempt(server.location("good/1000"), into: copy, on: session)
        let before = openDescriptors()
        for _ in 0..<20 {
            _ = await attempt(server.location("good/1000"), into: MemoryCopy(), on: session)
            session.dropConnections()
        }
        #expect(openDescriptors() <= before + 2)
    }

    private func openDescriptors() -> Int {
        (0..<512).count { fcntl($0, F_GETFD) >= 0 }
    }
}

extension Result where Success: Sendable, Failure == NyanCore.Failure {
    /// What an asynchronous call came to.
    init(_ body: () async throws(NyanCore.Failure) -> Success) async {
        do throws(NyanCore.Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
