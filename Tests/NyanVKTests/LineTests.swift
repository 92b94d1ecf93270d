import NyanCore
import NyanVK
import Testing

@Suite("Calls wait for their turn", .timeLimit(.minutes(1)))
struct LineTests {
    @Test("eight callers at once: one call at a time, in order, at least 400 ms apart")
    func eightCallers() async throws {
        let clock = TestClock()
        let http = ScriptedHTTP()
        var starts: [Duration] = []
        http.onRequest = { _ in starts.append(clock.now) }
        let source = makeSource(http, clock: clock)
        let callers = (0..<8).map { number in
            Task.immediate { try await source.search("q\(number)", count: 1, byArtist: false) }
        }
        for caller in callers { _ = try await caller.value }
        #expect(http.mostInFlight == 1)
        #expect(http.seen.compactMap { $0.fields["q"] } == (0..<8).map { "q\($0)" })
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
        #expect(gaps.count == 7)
        #expect(gaps.allSatisfy { $0 == .milliseconds(400) })
    }

    @Test("a call long after the last one does not wait, and the interval can be changed")
    func noNeedlessWait() async throws {
        let clock = TestClock()
        let source = makeSource(ScriptedHTTP(), clock: clock)
        _ = try await source.search("a", count: 1, byArtist: false)
        clock.advance(by: .seconds(1))
        _ = try await source.search("b", count: 1, byArtist: false)
        #expect(clock.naps.isEmpty)
        source.minInterval = .seconds(2)
        _ = try await source.search("c", count: 1, byArtist: false)
        #expect(clock.naps == [.seconds(2)])
    }

    @Test("who gives up in the line sends nothing and holds up nobody")
    func givingUpInLine() async throws {
        let http = ScriptedHTTP(.gate(#"{"response":{"count":0,"items":[]}}"#))
        let source = makeSource(http)
        let first = Task.immediate { try await source.search("first", count: 1, byArtist: false) }
        let second = Task.immediate { () -> Failure? in
            await failure { () async throws(Failure) in
                _ = try await source.search("second", count: 1, byArtist: false)
            }
        }
        let third = Task.immediate { try await source.search("third", count: 1, byArtist: false) }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        http.open()
        _ = try await first.value
        _ = try await third.value
        #expect(http.seen.compactMap { $0.fields["q"] } == ["first", "third"])
    }

    @Test("who gives up while the pace holds it sends nothing, and the next one goes on")
    func givingUpInPace() async throws {
        let clock = TestClock(jumping: false)
        var asleep = clock.asleep.makeAsyncIterator()
        let http = ScriptedHTTP()
        let source = makeSource(http, clock: clock)
        _ = try await source.search("first", count: 1, byArtist: false)
        let second = Task.immediate { () -> Failure? in
            await failure { () async throws(Failure) in
                _ = try await source.search("second", count: 1, byArtist: false)
            }
        }
        await asleep.next()
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        let third = Task.immediate { try await source.search("third", count: 1, byArtist: false) }
        await asleep.next()
        #expect(http.seen.count == 1)
        clock.advance(by: .milliseconds(400))
        _ = try await third.value
        #expect(http.seen.compactMap { $0.fields["q"] } == ["first", "third"])
    }

    @Test("a cancelled back-off ends the call at once")
    func givingUpInBackoff() async {
        let clock = TestClock(jumping: false)
        var asleep = clock.asleep.makeAsyncIterator()
        let http = ScriptedHTTP(.error(10))
        let source = makeSource(http, clock: clock)
        let call = Task.immediate { () -> Failure? in
            await failure { () async throws(Failure) in _ = try await source.search("x", count: 1, byArtist: false) }
        }
        await asleep.next()
        call.cancel()
        #expect(await call.value?.code == .cancelled)
        #expect(http.seen.count == 1)
    }

    @Test("one call's back-off for the server's own trouble does not hold up another")
    func troubleHoldsOnlyItself() async throws {
        let clock = TestClock(jumping: false)
        var asleep = clock.asleep.makeAsyncIterator()
        let http = ScriptedHTTP(.error(10))
        let source = makeSource(http, clock: clock)
        let troubled = Task.immediate { try await source.search("troubled", count: 1, byArtist: false) }
        await asleep.next()
        clock.advance(by: .milliseconds(500))
        _ = try await source.search("other", count: 1, byArtist: false)
        clock.advance(by: .milliseconds(700))
        _ = try await troubled.value
        #expect(http.seen.compactMap { $0.fields["q"] } == ["troubled", "other", "troubled"])
    }

    @Test("a cancelled exchange ends as cancelled and is not tried again")
    func cancelledExchange() async {
        let http = ScriptedHTTP(.failure(Failure(.cancelled, "gone")))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure?.code == .cancelled)
        #expect(http.seen.count == 1)
    }
}
