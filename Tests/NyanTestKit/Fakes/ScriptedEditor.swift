public import NyanCore

/// A profile at VK that loses answers when the test wants it to: it changes what a `ScriptedSource` lists.
public final class ScriptedEditor: ProfileEditor {
    /// What becomes of a call.
    public enum Fate: Sendable {
        case done
        /// VK acted, its answer was lost.
        case lostAfter
        /// It never came there.
        case lostBefore
        case refused(Failure)
    }

    /// Fates of the next calls, first one first; then all is done.
    public var fates: [Fate] = []
    public private(set) var calls: [String] = []
    /// What foreign tracks look like.
    public var foreign: [TrackID: Track] = [:]
    /// Holds up every call while shut.
    public let latch = Latch()
    private var deleted: [TrackID: (track: Track, place: Int)] = [:]
    private var next: Int64 = 1000
    private let source: ScriptedSource
    private static let lost = Failure(.timeout, "VK did not answer in time", retry: .later)

    public init(_ source: ScriptedSource) { self.source = source }

    public func addOnce(_ track: TrackReference) async throws(Failure) -> ChangeAnswer<TrackID> {
        calls.append("add \(track)")
        return try await answer {
            next += 1
            var copy = foreign[track.id] ?? Track(id: track.id, artist: "Artist", title: "Title", duration: 200)
            copy.id = TrackID(owner: 1, audio: next)
            copy.accessKey = nil
            source.profile.insert(copy, at: 0)
            return copy.id
        }
    }

    public func deleteOnce(_ id: TrackID) async throws(Failure) -> ChangeAnswer<Void> {
        calls.append("delete \(id)")
        let isThere = source.profile.contains { $0.id == id }
        if !isThere, fates.isEmpty { throw Failure(.denied, "VK denies access to this") }
        return try await answer {
            guard let place = source.profile.firstIndex(where: { $0.id == id }) else { return }
            deleted[id] = (source.profile.remove(at: place), place)
        }
    }

    public func restoreOnce(_ id: TrackID) async throws(Failure) -> ChangeAnswer<Track?> {
        calls.append("restore \(id)")
        return try await answer {
            guard let (track, place) = deleted.removeValue(forKey: id) else { return nil }
            source.profile.insert(track, at: min(place, source.profile.count))
            return track
        }
    }

    private func answer<Value: Sendable>(_ act: () -> Value) async throws(Failure) -> ChangeAnswer<Value> {
        let fate = fates.isEmpty ? Fate.done : fates.removeFirst()
        await latch.pass()
        switch fate {
        case .done: return .done(act())
        case .lostAfter:
            _ = act()
            return .lost(Self.lost)
        case .lostBefore: return .lost(Self.lost)
        case .refused(let failure): throw failure
        }
    }
}
