import NyanCore

/// A player on a stage: the machine, and a clock that the test moves.
struct Scene {
    var machine: PlaybackMachine
    var now: Duration = .seconds(1_000)

    init(restoring saved: SavedPlayback? = nil, seed: UInt64 = 1) {
        machine = PlaybackMachine(restoring: saved, seed: seed)
    }

    var state: PlaybackState { machine.state }
    var position: Duration { state.position.value(at: now, length: state.length) }

    @discardableResult
    mutating func send(_ input: PlaybackInput) -> [PlaybackEffect] { machine.handle(input, at: now) }

    @discardableResult
    mutating func command(_ command: PlaybackCommand) -> [PlaybackEffect] { send(.command(command)) }

    @discardableResult
    mutating func engine(_ event: EngineEvent) -> [PlaybackEffect] { send(.engine(event)) }

    mutating func wait(_ time: Duration) { now += time }

    /// Starts the tracks and lets the current one sound. Loads are numbered from 1.
    mutating func begin(_ tracks: [Track], at index: Int = 0, load: UInt64 = 1) {
        command(.playTracks(tracks, startAt: index))
        sound(load)
    }

    /// The world answers for a current load: bytes there, sound heard.
    mutating func sound(_ load: UInt64) {
        send(.prepared(LoadNumber(load)))
        engine(.started(LoadNumber(load)))
    }
}

extension Track {
    /// Track number n: `n` minutes long, so that lengths tell tracks apart.
    static func numbered(_ number: Int) -> Track {
        Track(id: TrackID(owner: 1, audio: Int64(number)), artist: "A", title: "T\(number)", duration: 60 * number)
    }

    static func numbered(_ numbers: ClosedRange<Int>) -> [Track] { numbers.map { numbered($0) } }
}

/// Effects in short, one word or two each: `find #2 e3`, `load #2 @0 playing`, `hold`, `jump @10`, `save`.
/// What the history is told is left out: `HearingStories` looks at it.
func short(_ effects: [PlaybackEffect]) -> String {
    effects.filter { if case .heard = $0 { false } else { true } }.map(short).joined(separator: ", ")
}

func short(_ effect: PlaybackEffect) -> String {
    switch effect {
    case .prepare(let load, let entry, .current): "find \(load) e\(entry.id)"
    case .prepare(let load, let entry, .next): "find \(load) e\(entry.id) next"
    case .load(let load, let position, let playing):
        "load \(load) @\(short(position)) \(playing ? "playing" : "paused")"
    case .stage(let load): "stage \(load)"
    case .unstage: "unstage"
    case .setPlaying(let playing): playing ? "run" : "hold"
    case .seek(let position): "seek @\(short(position))"
    case .stopEngine: "silence"
    case .awaitOutput: "await output"
    case .setVolume(let volume): "volume \(volume)"
    case .release(let load): "release \(load)"
    case .announceJump(let position): "jump @\(short(position))"
    case .fadeOut(let time): "fade \(short(time))"
    case .endFade: "full"
    case .heard(let hearing): "heard \(hearing.track.title) \(short(hearing.heard))"
    case .save: "save"
    }
}

/// Whole seconds without a unit, tenths where there are some.
func short(_ time: Duration) -> String {
    let tenths = Int((time / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
}

/// The state in short: `playing e2 @10`, with `buffering` for playing without sound and `!code` for a problem.
func short(_ state: PlaybackState, at now: Duration) -> String {
    let status = state.isBuffering ? "buffering" : state.status.rawValue
    let entry = state.current.map { "e\($0)" } ?? "–"
    let position = short(state.position.value(at: now, length: state.length))
    let problem = state.problem.map { " !\($0.code.rawValue)" } ?? ""
    return "\(status) \(entry) @\(position)\(problem)"
}
