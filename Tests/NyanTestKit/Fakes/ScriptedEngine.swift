public import NyanCore

/// An engine without sound: notes what it is told, says what the test wants said.
public final class ScriptedEngine: AudioEngine {
    public enum Call: Equatable {
        case load(LoadNumber, at: Duration, playing: Bool)
        case stage(LoadNumber)
        case unstage
        case setPlaying(Bool)
        case seek(Duration)
        case stop
        case awaitOutput
        case setVolume(Double)
        case fadeOut(over: Duration)
        case endFade
    }

    public var onEvent: (@MainActor (EngineEvent) -> Void)?
    public var onWant: (@MainActor (LoadNumber, Int64) -> Void)?
    public private(set) var calls: [Call] = [] {
        didSet { if let last = calls.last { onCall?(last) } }
    }
    /// The sounds of all loads so far.
    public private(set) var sounds: [LoadNumber: Sound] = [:]
    /// The newest load that was to sound.
    public private(set) var current: LoadNumber?
    public private(set) var staged: LoadNumber?
    /// Says `started` and `seeked` from within the call that asks for it: the hardest order there is.
    public var answersAtOnce = true
    /// Called from within each call, before it is answered.
    public var onCall: ((Call) -> Void)?
    /// What it answers to being asked for the position of the current load.
    public var reported: Duration?

    public init() {}

    public func say(_ event: EngineEvent) { onEvent?(event) }
    /// The feed ran dry at this byte.
    public func want(_ load: LoadNumber, _ offset: Int64) { onWant?(load, offset) }

    /// Goes over to the staged sound, as at the end of the current one.
    public func switchOver() {
        guard let staged else { return }
        (current, self.staged) = (staged, nil)
        say(.started(staged))
    }

    public func load(_ load: LoadNumber, _ sound: Sound, at position: Duration, playing: Bool) {
        calls.append(.load(load, at: position, playing: playing))
        sounds[load] = sound
        (current, staged) = (load, nil)
        if answersAtOnce { say(.started(load)) }
    }

    public func stage(_ load: LoadNumber, _ sound: Sound) {
        calls.append(.stage(load))
        sounds[load] = sound
        staged = load
    }

    public func unstage() {
        calls.append(.unstage)
        staged = nil
    }

    public func setPlaying(_ playing: Bool) { calls.append(.setPlaying(playing)) }

    public func seek(to position: Duration) {
        calls.append(.seek(position))
        if answersAtOnce, let current { say(.seeked(current, position)) }
    }

    public func awaitOutput() { calls.append(.awaitOutput) }

    public func stop() {
        calls.append(.stop)
        (current, staged) = (nil, nil)
    }

    public func setVolume(_ volume: Double) { calls.append(.setVolume(volume)) }

    public func fadeOut(over time: Duration) { calls.append(.fadeOut(over: time)) }
    public func endFade() { calls.append(.endFade) }

    public func position() -> (load: LoadNumber, position: Duration)? {
        guard let current, let reported else { return nil }
        return (current, reported)
    }
}
