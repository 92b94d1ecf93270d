public import NyanCore
import Synchronization

/// Keep rules in memory, over lists a test puts there. Twins are not known here.
public nonisolated final class MemoryKeep: KeepStore {
    private struct State {
        var lists: [KeptList: [Track]] = [:]
        var rules: [KeptList] = []
        var declined: Set<TrackID> = []
        var brought: [KeptList: Set<TrackID>] = [:]
        var copies: [TrackID: Int64] = [:]
        var failure: Failure?
        var unmarkings = 0
        var onEnd: (@MainActor @Sendable () async -> Void)?
    }

    private let state = Mutex(State())
    /// Holds up the answer of what is asked about a list.
    public let latch = Latch()

    /// Done once a rule has ended, before it is answered.
    public var onEnd: (@MainActor @Sendable () async -> Void)? {
        get { state.withLock { $0.onEnd } }
        set { state.withLock { $0.onEnd = newValue } }
    }
    /// How often marks were taken away.
    public var unmarkings: Int { state.withLock { $0.unmarkings } }

    public init() {}

    public func put(_ tracks: [Track]?, in list: KeptList) { state.withLock { $0.lists[list] = tracks } }
    public func put(copy bytes: Int64?, of id: TrackID) { state.withLock { $0.copies[id] = bytes } }
    public var declinedNow: Set<TrackID> { state.withLock { $0.declined } }
    public func broughtNow(_ list: KeptList) -> Set<TrackID> { state.withLock { $0.brought[list] ?? [] } }

    public func keepRules() async throws(Failure) -> [KeepRule] {
        state.withLock { state in
            state.rules.map { KeepRule(list: $0) }
        }
    }

    public func setKept(_ list: KeptList, _ isKept: Bool) async throws(Failure) {
        state.withLock { state in
            state.rules.removeAll { $0 == list }
            if isKept { state.rules.append(list) }
        }
        if !isKept { await onEnd?() }
    }

    public func keptTracks(of list: KeptList) async throws(Failure) -> [KeptTrack]? {
        let found = state.withLock { state in
            state.lists[list]?.map { track in
                KeptTrack(
                    track: track, isHere: state.copies[track.id] != nil, isDeclined: state.declined.contains(track.id),
                    isBrought: state.rules.contains { state.brought[$0]?.contains(track.id) == true })
            }
        }
        await latch.pass()
        return found
    }

    public func takeBack(_ list: KeptList) async throws(Failure) {
        state.withLock { state in state.declined.subtract((state.lists[list] ?? []).map(\.id)) }
    }

    public func mark(_ ids: [TrackID], by list: KeptList) async throws(Failure) {
        state.withLock { $0.brought[list, default: []].formUnion(ids) }
    }

    public func unmark(_ ids: [TrackID], by list: KeptList) async throws(Failure) {
        state.withLock { state in
            state.brought[list, default: []].subtract(ids)
            state.unmarkings += 1
        }
    }

    public func brought(by list: KeptList) async throws(Failure) -> [BroughtTrack] {
        state.withLock { state in
            (state.brought[list] ?? []).sorted { $0.audio < $1.audio }.map { id in
                let others = state.rules.filter { $0 != list }
                return BroughtTrack(
                    id: id, bytes: state.copies[id],
                    isKeptElsewhere: others.contains { state.lists[$0]?.contains { $0.id == id } == true })
            }
        }
    }

    public func wished(_ ids: [TrackID]) async throws(Failure) {
        state.withLock { state in
            state.declined.subtract(ids)
            for list in state.brought.keys { state.brought[list]?.subtract(ids) }
        }
    }

    /// The next time something is to be remembered as taken away, it cannot be written.
    public func failOnce(_ failure: Failure) { state.withLock { $0.failure = failure } }

    public func declined(_ ids: [TrackID]) async throws(Failure) {
        try state.withLock { state throws(Failure) in
            defer { state.failure = nil }
            if let failure = state.failure { throw failure }
            let wanted = Set(state.rules.flatMap { state.lists[$0] ?? [] }.map(\.id))
            state.declined.formUnion(wanted.intersection(ids))
            for list in state.brought.keys { state.brought[list]?.subtract(ids) }
        }
    }
}
