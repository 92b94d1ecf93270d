// Wishes about the track list (mpris.md §6): beside which entry new ones come, and which is current.
extension PlaybackMachine {
    /// The entry of this number, if it is in the queue; as quick in a long one as in a short one.
    public func entry(_ id: EntryID) -> Entry? { queue[id] }

    /// Makes an entry the current one as `next` does: playing goes on playing, paused stays paused. Unknown: nothing.
    mutating func skip(to entry: EntryID) {
        guard queue.index(of: entry) != nil else { return }
        order.jump(to: entry)
        failuresInARow = 0
        startOrSelect()
    }

    /// Puts tracks right behind an entry, in the queue and in the order of playing; nil = in front of what is nearby.
    /// Behind one that is gone meanwhile means at the end. `becomingCurrent` = then goes to the first of them.
    mutating func insert(_ tracks: [Track], after entry: EntryID?, becomingCurrent: Bool) {
        guard !tracks.isEmpty else { return }
        let first = EntryID(queue.nextNumber)
        if let neighbour = entry ?? order.nearby.first, let place = queue.index(of: neighbour) {
            let ids = editQueue { $0.insert(tracks, at: entry == nil ? place : place + 1) }
            order.insert(ids, beside: neighbour, isBehind: entry != nil, entries: queue.ids)
            reconsiderNext()
            save()
        } else {
            add(tracks, next: false)
        }
        if becomingCurrent { skip(to: first) }
    }
}
