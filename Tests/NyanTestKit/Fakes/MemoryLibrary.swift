public import NyanCore
import Synchronization

/// A library in memory. Every write passes `latch` first, so that a test can keep the disk from answering.
public nonisolated final class MemoryLibrary: LibraryStore, CoverLedger {
    private struct State {
        var tracks: [TrackID: Track] = [:]
        var profile: [TrackID] = []
        var copies: [FinishedCopy] = []
        var covers: [TrackID: String] = [:]
        var downloads: [TrackID: Download] = [:]
        var account: Account?
        var notes: [String: String] = [:]
        var failure: Failure?
        var failingWrite: String?
        var readFailure: Failure?
        var writes: [String] = []
    }

    private let state = Mutex(State())
    /// Holds up writes while shut.
    public let latch = Latch()
    /// Holds up the question what is known of tracks.
    public let knownLatch = Latch()
    /// Holds up the question which tracks were there once.
    public let departedLatch = Latch()

    public init() {}

    /// The names of the writes that were carried out, in order.
    public var writes: [String] { state.withLock { $0.writes } }
    public var copies: [FinishedCopy] { state.withLock { $0.copies } }
    public var rows: [TrackID: Download] { state.withLock { $0.downloads } }
    public var profileNow: [TrackID] { state.withLock { $0.profile } }
    public var accountNow: Account? { state.withLock { $0.account } }
    /// A note as it is now.
    public func noted(_ key: String) -> String? { state.withLock { $0.notes[key] } }
    /// Every write fails with this from now on, or only those of this name; nil = none does.
    public func fail(_ failure: Failure?, only name: String? = nil) {
        state.withLock { ($0.failure, $0.failingWrite) = (failure, name) }
    }

    /// The download list cannot be read from now on; nil = it can.
    public func failReading(_ failure: Failure?) { state.withLock { $0.readFailure = failure } }

    /// Puts things there without a write.
    public func put(profile: [Track] = [], downloads: [Download] = [], copies: [FinishedCopy] = []) {
        state.withLock { state in
            for track in profile { state.tracks[track.id] = track }
            state.profile += profile.map(\.id)
            for download in downloads { state.downloads[download.id] = download }
            state.copies += copies
        }
    }

    private func write(_ name: String, _ change: @Sendable (inout State) -> Void) async throws(Failure) {
        await latch.pass()
        try state.withLock { state throws(Failure) in
            if let failure = state.failure, state.failingWrite ?? name == name { throw failure }
            change(&state)
            state.writes.append(name)
        }
    }

    private func listed(_ ids: [TrackID], matching filter: String?) -> [ListedTrack] {
        state.withLock { state in
            ids.compactMap { id -> ListedTrack? in
                guard let track = state.tracks[id] else { return nil }
                if let filter, !"\(track.artist) \(track.title)".lowercased().contains(filter.lowercased()) {
                    return nil
                }
                return ListedTrack(
                    track: track, isAdded: state.profile.contains(id),
                    copyPath: state.copies.first { $0.id == id }?.path, coverPath: state.covers[id])
            }
        }
    }

    public func profileIDs() async throws(Failure) -> [TrackID] { profileNow }
    public func profile(matching filter: String?) async throws(Failure) -> [ListedTrack] {
        listed(profileNow, matching: filter)
    }
    public func music(matching filter: String?) async throws(Failure) -> [ListedTrack] {
        listed(copies.map(\.id).reversed(), matching: filter)
    }
    public func known(matching text: String) async throws(Failure) -> [ListedTrack] {
        listed(state.withLock { Array($0.tracks.keys) }, matching: text)
    }
    public func tracks(_ ids: [TrackID]) async throws(Failure) -> [ListedTrack] {
        await knownLatch.pass()
        return listed(ids, matching: nil)
    }

    public func remember(_ tracks: [Track]) async throws(Failure) {
        try await write("remember") { state in for track in tracks { state.tracks[track.id] = track } }
    }
    public func apply(_ plan: SyncPlan) async throws(Failure) {
        try await write("apply") { state in
            for track in plan.tracks { state.tracks[track.id] = track }
            state.profile = plan.tracks.map(\.id)
        }
    }
    public func forgetProfile() async throws(Failure) { try await write("forgetProfile") { $0.profile = [] } }

    public func copy(of id: TrackID) async throws(Failure) -> FinishedCopy? { copies.first { $0.id == id } }
    public func addCopy(_ copy: FinishedCopy) async throws(Failure) {
        try await write("addCopy") { state in
            state.copies.removeAll { $0.id == copy.id }
            state.copies.append(copy)
        }
    }
    public func removeCopy(_ id: TrackID) async throws(Failure) {
        try await write("removeCopy") { state in state.copies.removeAll { $0.id == id } }
    }
    public func forgetCovers(_ isGone: @escaping @Sendable (String) -> Bool) async throws(Failure) {
        try await write("forgetCovers") { $0.covers = $0.covers.filter { !isGone($0.value) } }
    }
    public func setCover(_ path: String?, of id: TrackID) async throws(Failure) {
        try await write("setCover") { $0.covers[id] = path }
    }

    public func downloads() async throws(Failure) -> [Download] {
        try state.withLock { state throws(Failure) in
            if let failure = state.readFailure { throw failure }
            return state.downloads.values.sorted { $0.order < $1.order }
        }
    }
    public func save(_ downloads: [Download]) async throws(Failure) {
        try await write("save") { state in
            for download in downloads {
                state.downloads[download.id] = download
                state.tracks[download.id] = download.track
            }
        }
    }
    public func removeDownloads(_ ids: [TrackID]) async throws(Failure) {
        try await write("removeDownloads") { state in for id in ids { state.downloads[id] = nil } }
    }

    public func account() async throws(Failure) -> Account? { accountNow }
    public func setAccount(_ account: Account?) async throws(Failure) {
        try await write("setAccount") { $0.account = account }
    }
    public func note(_ key: String) async throws(Failure) -> String? { state.withLock { $0.notes[key] } }
    public func setNote(_ key: String, _ value: String?) async throws(Failure) {
        try await write("setNote") { $0.notes[key] = value }
    }
}
