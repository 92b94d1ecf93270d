public import NyanCore
import NyanDBus

/// Has the profile read in regular pauses, and made up for what was missed while there was no network.
///
/// Waits for one moment at a time, and for none while nobody is signed in or offline mode is on.
public final class PeriodicSync {
    private let syncs: SyncService
    private let account: AccountService
    private let connectivity: Connectivity
    private let time: any TimeSource
    private let clock: any SleepClock
    private var schedule: SyncSchedule
    private var waiting: Task<Void, Never>?
    private var wasWanted = false
    private var wasOnline = true

    public init(
        syncs: SyncService, account: AccountService, connectivity: Connectivity, hub: EventHub, time: any TimeSource,
        clock: any SleepClock = SystemSleepClock()
    ) {
        self.syncs = syncs
        self.account = account
        self.connectivity = connectivity
        self.time = time
        self.clock = clock
        schedule = SyncSchedule(interval: nil, firstAfter: .zero, at: .zero)
        syncs.listen { [weak self] in self?.ended($0) }
        hub.subscribe { [weak self] changes in
            if !changes.isDisjoint(with: [.account, .connectivity]) { self?.conditionsChanged() }
        }
    }

    private var now: Duration { clock.awake + clock.asleep }
    private var isWanted: Bool { account.isSignedIn && !connectivity.isOfflineMode }

    /// Begins anew; `interval` nil: nothing is read by itself.
    public func start(interval: Duration?, firstAfter first: Duration) {
        schedule = SyncSchedule(interval: interval, firstAfter: first, at: now)
        wasWanted = isWanted
        wait()
    }

    /// The machine slept: the pause went on meanwhile.
    public func woke() {
        schedule.woke(at: now)
        wait()
    }

    /// Something about the network is different: a call may get through now.
    public func networkChanged() {
        schedule.mayGoOn(at: now)
        wait()
    }

    private func ended(_ result: Result<SyncOutcome, Failure>) {
        if case .failure(let failure) = result {
            schedule.ended(failure, at: now)
        } else {
            schedule.ended(nil, at: now)
        }
        wait()
    }

    private func conditionsChanged() {
        let isBack = connectivity.isOnline && !wasOnline
        wasOnline = connectivity.isOnline
        if isBack || isWanted != wasWanted {
            wasWanted = isWanted
            schedule.mayGoOn(at: now)
            wait()
        }
    }

    private func wait() {
        waiting?.cancel()
        waiting = nil
        guard isWanted, let due = schedule.due, !syncs.isRunning else { return }
        let pause = max(due - now, .zero)
        waiting = Task.onMain { [weak self, time] in
            do { try await time.wait(for: pause) } catch { return }
            guard let self, !Task.isCancelled else { return }
            waiting = nil
            guard isWanted else { return }
            _ = try? await syncs.sync()
        }
    }
}
