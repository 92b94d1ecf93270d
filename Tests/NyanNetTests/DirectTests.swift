import NyanCore
import Testing

@testable import NyanNet

@Suite("A sound file is fetched by ranges", .timeLimit(.minutes(1)))
struct DirectTests {
    static let size = 300_000
    let server: LocalServer
    let sound = LocalServer.sound(size)

    init() throws { server = try LocalServer() }

    /// A copy with the file's first bytes, as an earlier attempt left it.
    private func half(tag: String? = "\"v1\"", count: Int = size / 2) -> MemoryCopy {
        MemoryCopy { state in
            state.kind = .direct
            state.size = Int64(Self.size)
            state.validator = Validator(etag: tag)
            state.bytes = Array(LocalServer.sound(Self.size)[..<count])
            state.there = RangeSet([0..<Int64(count)])
        }
    }

    @Test("The whole file arrives, with its size and strong tag remembered")
    func whole() async throws {
        let copy = MemoryCopy()
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy)
        #expect(attempt.isFinished)
        #expect(attempt.events.dropLast().last == .progress(received: 300_000, total: 300_000))
        #expect(copy.bytes == sound)
        #expect(copy.isComplete)
        #expect(copy.validator == Validator(etag: "\"v1\""))
        #expect(try await server.log().first?.headers["user-agent"] == "test/1")
    }

    @Test(
        "A file that breaks off in the middle fails with its bytes kept; the next attempt completes it",
        arguments: ["cut", "dated", "unranged", "shifted"])
    func resumed(mode: String) async throws {
        let copy = MemoryCopy()
        let first = await attempt(server.location("\(mode)/\(Self.size)"), into: copy)
        #expect(first.failure == Failure(.network, "127.0.0.1 ended its answer too early.", retry: .later))
        #expect(copy.received == 150_000)
        let second = await attempt(server.location("\(mode)/\(Self.size)"), into: copy)
        #expect(second.isFinished)
        #expect(copy.bytes == sound)
    }

    @Test("Going on fetches only what is missing, and only if the file is unchanged")
    func onlyMissing() async throws {
        let copy = half()
        _ = await attempt(server.location("good/\(Self.size)"), into: copy)
        let asked = try #require(try await server.log().first)
        #expect(asked.headers["range"] == "bytes=150000-299999")
        #expect(asked.headers["if-range"] == "\"v1\"")
        #expect(copy.look { $0.written } == 150_000)
        #expect(copy.bytes == sound)
    }

    @Test("A server that sends everything again has only the missing part written")
    func sentAgain() async throws {
        let copy = MemoryCopy()
        for _ in 0..<2 { _ = await attempt(server.location("unranged/\(Self.size)"), into: copy) }
        #expect(copy.bytes == sound)
        #expect(copy.look { $0.written } == 300_000)
        #expect(copy.look { $0.resets } == 0)
    }

    @Test("A date is proof where the tag is weak")
    func weakTag() async throws {
        let copy = MemoryCopy()
        for _ in 0..<2 { _ = await attempt(server.location("dated/\(Self.size)"), into: copy) }
        #expect(copy.validator == Validator(lastModified: "Wed, 21 Oct 2015 07:28:00 GMT"))
        #expect(try await server.log().last?.headers["if-range"] == "Wed, 21 Oct 2015 07:28:00 GMT")
        #expect(copy.look { $0.written } == 300_000)
    }

    @Test(
        "A file that changed between two attempts is fetched anew, never spliced",
        arguments: ["changed", "swapped", "unproven"])
    func changed(mode: String) async throws {
        let copy = MemoryCopy()
        for _ in 0..<2 { _ = await attempt(server.location("\(mode)/\(Self.size)"), into: copy) }
        #expect(copy.isComplete)
        #expect(copy.bytes == LocalServer.sound(Self.size, version: 2))
        #expect(copy.look { $0.resets } == 1)
    }

    @Test("A file of another length is fetched anew though nothing else tells it from the old one")
    func resized() async throws {
        let copy = MemoryCopy()
        for _ in 0..<2 { _ = await attempt(server.location("resized/\(Self.size)"), into: copy) }
        #expect(copy.bytes == LocalServer.sound(Self.size + 5000, version: 2))
    }

    @Test("A file with a new tag at every request and never whole ends in a failure")
    func everChanging() async throws {
        let copy = MemoryCopy()
        for _ in 0..<3 {
            let attempt = await attempt(server.location("newtag/\(Self.size)"), into: copy)
            #expect(attempt.failure != nil)
        }
        #expect(try await server.log().count < 20)
    }

    @Test("416 for a file that was already whole is success, without a byte written")
    func alreadyWhole() async throws {
        let copy = half(count: Self.size)
        copy.look { $0.size = nil }
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy)
        #expect(attempt.isFinished)
        #expect(copy.isComplete)
        #expect(copy.look { $0.written } == 0)
    }

    @Test("416 for a copy longer than the file throws the copy away and begins anew")
    func tooLong() async throws {
        let copy = MemoryCopy { state in
            state.kind = .direct
            state.bytes = [UInt8](repeating: 1, count: Self.size + 10)
            state.there = RangeSet([0..<Int64(Self.size + 10)])
        }
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == sound)
    }

    @Test("A complete copy asks nobody")
    func complete() async throws {
        let copy = half(count: Self.size)
        copy.look { $0.isComplete = true }
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy)
        #expect(attempt.events == [.finished])
        #expect(try await server.log().isEmpty)
    }

    @Test("A file of unknown length is whole at its clean end, and broken off without one")
    func chunked() async throws {
        let copy = MemoryCopy()
        let whole = await attempt(server.location("chunked/\(Self.size)"), into: copy)
        #expect(whole.isFinished)
        #expect(copy.bytes == sound)
        #expect(copy.size == 300_000)
        let broken = await attempt(server.location("halfchunked/\(Self.size)"), into: MemoryCopy())
        #expect(broken.failure?.code == .network)
    }

    @Test(
        "An address that no longer gives the track says so",
        arguments: ["status/403", "status/404", "status/410", "status/418", "page", "empty", "expired", "good/0"])
    func expired(path: String) async throws {
        let copy = MemoryCopy()
        let attempt = await attempt(server.location(path), into: copy)
        #expect(attempt.failure?.code == .expiredLocation)
        #expect(attempt.failure?.message.contains("127.0.0.1") == true)
        #expect(copy.received == 0)
    }

    @Test("An expired address keeps the bytes that are there")
    func expiredLater() async throws {
        let copy = half()
        _ = await attempt(server.location("status/403"), into: copy)
        #expect(copy.received == 150_000)
    }

    @Test("A server that asks to wait is obeyed, in seconds and by date", arguments: [429, 503])
    func busy(status: Int) async throws {
        let seconds = await attempt(server.location("busy/\(status)?after=7"), into: MemoryCopy())
        var expected = Failure(.serverBusy, "127.0.0.1 asks to wait.", retry: .after(seconds: 7))
        expected.host = "127.0.0.1"
        #expect(seconds.failure == expected)
        let rubbish = await attempt(server.location("busy/\(status)?after=soon"), into: MemoryCopy())
        #expect(rubbish.failure?.retry == .later)
    }

    @Test("Silence and a trickle are given up", arguments: ["silent", "mute", "drip"])
    func silence(mode: String) async throws {
        // Without a least speed libcurl itself does not look: only the session's own watch ends a silence.
        let limits = CurlSession.Limits(silence: .seconds(1), leastBytesPerSecond: mode == "drip" ? 64 : 0)
        let session = CurlSession(limits: limits)
        let start = ContinuousClock.now
        // A call with a time limit of its own beside it must not put the watch to sleep.
        let call = Task { try? await session.send(HTTPRequest(.get, url: server.url("mute"), timeout: .seconds(2))) }
        let attempt = await attempt(server.location("\(mode)/\(Self.size)"), into: MemoryCopy(), on: session)
        if mode != "drip" { #expect(ContinuousClock.now - start < .seconds(15)) }
        #expect(attempt.failure == Failure(.timeout, "127.0.0.1 did not answer in time.", retry: .later))
        _ = await call.value
        try await server.open()
    }

    @Test("A redirect to another host keeps the range")
    func redirected() async throws {
        let copy = half()
        let attempt = await attempt(server.location("hop/\(Self.size)?to=localhost"), into: copy)
        #expect(attempt.isFinished)
        #expect(copy.bytes == sound)
        let last = try await server.log().last
        #expect(last?.headers["range"] == "bytes=150000-299999" && last?.headers["if-range"] == "\"v1\"")
        #expect(last?.headers["accept-encoding"] == "identity")
    }

    @Test("A full disk ends the attempt with that reason")
    func diskFull() async throws {
        let copy = MemoryCopy { $0.room = 100_000 }
        let attempt = await attempt(server.location("good/\(Self.size)"), into: copy)
        #expect(attempt.failure?.code == .diskFull)
    }

    @Test("What is noted is told every tenth of a second, not at once")
    func pace() async {
        var waiting: CheckedContinuation<Void, Never>?
        let pacer = ProgressPacer { waiting?.resume() }
        let start = ContinuousClock.now
        for _ in 0..<4 {
            await withCheckedContinuation { continuation in
                waiting = continuation
                for _ in 0..<50 { pacer.note() }
            }
        }
        #expect(ContinuousClock.now - start > .milliseconds(290))
    }

    @Test("Progress is told at most ten times a second, always rising, the whole at the end")
    func progress() async throws {
        let copy = MemoryCopy()
        let start = ContinuousClock.now
        let attempt = await attempt(server.location("good/3000000"), into: copy)
        let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
        let received = attempt.events.compactMap { event in
            if case .progress(let received, _) = event { received } else { nil }
        }
        #expect(received == received.sorted())
        #expect(received.last == 3_000_000)
        #expect(received.count <= tenths + 3)
    }
}
