// Edits of the queue. None of them disturbs what sounds, except the removal of the current entry.
extension PlaybackMachine {
    /// Replaces the queue and starts at an index (clamped). Nothing to play: nothing happens, the queue stays.
    mutating func playTracks(_ tracks: [Track], startAt index: Int) {
        guard !tracks.isEmpty else { return }
        let ids = editQueue { queue in
            queue.removeAll()
            return queue.insert(tracks)
        }
        order.reset(to: ids, current: ids[min(max(index, 0), ids.count - 1)])
        failuresInARow = 0
        start()
    }

    mutating func playNow(_ tracks: [Track]) {
        guard !tracks.isEmpty else { return }
        let place = order.current.flatMap { queue.index(of: $0) }.map { $0 + 1 }
        let ids = editQueue { $0.insert(tracks, at: place) }
        order.add(ids, next: true, entries: queue.ids)
        order.jump(to: ids[0])
        failuresInARow = 0
        start()
    }

    mutating func add(_ tracks: [Track], next: Bool) {
        guard !tracks.isEmpty else { return }
        let wasEmpty = queue.isEmpty
        let place = next ? order.current.flatMap { queue.index(of: $0) }.map { $0 + 1 } : nil
        let ids = editQueue { $0.insert(tracks, at: place) }
        order.add(ids, next: next, entries: queue.ids)
        // So that there is something to play and to show (mpris.md §4.5 "queue loaded, nothing playing").
        if wasEmpty { state.length = currentEntry?.track.length }
        reconsiderNext()
        save()
    }

    mutating func remove(_ ids: [EntryID]) {
        guard ids.contains(where: { queue.index(of: $0) != nil }) else { return }
        let current = order.current
        let gone = editQueue { $0.remove(ids) }
        guard !queue.isEmpty else { return clear() }
        let goesOn = order.remove(gone)
        save()
        guard order.current != current else { return reconsiderNext() }
        failuresInARow = 0
        if goesOn { startOrSelect() } else { halt() }
    }

    mutating func move(_ entry: EntryID, to index: Int) {
        guard let from = queue.index(of: entry), from != min(max(index, 0), queue.count - 1) else { return }
        _ = editQueue { $0.move(entry, to: index) }
        order.reorder(to: queue.ids)
        reconsiderNext()
        save()
    }

    /// Everything empty and silent; the modes and the volume stay.
    mutating func clear() {
        guard !state.entries.isEmpty || entriesChanged || state.problem != nil else { return }
        editQueue { $0.removeAll() }
        order.reset(to: [], current: nil)
        state.problem = nil
        failuresInARow = 0
        halt()
    }

    /// A track is described anew. The engine's word about the length is better than VK's.
    mutating func redescribe(_ track: Track) {
        guard queue.differs(from: track) else { return }
        editQueue { $0.redescribe(track) }
        if currentEntry?.track.id == track.id, sounding?.knowsLength != true { state.length = track.length }
        save()
    }
}
