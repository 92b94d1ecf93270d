public import NyanCore
public import NyanDBus

/// What `status` tells: CONTRACT.md's `status` document, as it travels and as a client reads it.
public struct StatusReport: Sendable, Equatable {
    /// CONTRACT.md's words; `absent` is the client's own, for a daemon that is not there.
    public enum State: String, Sendable { case playing, paused, stopped, buffering, absent }

    public var state: State
    public var track: ListedTrack?
    /// Seconds.
    public var position: Double
    /// Seconds; nil while unknown.
    public var duration: Double?
    /// 0…1.
    public var volume: Double
    public var shuffle: Bool
    public var repeatMode: RepeatMode
    /// From 1; nil without a current track.
    public var queuePosition: Int?
    public var queueLength: Int
    /// 0…1; nil where nothing is loaded.
    public var buffered: Double?
    public var isOnline: Bool
    public var isOfflineMode: Bool
    public var isSignedIn: Bool
    public var output: AudioOutput
    public var problem: Problem?
    /// nil = it is not set.
    public var sleepTimer: SleepTimer?
    /// The daemon's version; nil where it does not say.
    public var version: String?

    /// When playback pauses by itself.
    public enum SleepTimer: Sendable, Equatable {
        /// In so many seconds.
        case remaining(Double)
        case endOfTrack
    }

    /// Something a person should know, with the code scripts rely on.
    public struct Problem: Sendable, Equatable {
        public var code: String
        public var message: String
        public nonisolated init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    public nonisolated init(
        state: State, track: ListedTrack? = nil, position: Double = 0, duration: Double? = nil, volume: Double = 1,
        shuffle: Bool = false, repeatMode: RepeatMode = .off, queuePosition: Int? = nil, queueLength: Int = 0,
        buffered: Double? = nil, isOnline: Bool = true, isOfflineMode: Bool = false, isSignedIn: Bool = false,
        output: AudioOutput = .ok, problem: Problem? = nil, sleepTimer: SleepTimer? = nil,
        version: String? = nil
    ) {
        self.state = state
        self.track = track
        self.position = position
        self.duration = duration
        self.volume = volume
        self.shuffle = shuffle
        self.repeatMode = repeatMode
        self.queuePosition = queuePosition
        self.queueLength = queueLength
        self.buffered = buffered
        self.isOnline = isOnline
        self.isOfflineMode = isOfflineMode
        self.isSignedIn = isSignedIn
        self.output = output
        self.problem = problem
        self.sleepTimer = sleepTimer
        self.version = version
    }
}

extension StatusReport {
    /// The report as an `a{sv}`; absent values are left out.
    public nonisolated var busValue: BusValue {
        var values: [String: BusValue] = [
            "state": .string(state.rawValue), "position": .double(position), "volume": .double(volume),
            "shuffle": .bool(shuffle), "repeat": .string(repeatMode.rawValue),
            "queueLength": .uint32(UInt32(clamping: queueLength)), "online": .bool(isOnline),
            "offlineMode": .bool(isOfflineMode), "signedIn": .bool(isSignedIn),
            "audioOutput": .string(output.rawValue),
        ]
        values["track"] = track.map(TrackCoding.value)
        values["duration"] = duration.map { .double($0) }
        values["queuePosition"] = queuePosition.map { .uint32(UInt32(clamping: $0)) }
        values["buffered"] = buffered.map { .double($0) }
        values["problem"] = problem.map { .structure([.string($0.code), .string($0.message)]) }
        values["version"] = version.map { .string($0) }
        switch sleepTimer {
        case .remaining(let seconds): values["sleepIn"] = .double(seconds)
        case .endOfTrack: values["sleepAtEndOf"] = .string("track")
        case nil: break
        }
        return .dictionary(values)
    }

    /// Reads `busValue` back; nil where it is none. Numbers are in their ranges afterwards, whatever was sent.
    public nonisolated init?(_ value: BusValue) {
        guard let values = value.dictionary, let state = values["state"]?.string.flatMap(State.init) else {
            return nil
        }
        self.init(
            state: state, track: values["track"].flatMap(TrackCoding.listedTrack),
            position: Self.finite(values["position"]).map { max(0, $0) } ?? 0,
            duration: Self.finite(values["duration"]).flatMap { $0 > 0 ? $0 : nil },
            volume: Self.part(values["volume"]) ?? 1, shuffle: values["shuffle"]?.bool ?? false,
            repeatMode: values["repeat"]?.string.flatMap(RepeatMode.init) ?? .off,
            queuePosition: values["queuePosition"]?.integer, queueLength: values["queueLength"]?.integer ?? 0,
            buffered: Self.part(values["buffered"]), isOnline: values["online"]?.bool ?? true,
            isOfflineMode: values["offlineMode"]?.bool ?? false, isSignedIn: values["signedIn"]?.bool ?? false,
            output: values["audioOutput"]?.string.flatMap(AudioOutput.init) ?? .ok)
        if let code = values["problem"]?[0]?.string, let message = values["problem"]?[1]?.string {
            problem = Problem(code: code, message: message)
        }
        version = values["version"]?.string
        if let seconds = Self.finite(values["sleepIn"]) { sleepTimer = .remaining(max(0, seconds)) }
        if values["sleepAtEndOf"]?.string == "track" { sleepTimer = .endOfTrack }
    }

    private nonisolated static func finite(_ value: BusValue?) -> Double? {
        value?.double.flatMap { $0.isFinite ? $0 : nil }
    }

    private nonisolated static func part(_ value: BusValue?) -> Double? { finite(value).map { min(max($0, 0), 1) } }
}
