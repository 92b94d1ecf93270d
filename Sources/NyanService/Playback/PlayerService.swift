public import NyanCore
import NyanDBus

/// Owns the playback machine: commands and events go in, effects come out and are run here, strictly in order.
public final class PlayerService {
    private(set) var machine: PlaybackMachine
    private let engine: any AudioEngine
    let transfers: TransferService
    let library: any LibraryStore
    let copies: any CopyStore
    let saver: PlaybackSaver
    private let history: HistoryKeeper
    let hub: EventHub
    let time: any TimeSource
    /// What is known of the loudness of finished copies; nil = nothing is.
    public var loudness: LoudnessService?
    let log: Log
    private(set) var loads: [LoadNumber: SoundLoad] = [:]
    /// Where the position jumped to since the readers were told: the newest only, older ones are no longer true.
    private var jump: Duration?
    private var ticker: Task<Void, Never>?
    private var ticks = 0
    /// The wait for the machine's next moment.
    private var alarm: (moment: Duration, task: Task<Void, Never>)?
    /// Runs effects to the end before the next input is looked at.
    private var queue: [PlaybackInput] = []
    private var isHandling = false
    /// Called before anything that happens is looked at, ticks included: time to see whether the machine slept.
    public var onActivity: () -> Void = {}
    /// Told what is being heard, at each change and once a second while it sounds (`ScrobbleService`).
    var onPlay: ((RunningPlay?) -> Void)?
    /// Told what was heard of a play in all, and in the midst of it.
    var onHeard: ((Hearing) -> Void)?
    /// Told before a finished copy is forgotten whose file somebody took away.
    public var onGone: (TrackID) async -> Void = { _ in }
    /// Wishes about what is current, in the order in which they were made.
    var choices = Choices()
    /// When the machine woke last.
    var wokeAt: Duration?
    /// The program ends: what still happens is not looked at.
    private var isShutDown = false

    public init(
        restoring saved: SavedPlayback?, engine: any AudioEngine, transfers: TransferService, library: any LibraryStore,
        copies: any CopyStore, store: any PlaybackStore & HistoryStore, hub: EventHub, time: any TimeSource, log: Log,
        wallClock: @escaping () -> Int64 = { WallClock.now }
    ) {
        machine = PlaybackMachine(restoring: saved, seed: .random(in: .min ... .max))
        self.engine = engine
        self.transfers = transfers
        self.library = library
        self.copies = copies
        self.hub = hub
        self.time = time
        self.log = log
        saver = PlaybackSaver(store: store, time: time, log: log)
        saver.problemChanged = { [hub] in hub.changed(.playback) }
        history = HistoryKeeper(store: store, time: time, log: log, wallClock: wallClock)
        engine.setVolume(machine.state.volume)
        engine.onEvent = { [weak self] event in self?.handle(.engine(event)) }
        engine.onWant = { [weak self] load, offset in self?.wanted(load, offset: offset) }
    }

    public var state: PlaybackState { machine.state }

    /// Why the queue and the position are not on disk; nil while they are.
    public var savingProblem: Failure? { saver.problem }

    /// The setting `audio.on-output-lost`.
    public var pausesOnLostOutput: Bool {
        get { machine.pausesOnLostOutput }
        set { machine.pausesOnLostOutput = newValue }
    }

    /// The position now, by the state's own clock.
    public var position: Duration { state.position.value(at: time.now, length: state.length) }

    /// How much of the current track is on disk, 0…1; nil while nothing is loaded.
    public var buffered: Double? {
        guard let load = machine.currentLoad.flatMap({ loads[$0] }), let bytes = load.bytes else { return nil }
        if load.isComplete || bytes.isComplete { return 1 }
        // Of what is there of a sound without an end nobody can tell which part it is.
        guard let size = load.total ?? bytes.size, size > 0 else { return load.received > 0 ? nil : 0 }
        return min(1, Double(load.received) / Double(size))
    }

    /// How long it is until the sleep timer is due; nil where it is not set, or waits for the track's end.
    public var sleepLeft: Duration? {
        if case .at(let moment) = state.sleepTimer { max(.zero, moment - time.now) } else { nil }
    }

    /// The newest plays that count, newest first.
    public func plays(_ count: Int) async throws(Failure) -> [PlayedTrack] { try await history.plays(count) }

    /// Takes a wish and carries it out; the state is the new one on return (mpris.md §4.2).
    public func perform(_ command: PlaybackCommand) {
        if command.choosesCurrent { choices.carriedOut() }
        carryOut(command)
    }

    /// As `perform`, with no say in which wish about what is current is the newest.
    func carryOut(_ command: PlaybackCommand) {
        let wasHeld = machine.isHeldForSleep
        handle(.command(command))
        if wasHeld, !machine.isHeldForSleep { transfers.goOn() }
    }

    /// Returns when everything acknowledged so far survives kill -9.
    public func saved() async throws(Failure) { try await saver.flush() }

    /// A track was described anew (title, cover, availability).
    public func trackChanged(_ track: Track) { handle(.trackChanged(track)) }

    /// Hands over where the position jumped to since the last call, if it did: one MPRIS `Seeked`.
    public func takeJump() -> Duration? {
        defer { jump = nil }
        return jump
    }

    /// Ends the sound and writes the position: the last thing before the program ends.
    public func shutDown() async {
        isShutDown = true
        ticker?.cancel()
        alarm?.task.cancel()
        if let last = machine.lastHearing(at: time.now) { heard(last) }
        saver.save(machine.saved(at: time.now))
        engine.stop()
        for load in loads.values { load.release() }
        loads = [:]
        try? await saver.flush()
        saver.stop()
        await history.flush()
    }

