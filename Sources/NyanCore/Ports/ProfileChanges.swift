/// What became of a change at VK that must not be made twice.
public enum ChangeAnswer<Value: Sendable>: Sendable {
    case done(Value)
    /// The answer was lost: VK may have made the change, or not.
    case lost(Failure)
}

extension ChangeAnswer: Equatable where Value: Equatable {}

/// Port: changing the signed-in person's profile (vk-api.md §2.6). Each call asks VK once; a thrown failure means that
/// VK certainly made no change.
@MainActor public protocol ProfileEditor: AnyObject {
    /// Puts a copy first in the profile: its id. Twice makes two copies.
    func addOnce(_ track: TrackReference) async throws(Failure) -> ChangeAnswer<TrackID>
    /// Takes an own copy off the profile.
    func deleteOnce(_ id: TrackID) async throws(Failure) -> ChangeAnswer<Void>
    /// Brings a copy back that was taken off some minutes ago; its description if VK tells it.
    func restoreOnce(_ id: TrackID) async throws(Failure) -> ChangeAnswer<Track?>
}

/// Port: what changes of the profile leave in the library. Returning means durable.
public protocol ProfileStore: Sendable {
    /// Puts a fresh copy at the top of the profile. `original`: what it was copied from; from here on they are one
    /// recording, and what is on disk of one counts for both.
    func added(_ copy: Track, from original: TrackID) async throws(Failure)
    /// Takes a track off the profile and remembers its place. What is on disk stays.
    func removed(_ id: TrackID) async throws(Failure)
    /// Puts a track back. False: its place was not known, and it stands at the top.
    func restored(_ track: Track) async throws(Failure) -> Bool
    /// The track itself, or the twin of it, that is in the profile.
    func profileCopy(of id: TrackID) async throws(Failure) -> TrackID?
    /// The track itself, or the twin of it, that was taken off the profile last.
    func removedCopy(of id: TrackID) async throws(Failure) -> TrackID?
    /// How many tracks stand above this one in the profile; nil where it is not there.
    func place(of id: TrackID) async throws(Failure) -> Int?
    /// How many tracks of today's profile stand above the place a removed track had; nil where that is not known.
    func placeBeforeRemoval(of id: TrackID) async throws(Failure) -> Int?
    /// All ids of the same recording, the asked one included.
    func twins(of id: TrackID) async throws(Failure) -> [TrackID]
}
