import NyanCore
import NyanVK
import Testing

@Suite("Which call goes first, and how many in a second", .timeLimit(.minutes(1)))
struct PrecedenceTests {
    @Test("a call for what is to sound waits for the one under way and no other; equals keep their order")
    func urgent() async throws {
        let http = ScriptedHTTP(.gate(#"{"response":{"count":0,"items":[]}}"#))
        let source = makeSource(http)
        func ask(_ name: String, urgently: Bool = false) -> Task<Void, any Error> {
            CallUrgency.$isPlaying.withValue(urgently) {
                Task.immediate { _ = try await source.search(name, count: 1, byArtist: false) }
            }
        }
        let tasks = [
            ask("under way"), ask("sync"), ask("download"), ask("play 1", urgently: true),
            ask("friend"), ask("play 2", urgently: true),
        ]
        http.open()
        for task in tasks { try await task.value }
        let order = ["under way", "play 1", "play 2", "sync", "download", "friend"]
        #expect(http.seen.compactMap { $0.fields["q"] } == order)
    }

    @Test(
        "with an interval of nothing still never more than three arrive in any second", arguments: [0, 40, 400, 2000])
    func window(milliseconds: Int) async throws {
        let clock = TestClock()
        let http = ScriptedHTTP()
        var arrivals: [Duration] = []
        // The way there takes any time, the first one a long one: a connection is opened.
        var delay = Duration.milliseconds(milliseconds)
        http.onRequest = { _ in
            clock.advance(by: delay)
            arrivals.append(clock.now)
            delay = .milliseconds((delay / .milliseconds(1)) / 3)
        }
        let source = makeSource(http, clock: clock)
        source.minInterval = .zero
        for number in 0..<20 { _ = try await source.search("q\(number)", count: 1, byArtist: false) }
        for (early, late) in zip(arrivals, arrivals.dropFirst(3)) { #expect(late - early > .seconds(1)) }
        #expect(arrivals.count == 20)
    }
}
