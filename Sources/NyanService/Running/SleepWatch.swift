import NyanCore
import NyanDBus

/// Port: somebody who knows beforehand that the machine will sleep (logind).
public protocol SleepAnnouncer: AnyObject {
    /// True: the machine is about to sleep, and waits a little for those who hold it off. False: it is awake.
    var onSleep: (Bool) -> Void { get set }
    /// The machine may sleep now.
    func letSleep()
    /// Wants to be waited for at the next sleep.
    func holdOff()
}

/// Knows when the machine sleeps and wakes: from an announcer where there is one, and from the clocks where not.
///
/// The clocks are looked at when something happens anyway (`look`), never by a timer: an idle nyand does not wake up.
/// Each wake-up is told once, whoever noticed it first.
public final class SleepWatch {
    /// What is to be done; `prepare` returns when the machine may sleep.
    public struct Reaction {
        public var prepare: () async -> Void
        public var wake: () -> Void
        /// The process was stopped for so long, and the clock of what plays ran on.
        public var stoodStill: (Duration) -> Void
        public init(
            prepare: @escaping () async -> Void, wake: @escaping () -> Void, stoodStill: @escaping (Duration) -> Void
        ) {
            self.prepare = prepare
            self.wake = wake
            self.stoodStill = stoodStill
        }
    }

    /// The two clocks are read one after the other, so that they differ a little without any sleep.
    private static let slack = Duration.seconds(1)

    /// So long without a look while something plays, which looks once a second, is no busy machine any more.
    private static let longestPause = Duration.seconds(10)

    private let clock: any SleepClock
    private let reaction: Reaction
    private let log: Log
    private var announcer: (any SleepAnnouncer)?
    /// What the clock said when the last wake-up was told, or at the start.
    private var seen: Duration
    private var lastLook: Duration
    /// Whether looks come every second.
    private let isTicking: () -> Bool
    /// Told that the machine will sleep, and not yet that it woke.
    private var isPrepared = false
    /// The clocks told of this wake-up before the announcer, who still will.
    private var isForestalled = false

    public init(
        clock: any SleepClock = SystemSleepClock(), log: Log, isTicking: @escaping () -> Bool, reaction: Reaction
    ) {
        self.isTicking = isTicking
        lastLook = clock.awake
        self.clock = clock
        self.log = log
        self.reaction = reaction
        seen = clock.asleep
    }

    /// From now on this one is heard and holds off each sleep until everything is saved.
    public func use(_ announcer: any SleepAnnouncer) {
        self.announcer = announcer
        announcer.onSleep = { [weak self] sleeps in self?.heard(sleeps) }
        announcer.holdOff()
    }

    /// Nobody announces any more; a sleep that was announced is over, as far as anybody can know.
    public func announcerGone() {
        announcer = nil
        if isPrepared { woke() }
    }

    /// Looks whether the machine slept, or the process was stopped, since the last look. Costs a few reads of clocks.
    public func look() {
        let now = clock.awake
        let pause = now - lastLook
        lastLook = now
        if pause > Self.longestPause, isTicking() {
            log.notice("the process was stopped for \(pause.components.seconds) s; connections are opened anew")
            reaction.stoodStill(pause)
            return woke(silently: true)
        }
        guard clock.asleep - seen > Self.slack else { return }
        isForestalled = announcer != nil
        woke()
    }

    private func heard(_ sleeps: Bool) {
        guard sleeps else {
            announcer?.holdOff()
            let isKnown = isForestalled && clock.asleep - seen <= Self.slack
            isForestalled = false
            return isKnown ? () : woke()
        }
        look()
        isPrepared = true
        isForestalled = false
        log.debug("the machine is about to sleep")
        Task.onMain { [weak self] in
            // A sleep that was called off meanwhile: nobody would tell of the end of what is held for it now.
            guard self?.isPrepared == true else { return }
            await self?.reaction.prepare()
            // It may be awake again, and held off for the next time.
            if let self, isPrepared { announcer?.letSleep() }
        }
    }

    private func woke(silently: Bool = false) {
        seen = clock.asleep
        isPrepared = false
        if !silently { log.notice("the machine slept; connections are opened anew") }
        reaction.wake()
    }
}
