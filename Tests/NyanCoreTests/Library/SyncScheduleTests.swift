import Testing

@testable import NyanCore

@Suite("When the profile is read by itself") struct SyncScheduleTests {
    private let network = Failure(.network, "no network", retry: .later)

    private func schedule(_ interval: Duration? = .seconds(1800)) -> SyncSchedule {
        SyncSchedule(interval: interval, firstAfter: .seconds(2), at: .seconds(100))
    }

    @Test("first after a moment, then in regular pauses from each end") func regular() {
        var schedule = schedule()
        #expect(schedule.due == .seconds(102))
        schedule.ended(nil, at: .seconds(130))
        #expect(schedule.due == .seconds(1930) && !schedule.isMissed)
        // What VK has against the account is not cured by asking more often.
        schedule.ended(Failure(.notSignedIn, "no"), at: .seconds(2000))
        #expect(schedule.due == .seconds(3800) && !schedule.isMissed)
    }

    @Test("without a network again and again in growing pauses, at once when it is back") func growing() {
        var schedule = schedule()
        var now = Duration.seconds(200)
        var pauses: [Int64] = []
        for _ in 0..<8 {
            schedule.ended(network, at: now)
            pauses.append(((schedule.due ?? .zero) - now).components.seconds)
            now += .seconds(1000)
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 600])
        now -= .seconds(900)
        schedule.mayGoOn(at: now)
        #expect(schedule.isMissed && schedule.due == now + .seconds(1))
        schedule.ended(network, at: now)
        #expect(schedule.due == now + .seconds(5))
        schedule.ended(nil, at: now)
        #expect(schedule.due == now + .seconds(1800))
        // Nothing was missed: another route is no reason.
        schedule.mayGoOn(at: now)
        #expect(schedule.due == now + .seconds(1800))
    }

    @Test("one that was stopped by offline mode is made up for when calls are allowed again") func stopped() {
        var schedule = schedule()
        schedule.ended(Failure(.offline, "offline mode is on"), at: .seconds(200))
        schedule.mayGoOn(at: .seconds(300))
        #expect(schedule.due == .seconds(301))
    }

    @Test("an hour asleep is an hour passed: what became due is done just after waking, what did not keeps its time")
    func slept() {
        var schedule = schedule()
        schedule.ended(nil, at: .seconds(200))
        schedule.woke(at: .seconds(1000))
        #expect(schedule.due == .seconds(2000))
        schedule.woke(at: .seconds(9000))
        #expect(schedule.due == .seconds(9001))
    }

    @Test("never where it is off") func off() {
        var schedule = schedule(nil)
        schedule.ended(network, at: .seconds(200))
        schedule.mayGoOn(at: .seconds(300))
        schedule.woke(at: .seconds(9000))
        #expect(schedule.due == nil)
    }
}