    /// Inputs that come while effects run wait for their turn.
    func handle(_ input: PlaybackInput) {
        guard !isShutDown else { return }
        onActivity()
        queue.append(input)
        guard !isHandling else { return }
        isHandling = true
        while !queue.isEmpty {
            let next = queue.removeFirst()
            let before = machine.state
            distrust(next)
            for effect in machine.handle(next, at: time.now) { run(effect) }
            tellLoads(next)
            tellReaders(before)
            onPlay?(machine.runningPlay(at: time.now))
        }
        isHandling = false
        keepTime()
        setAlarm()
    }

    /// Passes on what concerns the bytes of a load.
    private func tellLoads(_ input: PlaybackInput) {
        switch input {
        case .engine(.started(let load)): loads[load]?.began()
        case .engine(.hungry(let load, _)): loads[load]?.ranDry()
        default: break
        }
        if let current = machine.currentLoad { loads[current]?.becomeCurrent() }
    }

    private func tellReaders(_ before: PlaybackState) {
        let after = machine.state
        // Some clients go on counting from the old track's position unless they are told (mpris.md §4.3).
        if before.current != nil, after.current != nil, before.current != after.current { jump = position }
        if after != before || jump != nil { hub.changed(.playback) }
        if after.entries != before.entries || after.current != before.current { hub.changed(.queue) }
        // One line per trouble: the same kind about the same track is still the same.
        if let problem = after.problem,
            problem.code != before.problem?.code || problem.subject != before.problem?.subject
        {
            let subject = problem.subject.map { "\($0): " } ?? ""
            log.warning(subject + problem.message)
        }
    }

    private func run(_ effect: PlaybackEffect) {
        switch effect {
        case .prepare(let load, let entry, let purpose):
            let sound = SoundLoad(load: load, entry: entry, purpose: purpose, player: self)
            let sibling = loads.values.first { $0.entry.track.id == entry.track.id && $0.bytes != nil }
            loads[load] = sound
            sound.open(beside: sibling)
        case .load(let load, let position, let playing):
            if let sound = sound(load) { engine.load(load, sound, at: position, playing: playing) }
        case .stage(let load):
            if let sound = sound(load) { engine.stage(load, sound) }
        case .unstage: engine.unstage()
        case .setPlaying(let playing): engine.setPlaying(playing)
        case .seek(let position): engine.seek(to: position)
        case .stopEngine: engine.stop()
        case .awaitOutput: engine.awaitOutput()
        case .setVolume(let volume): engine.setVolume(volume)
        case .fadeOut(let time): engine.fadeOut(over: time)
        case .endFade: engine.endFade()
        case .release(let load): loads.removeValue(forKey: load)?.release()
        case .announceJump(let position): jump = position
        case .heard(let hearing): heard(hearing)
        case .save: saver.save(machine.saved(at: time.now))
        }
    }

    private func heard(_ hearing: Hearing) {
        history.heard(hearing)
        onHeard?(hearing)
    }

    private func sound(_ load: LoadNumber) -> Sound? {
        guard let found = loads[load], let bytes = found.bytes else { return nil }
        return Sound(bytes: bytes, expectedLength: found.entry.track.length, loudness: found.loudness)
    }
}

// Reports of loads and the engine.
extension PlayerService {
    func prepared(_ load: SoundLoad) {
        handle(.prepared(load.load))
        if load.isComplete { handle(.bytesComplete(load.load)) }
    }

    /// More of a load is on disk.
    func received(_ load: SoundLoad) {
        if load.load == machine.currentLoad { hub.changed(.playback) }
    }

    /// The bytes of a load that was prepared are another file's now.
    func renewed(_ load: SoundLoad) { handle(.soundChanged(load.load)) }

    func completed(_ load: SoundLoad) { handle(.bytesComplete(load.load)) }

    /// The bytes of a load, or the rest of them, cannot be had.
    func refused(_ load: SoundLoad, _ failure: Failure) { handle(.refused(load.load, failure)) }

    /// Whether the listener hears this load at this moment.
    func isHeard(_ load: SoundLoad) -> Bool {
        load.load == machine.currentLoad && state.status == .playing && !state.isBuffering
    }

    /// What a load claims; nil where it plays a finished copy, or is not alive.
    func claim(of load: LoadNumber) -> Claim? { loads[load]?.claim }

    private func wanted(_ load: LoadNumber, offset: Int64) {
        guard let claim = claim(of: load) else { return }
        transfers.prefer(claim, offset: offset)
    }

    /// Waits for the moment at which something is due by itself, if there is one.
    private func setAlarm() {
        let moment = machine.nextMoment
        guard moment != alarm?.moment else { return }
        alarm?.task.cancel()
        alarm = nil
        guard let moment else { return }
        let task = Task.onMain { [weak self, time] in
            do { try await time.wait(for: max(.zero, moment - time.now)) } catch { return }
            self?.handle(.timePassed)
        }
        alarm = (moment, task)
    }

    /// While the clock runs: once a second asks the pipeline where it is, every two saves the position.
    private func keepTime() {
        let runs = state.position.runningSince != nil
        guard runs != (ticker != nil) else { return }
        ticker?.cancel()
        ticker = nil
        guard runs else { return }
        ticker = Task.onMain { [weak self] in
            while let time = self?.time {
                do { try await time.wait(for: .seconds(1)) } catch { return }
                self?.tick()
            }
        }
    }

    private func tick() {
        onActivity()
        if let (load, position) = engine.position() {
            handle(.positionReport(load, position))
            if let length = state.length, length - position < .seconds(30) { handle(.nearEnd(load)) }
        } else {
            handle(.timePassed)
        }
        ticks += 1
        if ticks.isMultiple(of: 2) { saver.save(machine.saved(at: time.now)) }
    }
}
