public import NyanCore

/// An engine that makes no sound: it notes what it was asked, and tells what the test has it tell.
public final class FakeEngine: AudioEngine {
    public enum Call: Equatable, Sendable {
        case load(LoadNumber, at: Duration, playing: Bool)
        case stage(LoadNumber)
        case unstage
        case setPlaying(Bool)
        case seek(Duration)
        case stop
        case setVolume(Double)
    }

    public var onEvent: (@MainActor (EngineEvent) -> Void)?
    public var onWant: (@MainActor (LoadNumber, Int64) -> Void)?
    /// Everything asked, in order.
    public private(set) var calls: [Call] = []
    /// What is in the pipeline, and what is to follow it.
    public private(set) var current: LoadNumber?
    public private(set) var staged: LoadNumber?
    /// The sounds given with the loads.
    public private(set) var sounds: [LoadNumber: Sound] = [:]
    public private(set) var isPlaying = false
    public private(set) var volume: Double
    /// What `position()` answers for the current load.
    public var place = Duration.zero

    public init(volume: Double = 1) { self.volume = volume }

    public func load(_ load: LoadNumber, _ sound: Sound, at position: Duration, playing: Bool) {
        calls.append(.load(load, at: position, playing: playing))
        sounds[load] = sound
        (current, staged, isPlaying, place) = (load, nil, playing, position)
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

    public func setPlaying(_ playing: Bool) {
        calls.append(.setPlaying(playing))
        isPlaying = playing
    }

    public func seek(to position: Duration) {
        calls.append(.seek(position))
        place = position
    }

    public func stop() {
        calls.append(.stop)
        (current, staged, isPlaying) = (nil, nil, false)
    }

    public func setVolume(_ volume: Double) {
        calls.append(.setVolume(volume))
        self.volume = volume
    }

    public func position() -> (load: LoadNumber, position: Duration)? { current.map { ($0, place) } }

    /// Tells an event as a real engine would.
    public func tell(_ event: EngineEvent) { onEvent?(event) }

    /// The current load becomes audible.
    public func start() { if let current { tell(.started(current)) } }

    /// Confirms the newest seek.
    public func finishSeek() { if let current { tell(.seeked(current, place)) } }

    /// The current sound ends: the staged one joins, or the end is told.
    public func finish() {
        guard let old = current else { return }
        if let next = staged {
            (current, staged, place) = (next, nil, .zero)
            tell(.started(next))
        } else {
            current = nil
            tell(.ended(old))
        }
    }

    public func fail(_ failure: Failure) {
        guard let load = current else { return }
        current = nil
        tell(.failed(load, failure))
    }
}
