import NyanCore

/// What one `add` knows of the profile's head while it goes on.
struct AddRun {
    let turn: ChangeTurns.Turn
    /// The ids there before anything was added, and those that were since; nil = not read yet.
    var head: Set<TrackID>?

    /// The name under which the library notes what is being added: until VK's answer is known, the head's ids before.
    static func note(_ id: TrackID) -> String { "adding.\(id)" }
}

// Changes whose answer may be lost: VK may have acted then, so its list is read before anything is repeated.
extension ProfileService {
    /// VK's page of the profile around a place.
    private static let around = 200
    /// Times a change is asked for; each lost answer is followed by a look at the list.
    private static let mostTries = 3
    /// VK may act a moment after the answer was given up.
    private static let pause = Duration.seconds(2)

    /// Asks for a change until it is made. `find`: whether it was, by VK's list. `isOpen` is set where an answer was
    /// lost: whatever is thrown then, VK may have acted.
    private func surely<Value: Sendable>(
        _ turn: ChangeTurns.Turn, _ isOpen: inout Bool,
        _ change: () async throws(Failure) -> ChangeAnswer<Value>, find: () async throws(Failure) -> Value?
    ) async throws(Failure) -> Value {
        var tries = 0
        while true {
            let answer = try await library.calling { () throws(Failure) in
                try turn.requireSame()
                return try await change()
            }
            switch answer {
            case .done(let value): return value
            case .lost(let failure):
                isOpen = true
                do { try await time.wait(for: Self.pause) } catch { throw Failure(.cancelled, "cancelled") }
                try turn.requireSame()
                if let value = try await find() { return value }
                tries += 1
                guard tries < Self.mostTries else { throw failure }
            }
        }
    }

    private func page(offset: Int) async throws(Failure) -> [Track] {
        try await library.calling { [source] () throws(Failure) in
            try await source.profilePage(owner: nil, offset: max(0, offset), count: Self.around).tracks
        }
    }

    /// Adds a track once; the copy's id.
    func addSurely(_ track: Track, _ run: inout AddRun) async throws(Failure) -> TrackID {
        let noted = try await store.note(AddRun.note(track.id))
        if let noted {
            // An earlier attempt ended without an answer.
            let before = Set(noted.split(separator: " ").compactMap { TrackID($0) })
            let head = try await page(offset: 0)
            if let copy = Self.copy(of: track, in: head, notAmong: before) { return copy }
            run.head = run.head ?? Set(head.map(\.id))
        }
        let before: Set<TrackID>
        if let head = run.head { before = head } else { before = Set(try await page(offset: 0).map(\.id)) }
        try await store.setNote(
            AddRun.note(track.id), before.map(\.description).sorted().joined(separator: " "))
        let copy: TrackID
        var isOpen = false
        do throws(Failure) {
            copy = try await surely(run.turn, &isOpen) {
                () throws(Failure) in
                try await editor.addOnce(track.reference)
            } find: { () throws(Failure) in
                Self.copy(of: track, in: try await page(offset: 0), notAmong: before)
            }
        } catch {
            // What VK refused was not made; what was lost may have been, and stays noted, whatever came of looking.
            if !isOpen { try? await store.setNote(AddRun.note(track.id), nil) }
            throw error
        }
        run.head = before.union([copy])
        return copy
    }

    /// The new row that is a copy of this track: the same names and length. VK tells no more of where it came from.
    private static func copy(of track: Track, in head: [Track], notAmong before: Set<TrackID>) -> TrackID? {
        let new = head.filter { !before.contains($0.id) }
        let same = new.first {
            $0.artist == track.artist && $0.title == track.title
                && ($0.duration == track.duration || track.duration == 0)
        }
        return same?.id
    }

    /// Takes an own copy off VK's list; fine where it is gone.
    func deleteSurely(_ id: TrackID, _ turn: ChangeTurns.Turn) async throws(Failure) {
        let place = try await store.place(of: id)
        let isGone = { [self] () async throws(Failure) -> Bool in
            guard let place else { return false }
            let rows = try await page(offset: place - Self.around / 2)
            return !rows.isEmpty && !rows.contains { $0.id == id }
        }
        var isOpen = false
        do throws(Failure) {
            try await surely(turn, &isOpen) {
                () throws(Failure) in
                try await editor.deleteOnce(id)
            } find: { () throws(Failure) in
                try await isGone() ? () : nil
            }
        } catch {
            // Removed on the website meanwhile: VK then knows no such track, or lets nobody remove it.
            guard [.denied, .notFound, .unavailableTrack].contains(error.code), try await isGone() else { throw error }
        }
    }

    /// Brings a copy back; its description if VK told it.
    func restoreSurely(_ id: TrackID, _ turn: ChangeTurns.Turn) async throws(Failure) -> Track? {
        let place = try await store.placeBeforeRemoval(of: id)
        var isOpen = false
        return try await surely(turn, &isOpen) {
            () throws(Failure) in
            try await editor.restoreOnce(id)
        } find: { () throws(Failure) -> Track?? in
            guard let place else { return nil }
            return try await page(offset: place - Self.around / 2).first { $0.id == id }.map { .some($0) }
        }
    }
}
