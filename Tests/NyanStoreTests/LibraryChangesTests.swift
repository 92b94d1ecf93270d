import NyanCore
import Testing

@testable import NyanStore

@Suite("Changes of the profile on disk")
struct LibraryChangesTests {
    let folder = TemporaryFolder()
    private let original = Track(id: TrackID(owner: -5, audio: 50), artist: "A", title: "T", duration: 9)
    private let copy = Track(id: TrackID(owner: 1, audio: 90), artist: "A", title: "T", duration: 9)

    private func open() async throws -> LibraryDatabase { try await LibraryDatabase.open(folder("library.db")) }

    private func plan(_ tracks: [Track]) -> SyncPlan {
        SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true)
    }

    @Test("An added copy stands on top, and both ids are known to be in the profile, also after a restart")
    func added() async throws {
        do {
            let database = try await open()
            try await database.apply(plan([track(1), track(2)]))
            try await database.remember([original])
            try await database.added(copy, from: original.id)
        }
        let database = try await open()
        #expect(try await database.profileIDs() == [copy.id, track(1).id, track(2).id])
        #expect(try await database.tracks([original.id, copy.id]).map(\.isAdded) == [true, true])
        #expect(try await database.profileCopy(of: original.id) == copy.id)
        #expect(try await database.profileCopy(of: copy.id) == copy.id)
        #expect(try await database.profileCopy(of: track(7).id) == nil)
        #expect(Set(try await database.twins(of: original.id)) == [original.id, copy.id])
        // A sync that reads the same writes nothing.
        let before = await database.rowsWritten
        try await database.apply(plan([copy, track(1), track(2)]))
        #expect(await database.rowsWritten == before)
    }

    @Test("What is downloaded under one id is downloaded under the other", arguments: [true, false])
    func sharedCopy(isOfOriginal: Bool) async throws {
        let database = try await open()
        try await database.remember([original])
        let holder = isOfOriginal ? original.id : copy.id
        if isOfOriginal { try await database.addCopy(FinishedCopy(id: holder, path: "/m/x.mp3", bytes: 7)) }
        try await database.added(copy, from: original.id)
        if !isOfOriginal { try await database.addCopy(FinishedCopy(id: holder, path: "/m/x.mp3", bytes: 7)) }
        for id in [original.id, copy.id] {
            #expect(try await database.tracks([id]).first?.copyPath == "/m/x.mp3")
            #expect(try await database.copy(of: id) == FinishedCopy(id: holder, path: "/m/x.mp3", bytes: 7))
        }
        #expect(try await database.profile(matching: nil).first?.copyPath == "/m/x.mp3")
        #expect(try await database.music(matching: nil).map(\.isAdded) == [true], "one file, one row")
        // Taken off, and added once more: a third id of the same recording.
        try await database.removed(copy.id)
        #expect(try await database.tracks([copy.id]).first?.copyPath == "/m/x.mp3")
        #expect(try await database.music(matching: nil).map(\.isAdded) == [false])
        var again = copy
        again.id.audio = 91
        try await database.added(again, from: original.id)
        #expect(try await database.profile(matching: nil).map(\.copyPath) == ["/m/x.mp3"])
        try await database.removeCopy(holder)
        #expect(try await database.copy(of: again.id) == nil)
    }

    @Test("The own file comes before a twin's")
    func ownFirst() async throws {
        let database = try await open()
        try await database.remember([original])
        try await database.added(copy, from: original.id)
        try await database.addCopy(FinishedCopy(id: original.id, path: "/m/o.mp3", bytes: 1))
        try await database.addCopy(FinishedCopy(id: copy.id, path: "/m/c.mp3", bytes: 1))
        #expect(try await database.copy(of: copy.id)?.path == "/m/c.mp3")
        #expect(try await database.copy(of: original.id)?.path == "/m/o.mp3")
        #expect(try await database.tracks([original.id, copy.id]).map(\.copyPath) == ["/m/o.mp3", "/m/c.mp3"])
    }

    @Test("Logging out forgets the profile, but not which file a copy shares")
    func loggedOut() async throws {
        let database = try await open()
        try await database.remember([original])
        try await database.addCopy(FinishedCopy(id: original.id, path: "/m/x.mp3", bytes: 7))
        try await database.added(copy, from: original.id)
        try await database.setNote("people.friends", "x")
        try await database.forgetProfile()
        #expect(try await database.note("people.friends") == nil)
        #expect(try await database.profileIDs().isEmpty)
        try await database.apply(plan([copy]))
        #expect(try await database.profile(matching: nil).map(\.copyPath) == ["/m/x.mp3"])
    }

    @Test("A removed track leaves the order as it is and comes back to its place", arguments: 0..<5)
    func removedAndBack(place: Int) async throws {
        let database = try await open()
        let tracks = (1...5).map { track(Int64($0)) }
        try await database.apply(plan(tracks))
        let gone = tracks[place]
        #expect(try await database.place(of: gone.id) == place)
        try await database.removed(gone.id)
        var rest = tracks
        rest.remove(at: place)
        #expect(try await database.profileIDs() == rest.map(\.id))
        #expect(try await database.removedCopy(of: gone.id) == gone.id)
        #expect(try await database.placeBeforeRemoval(of: gone.id) == place)
        #expect(try await database.restored(gone))
        #expect(try await database.profileIDs() == tracks.map(\.id))
        #expect(try await database.removedCopy(of: gone.id) == nil)
    }

    @Test("It finds its place also where all was numbered anew, or something new stands there", arguments: 1...6)
    func placeKept(seed: UInt64) async throws {
        let database = try await open()
        var random = SystemRandomNumberGenerator()
        var tracks = (1...12).map { track(Int64($0)) }
        try await database.apply(plan(tracks))
        let place = Int(seed) * 2 - 1
        let gone = tracks[place]
        let below = place + 1 < tracks.count ? tracks[place + 1].id : nil
        try await database.removed(gone.id)
        tracks.remove(at: place)
        // VK's list was changed elsewhere, which numbers the places anew.
        tracks.insert(track(100), at: Int.random(in: 0...tracks.count, using: &random))
        tracks.swapAt(0, 1)
        try await database.apply(plan(tracks))
        #expect(try await database.restored(gone))
        let ids = try await database.profileIDs()
        let found = try #require(ids.firstIndex(of: gone.id))
        if let below { #expect(ids[found + 1] == below) } else { #expect(found == ids.count - 1) }
        #expect(ids.filter { $0 != gone.id } == tracks.map(\.id))
    }

    @Test("Where the place is not known it stands on top, which is told")
    func unknownPlace() async throws {
        let database = try await open()
        try await database.apply(plan([track(1), track(2)]))
        #expect(try await database.restored(track(3)) == false)
        #expect(try await database.profileIDs() == [track(3).id, track(1).id, track(2).id])
        #expect(try await database.restored(track(1)), "it was there all the time")
        #expect(try await database.profileIDs().count == 3)
    }

    @Test("The one removed last of several twins is the one to restore")
    func lastRemoved() async throws {
        let database = try await open()
        try await database.remember([original])
        try await database.added(copy, from: original.id)
        var second = copy
        second.id.audio = 91
        try await database.added(second, from: original.id)
        try await database.removed(second.id)
        try await database.removed(copy.id)
        #expect(try await database.removedCopy(of: original.id) == copy.id)
        #expect(try await database.removedCopy(of: second.id) == second.id)
    }
}
