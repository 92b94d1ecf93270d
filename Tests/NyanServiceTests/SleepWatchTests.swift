import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// Who notices that the machine slept, and that each sleep is told once.
@Suite("Watching for sleep", .timeLimit(.minutes(1)))
final class SleepWatchTests {
    private final class Clock: SleepClock {
        var awake = Duration.seconds(500)
        var asleep = Duration.seconds(100)
    }

    private final class Announcer: SleepAnnouncer {
        var onSleep: (Bool) -> Void = { _ in }
        var isHeld = false
        func letSleep() { isHeld = false }
        func holdOff() { isHeld = true }
    }

    private let clock = Clock()
    private let announcer = Announcer()
    private let saving = Latch()
    private var told: [String] = []
    private lazy var watch = SleepWatch(
        clock: clock, log: Log(level: .error), isTicking: { [unowned self] in isTicking },
        reaction: SleepWatch.Reaction(
            prepare: { [unowned self] in
                told.append("prepare")
                await saving.pass()
            },
            wake: { [unowned self] in told.append("wake") },
            stoodStill: { [unowned self] in told.append("stood still \($0.components.seconds)") }))
    private var isTicking = false

    @Test("Announced: prepared for, held off until that is done, and held off again after the wake-up")
    func announced() async {
        watch.use(announcer)
        #expect(announcer.isHeld)
        saving.shut()
        announcer.onSleep(true)
        #expect(await until { told == ["prepare"] })
        #expect(announcer.isHeld)
        saving.open()
        #expect(await until { !announcer.isHeld })
        clock.asleep += .seconds(3600)
        announcer.onSleep(false)
        #expect(told == ["prepare", "wake"] && announcer.isHeld)
        // The clocks say the same, which is no news.
        watch.look()
        #expect(told == ["prepare", "wake"])
    }

    @Test("Not announced: found out by the clocks at the next look, once")
    func clocks() {
        watch.look()
        clock.asleep += .milliseconds(900)
        watch.look()
        #expect(told.isEmpty)
        clock.asleep += .seconds(2)
        watch.look()
        watch.look()
        #expect(told == ["wake"])
    }

    @Test("Looks that stay away while something plays: the process was stopped; while nothing plays they mean nothing")
    func stopped() {
        watch.look()
        clock.awake += .seconds(600)
        watch.look()
        isTicking = true
        for _ in 0..<20 {
            clock.awake += .seconds(10)
            watch.look()
        }
        #expect(told.isEmpty)
        clock.awake += .seconds(130)
        watch.look()
        watch.look()
        #expect(told == ["stood still 130", "wake"])
    }

    @Test("Noticed by the clocks before the announcer says so: told once")
    func both() async {
        watch.use(announcer)
        announcer.onSleep(true)
        #expect(await until { !announcer.isHeld })
        clock.asleep += .seconds(60)
        watch.look()
        announcer.onSleep(false)
        #expect(told == ["prepare", "wake"] && announcer.isHeld)
        // The next one is another.
        announcer.onSleep(true)
        #expect(await until { told.count == 3 })
        clock.asleep += .seconds(60)
        announcer.onSleep(false)
        #expect(told == ["prepare", "wake", "prepare", "wake"])
    }

    @Test("A wake-up without a sleep before it counts, and so does a sleep that was called off")
    func halves() async {
        watch.use(announcer)
        announcer.onSleep(false)
        #expect(told == ["wake"] && announcer.isHeld)
        announcer.onSleep(true)
        announcer.onSleep(true)
        #expect(await until { !announcer.isHeld })
        announcer.onSleep(false)
        #expect(told.last == "wake" && announcer.isHeld)
    }

    @Test("Called off before anything was prepared: nothing is held for a sleep that is over")
    func calledOff() async {
        watch.use(announcer)
        for _ in 0..<3 {
            announcer.onSleep(true)
            announcer.onSleep(false)
        }
        announcer.onSleep(true)
        #expect(await until { told.last == "prepare" })
        #expect(told.prefix(3) == ["wake", "wake", "wake"] && told.dropFirst(3).allSatisfy { $0 == "prepare" })
        announcer.onSleep(false)
        announcer.onSleep(true)
        announcer.onSleep(false)
        // What was begun before it comes first.
        await Task.onMain {}.value
        #expect(told.last == "wake" && announcer.isHeld)
    }

    @Test("Awake again before everything was saved: the next sleep is still held off")
    func quick() async {
        watch.use(announcer)
        saving.shut()
        announcer.onSleep(true)
        #expect(await until { told == ["prepare"] })
        announcer.onSleep(false)
        saving.open()
        await settle()
        #expect(announcer.isHeld)
    }

    @Test("An announcer that goes away in the middle does not leave the player asleep")
    func gone() async {
        watch.use(announcer)
        announcer.onSleep(true)
        #expect(await until { told == ["prepare"] })
        watch.announcerGone()
        #expect(told == ["prepare", "wake"])
        watch.announcerGone()
        #expect(told.count == 2)
    }
}
