public import NyanCore
import NyanDBus

/// Shows the current track in the person's VK status, as `BroadcastMachine` decides.
public final class BroadcastService {
    /// So long the end of the program may wait for the status to be cleared.
    private static let farewell = Duration.seconds(1)

    private let source: any BroadcastSource
    private let player: PlayerService
    private let account: AccountService
    private let connectivity: Connectivity
    private let time: any TimeSource
    private let log: Log
    private var machine = BroadcastMachine()
    private var isOn = false
    private var call: Task<Void, Never>?
    private var timer: (moment: Duration, task: Task<Void, Never>)?
    private var isShutDown = false

    public init(
        source: any BroadcastSource, player: PlayerService, account: AccountService, connectivity: Connectivity,
        hub: EventHub, time: any TimeSource, log: Log
    ) {
        self.source = source
        self.player = player
        self.account = account
        self.connectivity = connectivity
        self.time = time
        self.log = log
        hub.subscribe { [weak self] changes in
            if !changes.isDisjoint(with: [.playback, .account, .connectivity]) { self?.look() }
        }
    }

    /// The setting `vk.broadcast`, each time it is read; what VK refused before is tried again.
    public func setOn(_ on: Bool) {
        isOn = on
        take(.setOn(on))
        look()
    }

    /// Clears the status if it may show something: the last call before the program ends.
    public func shutDown() async {
        isShutDown = true
        timer?.task.cancel()
        call?.cancel()
        guard machine.needsClearing else { return }
        let clearing = Task.onMain { [source] in
            do throws(Failure) { try await source.setBroadcast(nil) } catch {}
        }
        if await LimitedWait.value(of: clearing, within: Self.farewell, by: time) == nil { clearing.cancel() }
    }

    /// Tells the machine how things are now. Costs nothing while the setting is off.
    private func look() {
        guard !isShutDown, isOn || machine.nextMoment != nil || call != nil else { return }
        let mayAsk = account.isUsable && !connectivity.isOfflineMode
        take(.account(mayAsk ? account.epoch : nil))
        take(.playback(playback))
    }

    private var playback: BroadcastMachine.Playback {
        let state = player.state
        switch state.status {
        case .stopped: return .stopped
        case .playing where state.position.runningSince != nil:
            return .sounding(state.currentEntry.flatMap { $0.track.id.isVKs ? $0.track.id : nil })
        default: return .paused
        }
    }

    private func take(_ input: BroadcastMachine.Input) {
        guard !isShutDown else { return }
        for effect in machine.handle(input, at: time.now) {
            switch effect {
            case .show(let track): show(track)
            case .giveUp:
                call?.cancel()
                call = nil
            }
        }
        keepTime()
    }

    private func show(_ track: TrackID?) {
        call = Task.onMain { [self] in
            let answer: BroadcastMachine.Answer
            do throws(Failure) {
                try await source.setBroadcast(track)
                answer = .done
            } catch {
                let isRefusal = error.code == .denied || error.code == .unsupported
                answer = isRefusal ? .refused : .failed
                if error.code != .cancelled { log.info("the VK status could not be set: \(error.message)") }
            }
            // One that was given up is not heard any more.
            guard !Task.isCancelled else { return }
            call = nil
            take(.answered(answer))
        }
    }

    private func keepTime() {
        guard timer?.moment != machine.nextMoment else { return }
        timer?.task.cancel()
        timer = machine.nextMoment.map { moment in
            let task = Task.onMain { [self] in
                do { try await time.wait(for: max(.zero, moment - time.now)) } catch { return }
                timer = nil
                take(.moment)
            }
            return (moment, task)
        }
    }
}
