public import NyanCore
import NyanDBus

/// What `add` did of what was asked for.
public struct AddOutcome: Sendable, Equatable {
    /// The copies' ids, in the order of the tracks they were made of.
    public var added: [TrackID] = []
    /// What was in the profile already, by the ids asked for.
    public var present: [TrackID] = []
    /// What cannot be added, each with the reason.
    public var refused: [RefusedTrack] = []
    /// Why the rest was not tried.
    public var stopped: Failure?
}

/// What `remove` did of what was asked for.
public struct RemoveOutcome: Sendable, Equatable {
    /// The profile's own ids, which `restore` takes.
    public var removed: [TrackID] = []
    public var refused: [RefusedTrack] = []
    public var stopped: Failure?
}

public struct RefusedTrack: Sendable, Equatable {
    public var id: TrackID
    public var failure: Failure
}

/// Changes the VK profile, one change at a time (vk-api.md §2.6). The library follows at once, without a sync.
///
/// Nothing is ever made twice: where the answer was lost, VK is asked what became of it before anything is repeated,
/// and what is being added is noted on disk first, so that this holds over kill -9, too.
public final class ProfileService {
    let editor: any ProfileEditor
    let source: any MusicSource
    let store: any ProfileStore & LibraryStore
    let library: LibraryService
    let account: AccountService
    private let hub: EventHub
    let time: any TimeSource
    private let log: Log
    private let turns: ChangeTurns

    public init(
        editor: any ProfileEditor, source: any MusicSource, store: any ProfileStore & LibraryStore,
        library: LibraryService, account: AccountService, hub: EventHub, time: any TimeSource, log: Log
    ) {
        self.editor = editor
        self.source = source
        self.store = store
        self.library = library
        self.account = account
        self.hub = hub
        self.time = time
        self.log = log
        turns = ChangeTurns(account: account)
    }

    /// Adds tracks so that they stand at the top of the profile in the order given: the last one is added first.
    /// - Throws: what is wrong with one track that was asked for alone; with many it is told in the outcome.
    public func add(_ references: [TrackReference]) async throws(Failure) -> AddOutcome {
        try await turns.run { [self] turn throws(Failure) in
            if let stranger = references.first(where: { !$0.id.isVKs }) {
                throw Failure(.unsupported, "only VK's tracks can be added to the VK profile", subject: stranger.id)
            }
            var seen: Set<TrackID> = []
            return try await addAll(references.filter { seen.insert($0.id).inserted }, turn)
        }
    }

    /// Each is named once.
    private func addAll(_ references: [TrackReference], _ turn: ChangeTurns.Turn) async throws(Failure) -> AddOutcome {
        var outcome = AddOutcome()
        var run = AddRun(turn: turn)
        var refusals = 0
        let tracks = try await described(references)
        for reference in references.reversed() {
            guard let track = tracks[reference.id] else {
                // One of many is no reason to leave out the others.
                let failure = LibraryService.unknown(reference.id)
                guard references.count > 1 else { throw failure }
                outcome.refused.insert(RefusedTrack(id: reference.id, failure: failure), at: 0)
                continue
            }
            do throws(Failure) {
                if let copy = try await add(track, &run) {
                    outcome.added.insert(copy, at: 0)
                } else {
                    outcome.present.insert(track.id, at: 0)
                }
                refusals = 0
            } catch {
                guard references.count > 1 else { throw error }
                refusals += 1
                guard error.isOfOneTrack, refusals < Self.mostRefusals else {
                    outcome.stopped = error
                    break
                }
                outcome.refused.insert(RefusedTrack(id: track.id, failure: error), at: 0)
            }
        }
        log.info("profile: \(outcome.added.count) of \(references.count) added, \(outcome.present.count) were there")
        return outcome
    }

    /// Refusals in a row after which the fault is not one track's: the list may be full.
    private static let mostRefusals = 3

