import NyanCore
import Testing

/// What refusals cost: the listens that are at fault, and never the journal.
@Suite("Refused listens")
struct ScrobbleRefusalTests {
    private static let unread = Failure(.badAnswer, "cannot read it")

    /// A journal of `count` listens and a site that reads those which `isSound` says, until `end`.
    private func run(
        _ count: Int, until end: Duration, _ isSound: (Int, Duration) -> Bool
    ) -> (calls: Int, taken: [Int], dropped: [Int], delivery: ScrobbleDelivery) {
        var delivery = ScrobbleDelivery(batch: 50, seed: 1)
        var queue = Array(0..<count)
        var (calls, taken, dropped): (Int, [Int], [Int]) = (0, [], [])
        var now = Duration.zero
        _ = delivery.handle(.waiting(count), at: now)
        var effects = delivery.handle(.usable(true), at: now)
        while calls < 10_000 {
            if effects.isEmpty {
                guard let moment = delivery.nextMoment, moment <= end else { break }
                now = max(now, moment)
                effects = delivery.handle(.moment, at: now)
                continue
            }
            switch effects.removeFirst() {
            case .send(let most):
                calls += 1
                let batch = queue.prefix(most)
                if batch.allSatisfy({ isSound($0, now) }) {
                    taken += batch
                    queue.removeFirst(batch.count)
                    _ = delivery.handle(.waiting(queue.count), at: now)
                    effects = delivery.handle(.answered(.judged), at: now)
                } else {
                    effects = delivery.handle(.answered(.refused(Self.unread)), at: now)
                }
            case .drop:
                dropped.append(queue.removeFirst())
                _ = delivery.handle(.waiting(queue.count), at: now)
                effects = delivery.handle(.answered(.judged), at: now)
            }
        }
        return (calls, taken, dropped, delivery)
    }

    @Test("a site that refuses everything costs three listens, then one a day; it is asked with pauses, and it is told")
    func everything() {
        let hour = run(10_000, until: .seconds(3600)) { _, _ in false }
        #expect(hour.dropped.count == 3 && hour.calls < 30, "\(hour.dropped.count), \(hour.calls)")
        #expect(hour.delivery.problem == Self.unread && !hour.delivery.maySpeak(at: .seconds(60)))
        let week = run(10_000, until: .seconds(7 * 86_400)) { _, _ in false }
        #expect(week.dropped.count <= 10 && week.calls < 500, "\(week.dropped.count), \(week.calls)")
    }

    @Test("once it reads again the rest goes by itself")
    func heals() {
        let day = run(1000, until: .seconds(86_400)) { _, now in now > .seconds(7200) }
        #expect(day.dropped == [0, 1, 2] && day.taken == Array(3..<1000))
        #expect(day.delivery.problem == nil)
    }

    @Test("a few bad listens side by side are dropped at once, and those after them go")
    func few() {
        let run = run(100, until: .seconds(1)) { number, _ in !(40...42).contains(number) && number != 60 }
        #expect(run.dropped == [40, 41, 42, 60] && run.taken.count == 96 && run.calls < 40, "\(run.calls)")
    }

    @Test("a lone listen is refused once, not once for each half of nothing")
    func lone() {
        let run = run(1, until: .seconds(1)) { _, _ in false }
        #expect(run.dropped == [0] && run.calls == 1)
    }

    @Test("the site's wish to wait, told to a word about what plays, is kept but is no trouble that stays")
    func words() {
        var delivery = ScrobbleDelivery(batch: 50, seed: 1)
        _ = delivery.handle(.usable(true), at: .zero)
        delivery.heard(.later(Failure(.serverBusy, "wait", retry: .later), seconds: 60), at: .zero)
        #expect(delivery.problem == nil && !delivery.maySpeak(at: .seconds(59)) && delivery.maySpeak(at: .seconds(60)))
        #expect(delivery.handle(.waiting(1), at: .seconds(1)) == [] && delivery.nextMoment == .seconds(60))
    }

    @Test("what was broken off is sent again, and the trouble of before is still waited out")
    func abandoned() {
        var delivery = ScrobbleDelivery(batch: 50, seed: 1)
        _ = delivery.handle(.waiting(9), at: .zero)
        #expect(delivery.handle(.usable(true), at: .zero) == [.send(atMost: 50)])
        _ = delivery.handle(.usable(false), at: .zero)
        #expect(delivery.handle(.abandoned, at: .zero) == [])
        #expect(delivery.handle(.usable(true), at: .seconds(1)) == [.send(atMost: 50)])
    }
}
