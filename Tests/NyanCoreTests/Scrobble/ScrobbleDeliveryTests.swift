import NyanCore
import Testing

/// When the journal's listens go out.
@Suite("Delivery of listens")
struct ScrobbleDeliveryTests {
    private static let busy = Failure(.serverBusy, "busy", retry: .later)
    private static let offline = Failure(.network, "gone", retry: .later)
    private static let unknown = Failure(.denied, "who?")

    /// A lane with something to send and leave to do so.
    private func ready(_ waiting: Int = 200, now: Duration = .zero) -> ScrobbleDelivery {
        var delivery = ScrobbleDelivery(batch: 50, seed: 1)
        _ = delivery.handle(.waiting(waiting), at: now)
        return delivery
    }

    @Test("one batch at a time, the next one as soon as the first was judged, until nothing waits")
    func batches() {
        var delivery = ready(120)
        #expect(delivery.handle(.usable(true), at: .zero) == [.send(atMost: 50)])
        #expect(delivery.handle(.waiting(121), at: .zero) == [], "under way")
        #expect(delivery.handle(.waiting(71), at: .zero) == [])
        #expect(delivery.handle(.answered(.judged), at: .zero) == [.send(atMost: 50)])
        #expect(delivery.handle(.waiting(0), at: .zero) == [])
        #expect(delivery.handle(.answered(.judged), at: .zero) == [])
        #expect(delivery.nextMoment == nil && delivery.problem == nil)
    }

    @Test("nothing without keys or in offline mode, and nothing wakes up for it")
    func unusable() {
        var delivery = ready()
        #expect(delivery.nextMoment == nil && !delivery.maySpeak(at: .zero))
        _ = delivery.handle(.usable(true), at: .zero)
        _ = delivery.handle(.answered(.later(Self.busy, seconds: 10)), at: .zero)
        #expect(delivery.nextMoment == .seconds(10))
        _ = delivery.handle(.usable(false), at: .zero)
        #expect(delivery.nextMoment == nil)
        #expect(delivery.handle(.usable(true), at: .seconds(20)) == [.send(atMost: 50)])
    }

    @Test("trouble is waited out, longer each time up to half an hour; a site that names a time gets it")
    func backoff() throws {
        var delivery = ready()
        var now = Duration.zero
        var pauses: [Double] = []
        _ = delivery.handle(.usable(true), at: now)
        for _ in 0..<9 {
            #expect(delivery.handle(.answered(.later(Self.busy, seconds: nil)), at: now) == [])
            #expect(delivery.problem == Self.busy && !delivery.maySpeak(at: now))
            let moment = try #require(delivery.nextMoment)
            #expect(delivery.handle(.moment, at: moment - .milliseconds(1)) == [])
            pauses.append((moment - now) / .seconds(1))
            now = moment
            #expect(delivery.handle(.moment, at: now) == [.send(atMost: 50)])
        }
        #expect(pauses[0] >= 30 && pauses[0] <= 33 && pauses[1] >= 60 && pauses[8] >= 1800 && pauses[8] <= 1980)
        _ = delivery.handle(.answered(.later(Self.busy, seconds: 7)), at: now)
        #expect(delivery.nextMoment == now + .seconds(7))
        _ = delivery.handle(.moment, at: now + .seconds(7))
        _ = delivery.handle(.answered(.judged), at: now + .seconds(7))
        #expect(delivery.problem == nil)
        _ = delivery.handle(.answered(.later(Self.busy, seconds: nil)), at: now)
        #expect(try #require(delivery.nextMoment) <= now + .seconds(33), "from the start again")
    }

    @Test("the network's return ends the wait for the network, and no other wait")
    func returns() {
        var delivery = ready()
        _ = delivery.handle(.usable(true), at: .zero)
        _ = delivery.handle(.answered(.later(Self.offline, seconds: nil)), at: .zero)
        #expect(delivery.handle(.networkReturned, at: .seconds(1)) == [.send(atMost: 50)])
        _ = delivery.handle(.answered(.later(Self.busy, seconds: 60)), at: .seconds(1))
        #expect(delivery.handle(.networkReturned, at: .seconds(2)) == [])
    }

    @Test("keys that are refused stop it until there are new ones; nothing is tried meanwhile")
    func stopped() {
        var delivery = ready()
        _ = delivery.handle(.usable(true), at: .zero)
        #expect(delivery.handle(.answered(.stopped(Self.unknown)), at: .zero) == [])
        for input in [.moment, .networkReturned, .usable(true), .waiting(500)] as [ScrobbleDelivery.Input] {
            #expect(delivery.handle(input, at: .seconds(100_000)) == [])
        }
        #expect(delivery.problem == Self.unknown && delivery.nextMoment == nil)
        #expect(!delivery.maySpeak(at: .seconds(100_000)))
        #expect(delivery.handle(.signedIn, at: .zero) == [.send(atMost: 50)])
        #expect(delivery.problem == nil)
    }

    @Test("of a batch that cannot be read the one listen is found and dropped, and the rest goes")
    func unreadable() {
        var delivery = ready(40)
        var queue = Array(0..<40)
        let bad = 17
        var calls = 0
        var dropped: [Int] = []
        var effects = delivery.handle(.usable(true), at: .zero)
        while let effect = effects.first {
            switch effect {
            case .send(let count):
                calls += 1
                let batch = queue.prefix(count)
                if batch.contains(bad) {
                    effects = delivery.handle(.answered(.refused(Self.busy)), at: .zero)
                } else {
                    queue.removeFirst(batch.count)
                    _ = delivery.handle(.waiting(queue.count), at: .zero)
                    effects = delivery.handle(.answered(.judged), at: .zero)
                }
            case .drop:
                #expect(effects.count == 1, "nothing is sent meanwhile")
                dropped.append(queue.removeFirst())
                #expect(delivery.handle(.waiting(queue.count), at: .zero) == [])
                effects = delivery.handle(.answered(.judged), at: .zero)
            }
        }
        #expect(queue.isEmpty && dropped == [bad])
        #expect(calls < 20, "\(calls)")
    }

    @Test("what a word about the present track meets counts for listens too")
    func words() {
        var delivery = ready(0)
        _ = delivery.handle(.usable(true), at: .zero)
        #expect(delivery.maySpeak(at: .zero))
        delivery.heard(.later(Self.busy, seconds: 5), at: .zero)
        #expect(!delivery.maySpeak(at: .seconds(4)) && delivery.maySpeak(at: .seconds(5)))
        #expect(delivery.handle(.waiting(1), at: .seconds(1)) == [])
        delivery.heard(.later(Self.offline, seconds: nil), at: .seconds(6))
        #expect(delivery.maySpeak(at: .seconds(6)), "a lost word is no reason to wait")
        delivery.heard(.stopped(Self.unknown), at: .seconds(6))
        #expect(delivery.problem == Self.unknown && delivery.handle(.waiting(2), at: .seconds(9)) == [])
    }
}
