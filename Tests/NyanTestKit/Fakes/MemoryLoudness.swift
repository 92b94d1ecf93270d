public import NyanCore
import Synchronization

/// Finished copies and what was measured of them, in memory.
public nonisolated final class MemoryLoudness: LoudnessStore {
    private struct State {
        var copies: [FinishedCopy] = []
        var readings: [TrackID: LoudnessReading] = [:]
        var questions = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var readings: [TrackID: LoudnessReading] { state.withLock { $0.readings } }
    /// How often it was asked what is to be measured.
    public var questions: Int { state.withLock { $0.questions } }

    /// Another copy is there.
    public func put(_ copy: FinishedCopy) { state.withLock { $0.copies.append(copy) } }
    public func put(_ reading: LoudnessReading, of id: TrackID) { state.withLock { $0.readings[id] = reading } }

    public func loudness(of id: TrackID) async throws(Failure) -> LoudnessReading? { readings[id] }

    public func setLoudness(_ reading: LoudnessReading?, of id: TrackID) async throws(Failure) {
        state.withLock { $0.readings[id] = reading }
    }

    public func unmeasured() async throws(Failure) -> [FinishedCopy] {
        state.withLock { state in
            state.questions += 1
            return state.copies.filter { state.readings[$0.id] == nil }
        }
    }
}

/// A meter that answers when the test says so.
public final class ScriptedMeter: LoudnessMeter {
    /// Paths in the order they were asked for.
    public private(set) var asked: [String] = []
    /// How many measurements run now, and did at most.
    public private(set) var running = 0
    public private(set) var mostAtOnce = 0
    /// What a path gives; −6 dB and 1,000 bytes where nothing is said.
    public var answers: [String: Result<LoudnessReading, Failure>] = [:]
    /// Holds measurements up while shut.
    public let latch = Latch()

    public init() {}

    public func measure(_ path: String) async throws(Failure) -> LoudnessReading {
        asked.append(path)
        running += 1
        mostAtOnce = max(mostAtOnce, running)
        defer { running -= 1 }
        await latch.pass()
        if Task.isCancelled { throw Failure(.cancelled, "measuring was ended") }
        let usual = LoudnessReading(bytes: 1000, loudness: Loudness(trackGain: -6, trackPeak: 1))
        return try (answers[path] ?? .success(usual)).get()
    }
}
