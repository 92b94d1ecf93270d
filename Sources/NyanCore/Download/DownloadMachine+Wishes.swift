extension DownloadMachine {
    mutating func add(_ tracks: [Track], _ outcome: inout Outcome) {
        for track in tracks {
            guard let known = items[track.id] else {
                append(track, &outcome)
                continue
            }
            guard known.download.state == .failed else { continue }
            if known.download.failure?.code == placeTrouble?.code { placeTrouble = nil }
            items[track.id]?.download.track = track
            tryAgain(track.id, &outcome)
        }
    }

    mutating func cancel(_ selection: Selection, _ outcome: inout Outcome) {
        let ids = chosen(selection) { $0.state != .done }
        for id in ids {
            outcome.remove(id)
            outcome.act(.discard(id))
        }
        drop(Set(ids))
        forgetPlace()
    }

    /// Nobody is left that the folder's trouble was met by: it is not known any more.
    private mutating func forgetPlace() {
        guard placeTrouble != nil else { return }
        let isMet = items.values.contains {
            $0.download.state == .failed && $0.download.failure.map(Self.isOfPlace) == true
        }
        if !isMet { placeTrouble = nil }
    }

    mutating func pause(_ selection: Selection, _ outcome: inout Outcome) {
        for id in chosen(selection, where: { $0.state == .waiting || $0.state == .running }) {
            guard items[id]?.isFinishing == false else { continue }
            if items[id]?.download.state == .running {
                endRunning(id)
                outcome.act(.stop(id))
            }
            items[id]?.download.state = .paused
            items[id]?.waitsUntil = nil
            outcome.save(id)
        }
    }

    mutating func resume(_ selection: Selection, _ outcome: inout Outcome) {
        if placeTrouble != nil, selection == .all { useSpaceAgain(&outcome) }
        let ids = chosen(selection) { $0.state == .paused }
        if !ids.isEmpty { placeTrouble = nil }
        for id in ids { tryAgain(id, &outcome) }
    }

    mutating func retry(_ selection: Selection, _ outcome: inout Outcome) {
        // One that waits for the folder as all do, and was named.
        let isHeld = placeTrouble != nil && selection != .all
        let ids = chosen(selection) { $0.state == .failed || $0.state == .waiting && ($0.failure != nil || isHeld) }
        if selection == .all || !ids.isEmpty { placeTrouble = nil }
        for id in ids { tryAgain(id, &outcome) }
    }

    mutating func forget(_ ids: [TrackID], _ outcome: inout Outcome) {
        let gone = chosen(.these(ids)) { $0.state == .done }
        for id in gone { outcome.remove(id) }
        drop(Set(gone))
    }

    /// There is room again: what failed for the lack of it waits again.
    mutating func useSpaceAgain(_ outcome: inout Outcome) {
        placeTrouble = nil
        for id in chosen(.all, where: { $0.state == .failed && $0.failure.map(Self.isOfPlace) == true }) {
            tryAgain(id, &outcome)
        }
    }

    /// Whether a failure is the folder's trouble, by what `fail` made of it: it is over as soon as the folder is well.
    public static func isOfPlace(_ failure: Failure) -> Bool {
        failure.code == .diskFull || failure.code == .fileAccess && failure.retry == .later
    }

    /// Waits with a clean slate.
    private mutating func tryAgain(_ id: TrackID, _ outcome: inout Outcome) {
        items[id]?.download.attempts = 0
        items[id]?.download.failure = nil
        makeWaiting(id, &outcome)
    }

    /// The selected downloads a wish applies to, each once: in queue order for all, else as named.
    private func chosen(_ selection: Selection, where fits: (Download) -> Bool) -> [TrackID] {
        switch selection {
        case .all: return order.filter { items[$0].map { fits($0.download) } ?? false }
        case .these(let ids):
            var seen: Set<TrackID> = []
            return ids.filter { id in items[id].map { fits($0.download) } ?? false && seen.insert(id).inserted }
        }
    }
}