    /// Adds one track; nil = it is in the profile.
    private func add(_ track: Track, _ run: inout AddRun) async throws(Failure) -> TrackID? {
        try run.turn.requireSame()
        guard try await store.profileCopy(of: track.id) == nil else { return nil }
        let id = try await addSurely(track, &run)
        try run.turn.requireSame()
        var copy = track
        copy.id = id
        copy.accessKey = nil
        copy.date = WallClock.now
        // First the note: a sync that ends before the store has it takes it over, too.
        library.changes.note(.added(copy))
        try await store.added(copy, from: track.id)
        try await store.setNote(AddRun.note(track.id), nil)
        hub.changed(.library)
        library.changes.onChange()
        return id
    }

    /// Takes tracks off the profile; a twin's id stands for the profile's own. What is on disk stays.
    /// - Throws: what is wrong with one track that was asked for alone, or that none of many is in the profile.
    public func remove(_ ids: [TrackID]) async throws(Failure) -> RemoveOutcome {
        try await turns.run { [self] turn throws(Failure) in
            var outcome = RemoveOutcome()
            for id in ids {
                do throws(Failure) {
                    let own = try await remove(id, turn)
                    if !outcome.removed.contains(own) { outcome.removed.append(own) }
                } catch {
                    guard ids.count > 1 else { throw error }
                    guard error.isOfOneTrack else {
                        outcome.stopped = error
                        break
                    }
                    outcome.refused.append(RefusedTrack(id: id, failure: error))
                }
            }
            if let first = outcome.refused.first, outcome.removed.isEmpty, outcome.stopped == nil,
                outcome.refused.allSatisfy({ $0.failure.code == .notFound })
            {
                throw Failure(.notFound, "none of them is in your profile", subject: first.id)
            }
            return outcome
        }
    }

    private func remove(_ id: TrackID, _ turn: ChangeTurns.Turn) async throws(Failure) -> TrackID {
        try turn.requireSame()
        try account.requireAccount()
        guard let own = try await store.profileCopy(of: id) ?? (isMine(id) ? id : nil) else {
            throw Failure(.notFound, "\(id) is not in your profile", subject: id)
        }
        try await deleteSurely(own, turn)
        try turn.requireSame()
        library.changes.note(.removed(own))
        try await store.removed(own)
        hub.changed(.library)
        log.info("profile: \(own) removed")
        return own
    }

    /// Brings back a track that was removed some minutes ago; true: it was there all the time.
    public func restore(_ id: TrackID) async throws(Failure) -> (id: TrackID, wasThere: Bool) {
        try await turns.run { [self] turn throws(Failure) in
            try account.requireAccount()
            if let own = try await store.profileCopy(of: id) { return (own, true) }
            guard let own = try await store.removedCopy(of: id) ?? (isMine(id) ? id : nil) else {
                throw Failure(.notFound, "\(id) was not in your profile: `add` adds it", subject: id)
            }
            let told = try await restoreSurely(own, turn)
            let known = try await store.tracks([own]).first?.track
            try turn.requireSame()
            guard let track = told ?? known else {
                throw Failure(.badAnswer, "VK restored \(own) but does not describe it; sync to see it", subject: own)
            }
            library.changes.note(.added(track))
            let isPlaced = try await store.restored(track)
            hub.changed(.library)
            library.changes.onChange()
            // VK knows the place.
            if !isPlaced { Task.onMain { [library] in _ = try? await library.sync() } }
            log.info("profile: \(own) restored")
            return (own, false)
        }
    }

    private func isMine(_ id: TrackID) -> Bool { id.owner == account.account?.id }

    /// The tracks behind references, as far as anybody knows them; the key that was asked with opens a foreign one.
    private func described(_ references: [TrackReference]) async throws(Failure) -> [TrackID: Track] {
        var tracks = try await library.described(references).mapValues(\.track)
        for reference in references where reference.accessKey != nil {
            tracks[reference.id]?.accessKey = reference.accessKey
        }
        return tracks
    }
}

extension Failure {
    /// Says nothing about the next track.
    fileprivate nonisolated var isOfOneTrack: Bool {
        [.notFound, .unavailableTrack, .denied, .unsupported].contains(code)
    }
}
