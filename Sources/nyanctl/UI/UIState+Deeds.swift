import NyanCore
import NyanDBus
import NyanWire

/// What is done to the player, and to the selected track.
extension UIState {
    /// What needs no row.
    mutating func command(_ deed: UIDeed) -> [UIEffect] {
        switch deed {
        case .toggle: return [.call(UICall(.player, "Toggle", patience: .network))]
        case .stop: return [.call(UICall(.player, "Stop"))]
        case .next: return [.call(UICall(.player, "Next"))]
        case .previous: return [.call(UICall(.player, "Previous"))]
        case .back: return [.call(UICall(.player, "SeekBy", .int64(-10_000_000)))]
        case .forward: return [.call(UICall(.player, "SeekBy", .int64(10_000_000)))]
        case .louder: return [.call(UICall(.player, "ChangeVolume", .double(0.05)))]
        case .quieter: return [.call(UICall(.player, "ChangeVolume", .double(-0.05)))]
        case .shuffle: return [.call(UICall(.player, "SetShuffle", .bool(!(status?.shuffle ?? false))))]
        case .repeatMode:
            let modes: [RepeatMode] = [.off, .queue, .track]
            let next = ((modes.firstIndex(of: status?.repeatMode ?? .off) ?? 0) + 1) % modes.count
            return [.call(UICall(.player, "SetRepeat", .string(modes[next].rawValue)))]
        case .like:
            liked = status?.track?.track.id
            return [.call(UICall(.profile, "Like", patience: .many))]
        case .sync: return readAnew()
        case .offline:
            return [.call(UICall(.daemon, "SetOfflineMode", .bool(!(status?.isOfflineMode ?? false))))]
        case .clearQueue:
            guard status?.queueLength ?? 0 > 0 else { return say("the queue is empty") }
            question = Question(deed: .clearQueue, effects: [.call(UICall(.queue, "Clear"))])
        case .undo:
            guard let removed = lastRemoved else { return say("nothing was removed from the profile") }
            // Not twice; where it fails it is put back.
            lastRemoved = nil
            undoing = removed
            return [.call(UICall(.profile, "Restore", .string(removed.word), patience: .many))]
        default: break
        }
        return []
    }

    /// The open list anew, from where it comes.
    private mutating func readAnew() -> [UIEffect] {
        switch tab {
        case .profile:
            syncing = (0, 0)
            return [.call(UICall(.library, "Sync", patience: .list))]
        case .search: return query.isEmpty ? say("press / and type what to look for") : search(query)
        case .music, .queue: return want(tab)
        case .downloads:
            listDownloads()
            return []
        }
    }

    /// One question is asked once at a time.
    mutating func search(_ text: String) -> [UIEffect] {
        if isSearching, text == query { return [] }
        query = text
        isSearching = true
        isSearchFailed = false
        return [.search(text)]
    }

    /// What is done to the selected row.
    mutating func act(_ deed: UIDeed) -> [UIEffect] {
        guard let row = list.selected else {
            // The empty list of a search asks what to look for.
            return deed == .play && tab == .search ? perform(.filter, at: 0) : []
        }
        let track: BusValue = .strings([row.track.reference.description])
        switch deed {
        case .play: return play()
        case .add:
            guard !row.isAdded || tab == .queue else { return say("already in the profile") }
            return [.call(UICall(.profile, "Add", track, patience: .many))]
        case .enqueue: return [.call(UICall(.queue, "Add", track, .bool(false), patience: .network))]
        case .enqueueNext: return [.call(UICall(.queue, "Add", track, .bool(true), patience: .network))]
        case .download: return download(row, track)
        case .cancel: return cancel(row, track)
        case .hold:
            let state = downloads[row.track.id]?.state
            guard state == .running || state == .waiting || state == .paused else { return say(Self.notComing) }
            return [.call(UICall(.downloads, state == .paused ? "Resume" : "Pause", track))]
        case .remove: return remove(row, track)
        case .deleteFile: return deleteFile(row, track)
        case .export:
            guard isDownloaded(row) else { return say("only what was downloaded can be copied") }
            typing = Typing(purpose: .folder(row.track.reference), line: LineInput(folder))
        case .moveUp: return move(row, -1)
        case .moveDown: return move(row, 1)
        default: break
        }
        return []
    }

    private static let notComing = "this is not being downloaded"

    /// Says why nothing is done.
    private mutating func say(_ sentence: String) -> [UIEffect] {
        notice = Notice(text: sentence)
        return []
    }

    /// The whole list becomes the queue, as `nyanctl play ROW` does it.
    private func play() -> [UIEffect] {
        let words = list.listed.map(\.track.reference.description)
        let start: BusValue = .uint32(UInt32(clamping: list.place))
        return [.call(UICall(.player, "PlayTracks", .strings(words), start, patience: .network))]
    }

    private mutating func download(_ row: ListedTrack, _ track: BusValue) -> [UIEffect] {
        switch downloads[row.track.id]?.state {
        case .failed: return [.call(UICall(.downloads, "Retry", track))]
        case .paused: return [.call(UICall(.downloads, "Resume", track))]
        case .running, .waiting: return say("it is being downloaded")
        default: return [.call(UICall(.downloads, "Add", track, patience: .network))]
        }
    }

    private mutating func cancel(_ row: ListedTrack, _ track: BusValue) -> [UIEffect] {
        guard let state = downloads[row.track.id]?.state, state != .done else { return say(Self.notComing) }
        return [.call(UICall(.downloads, "Cancel", track))]
    }

    /// Takes the row out of this list, whatever that means here.
    private mutating func remove(_ row: ListedTrack, _ track: BusValue) -> [UIEffect] {
        switch tab {
        case .profile, .search:
            guard tab == .profile || row.isAdded else { return say("it is not in the profile") }
            question = Question(
                deed: .remove, title: Self.title(row),
                effects: [.call(UICall(.profile, "Remove", track, patience: .many))])
        case .music: return deleteFile(row, track)
        case .downloads: return downloads[row.track.id]?.state == .done ? deleteFile(row, track) : cancel(row, track)
        case .queue:
            guard let number = list.selectedNumber else { break }
            list.removeSelected(height)
            return [.queue(.remove, position: number + 1, row.track.id)]
        }
        return []
    }

    private mutating func deleteFile(_ row: ListedTrack, _ track: BusValue) -> [UIEffect] {
        guard isDownloaded(row) else { return say("there is no file of it") }
        question = Question(
            deed: .deleteFile, title: Self.title(row),
            effects: [.call(UICall(.library, "DeleteCopies", track))])
        return []
    }

    private mutating func move(_ row: ListedTrack, _ step: Int) -> [UIEffect] {
        guard tab == .queue, let number = list.selectedNumber else {
            return say("only the queue has an order of yours")
        }
        guard list.filter.isEmpty else { return say("the list is filtered: Esc shows all of it") }
        guard (0..<list.count).contains(number + step) else { return [] }
        list.move(by: step, height)
        return [.queue(.move(step), position: number + 1, row.track.id)]
    }

    private static func title(_ row: ListedTrack) -> String {
        row.track.title.isEmpty ? row.track.artist : row.track.title
    }
}
