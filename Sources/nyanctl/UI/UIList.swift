import NyanCore

/// One tab's listing: its rows, which of them the filter shows, which is selected, and where the window onto them
/// begins. A value. Heights are rows of the terminal, at least 0.
struct UIList {
    fileprivate(set) var rows: [ListedTrack] = []
    /// What was typed to filter; empty = everything is shown.
    private(set) var filter = ""
    /// The shown rows' places in `rows`; nil = all of them.
    private var shown: [Int]?
    private var index: TrackIndex?
    /// The selected row, from 0 among the shown ones.
    private(set) var place = 0
    /// The first row of the window.
    private(set) var top = 0
    /// It was listed once.
    var isKnown = false

    var count: Int { shown?.count ?? rows.count }
    var selected: ListedTrack? { self[place] }
    /// The selected row's place in `rows`, from 0.
    var selectedNumber: Int? { number(place) }

    /// The row at a place among the shown ones.
    subscript(place: Int) -> ListedTrack? { number(place).map { rows[$0] } }

    func number(_ place: Int) -> Int? {
        guard place >= 0, place < count else { return nil }
        return shown?[place] ?? place
    }

    /// All shown rows.
    var listed: [ListedTrack] { shown?.map { rows[$0] } ?? rows }

    /// The places a window of so many rows shows.
    func window(_ height: Int) -> Range<Int> {
        let first = max(0, min(top, count - height))
        return first..<min(count, first + max(0, height))
    }

    /// Takes a new listing in. The selected track stays selected, wherever it went, and stays at its height in the
    /// window; where it is gone, what has come to its place is selected.
    mutating func set(_ fresh: [ListedTrack], height: Int) {
        isKnown = true
        guard fresh != rows else { return }
        let key = selectedNumber.map { Self.key(of: $0, in: rows) }
        rows = fresh
        index = nil
        refilter()
        select(key, orPlace: place, height)
    }

    /// Takes the texts of these rows in, which were made elsewhere.
    mutating func take(_ fresh: TrackIndex) {
        if index == nil, fresh.count == rows.count { index = fresh }
    }

    /// Shows what matches. The selected track stays selected where it matches, else the first one is.
    mutating func show(matching text: String, height: Int) {
        guard text != filter else { return }
        let key = selectedNumber.map { Self.key(of: $0, in: rows) }
        filter = text
        refilter()
        select(key, orPlace: 0, height)
    }

    mutating func select(_ wanted: Int, _ height: Int) {
        place = max(0, min(wanted, count - 1))
        settle(height)
    }

    /// Moves the window; the selection comes along only where it would be out of sight.
    mutating func scroll(by rows: Int, _ height: Int) {
        let height = max(1, height)
        top = max(0, min(top + rows, count - height))
        place = max(top, min(place, top + height - 1, max(0, count - 1)))
    }

    /// Keeps the selected row in the window.
    mutating func settle(_ height: Int) {
        let height = max(1, height)
        top = max(0, min(top, place, count - height))
        if place - top >= height { top = max(0, place - height + 1) }
    }

    /// Selects a track of the listing; false where it is not shown.
    mutating func select(_ id: TrackID, _ height: Int) -> Bool {
        guard let found = listed.firstIndex(where: { $0.track.id == id }) else { return false }
        select(found, height)
        return true
    }

    private mutating func refilter() {
        let words = FilterWords(filter)
        guard !words.isEmpty else {
            shown = nil
            return
        }
        let index = index ?? TrackIndex(rows)
        self.index = index
        shown = index.rows(matching: words) ?? rows.indices.filter { words.match(rows[$0].track) }
    }

    /// A track, and how many of the same stand before it: a queue may have it several times.
    private struct Key {
        var id: TrackID
        var turn: Int
    }

    private static func key(of number: Int, in rows: [ListedTrack]) -> Key {
        let id = rows[number].track.id
        return Key(id: id, turn: rows[..<number].count { $0.track.id == id })
    }

    private mutating func select(_ key: Key?, orPlace fallback: Int, _ height: Int) {
        let offset = place - top
        let found = key.flatMap { key -> Int? in
            let same = (0..<count).filter { number($0).map { rows[$0].track.id == key.id } ?? false }
            // One of several is gone: another of them is still the same track.
            return same.isEmpty ? nil : same[min(key.turn, same.count - 1)]
        }
        place = max(0, min(found ?? fallback, count - 1))
        top = place - max(0, offset)
        settle(height)
    }
}

extension UIList {
    /// Sets what a row says about the profile.
    mutating func mark(_ id: TrackID, isAdded: Bool) {
        for place in rows.indices where rows[place].track.id == id { rows[place].isAdded = isAdded }
    }
}
