public import NyanCore
import Synchronization

/// The queue's store in memory; a save passes `latch` first.
public nonisolated final class MemoryPlayback: PlaybackStore {
    private let state = Mutex<(saved: SavedPlayback?, saves: Int, failure: Failure?)>((nil, 0, nil))
    fileprivate let played = Mutex<[PlayedTrack]>([])
    public let latch = Latch()

    public init(_ saved: SavedPlayback? = nil) { state.withLock { $0.saved = saved } }

    /// What survives kill -9 now.
    public var saved: SavedPlayback? { state.withLock { $0.saved } }
    public var saves: Int { state.withLock { $0.saves } }
    public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    public func load() async throws(Failure) -> SavedPlayback? { saved }

    public func save(_ playback: SavedPlayback) async throws(Failure) {
        await latch.pass()
        try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            state.saved = playback
            state.saves += 1
        }
    }
}

/// What was heard, in memory.
extension MemoryPlayback: HistoryStore {
    public func addPlay(_ play: PlayedTrack) async throws(Failure) -> Int64 {
        played.withLock {
            $0.append(play)
            return Int64($0.count)
        }
    }

    public func setHeard(_ seconds: Double, of number: Int64) async throws(Failure) {
        played.withLock { $0[Int(number) - 1].heard = seconds }
    }

    public func plays(_ count: Int) async throws(Failure) -> [PlayedTrack] {
        played.withLock { $0.reversed().prefix(count).map { $0 } }
    }
}

/// One credential in memory; every call passes `latch` first.
public nonisolated final class MemoryCredentials: CredentialStore {
    private let state = Mutex<(credential: Credential?, failure: Failure?)>((nil, nil))
    private let erasing = Mutex<Failure?>(nil)
    public let latch = Latch()

    public init(_ credential: Credential? = nil) { state.withLock { $0.credential = credential } }

    public var stored: Credential? { state.withLock { $0.credential } }
    public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    public func load() async throws(Failure) -> Credential? {
        await latch.pass()
        return try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            return state.credential
        }
    }

    public func save(_ credential: Credential) async throws(Failure) {
        await latch.pass()
        try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            state.credential = credential
        }
    }

    /// What keeps it from forgetting.
    public func fail(erasing failure: Failure?) { erasing.withLock { $0 = failure } }

    public func erase() async throws(Failure) {
        await latch.pass()
        if let failure = erasing.withLock({ $0 }) { throw failure }
        state.withLock { $0.credential = nil }
    }

    public var place: String { get async { "memory" } }
}

/// Makes files of nothing; `latch` holds a finish up after its file has got its name.
public nonisolated final class FakeFinisher: Finisher {
    private let state = Mutex<(files: [String: TrackID], finished: [TrackID], failures: [Failure])>(([:], [], []))
    public let latch = Latch()

    public init() {}

    /// Paths that exist now.
    public var files: [String: TrackID] { state.withLock { $0.files } }
    /// Every file made so far.
    public var finished: [TrackID] { state.withLock { $0.finished } }
    /// Where files are made. By default a folder that does not exist, so that nobody takes a missing file for deleted.
    public var folder: String {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
    private let place = Mutex("/no such folder")
    /// The next finishes fail with these, one each.
    public func fail(_ failures: [Failure]) { state.withLock { $0.failures = failures } }
    public func put(_ path: String, _ id: TrackID) { state.withLock { $0.files[path] = id } }

    public func finish(
        _ id: TrackID, tags: FileTags, expectedLength: Duration?, fileName: String
    ) async throws(Failure) -> FinishedCopy {
        let path = "\(folder)/\(fileName)"
        let replaced = try state.withLock { state throws(Failure) in
            if !state.failures.isEmpty { throw state.failures.removeFirst() }
            state.finished.append(id)
            return state.files.updateValue(id, forKey: path) != nil
        }
        await latch.pass()
        return FinishedCopy(id: id, path: path, bytes: 1000, replaced: replaced)
    }

    public func delete(_ copy: FinishedCopy) async throws(Failure) {
        state.withLock { _ = $0.files.removeValue(forKey: copy.path) }
    }
}
