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
    /// Rows were moved or taken out here since the listing was read: an index of it no longer fits.
    private var isEdited = false
    /// The row that was selected by the person, and its height in the window, while a filter hides rows: where the filter
    /// leads back to.
    private var chosen: (number: Int, height: Int)?
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

    /// Takes a new listing in. The selected row stays selected, wherever it went, and stays at its height in the
    /// window; where it is gone, what has come to its place is selected.
    mutating func set(_ fresh: [ListedTrack], height: Int) {
        isKnown = true
        isEdited = false
        guard fresh != rows else { return }
        let number = selectedNumber.flatMap { RowTrail.number(of: $0, in: rows, after: fresh) }
        chosen = chosen.flatMap { chosen in
            RowTrail.number(of: chosen.number, in: rows, after: fresh).map { ($0, chosen.height) }
        }
        rows = fresh
        index = nil
        refilter()
        select(number: number, orPlace: place, at: place - top, height)
    }

    /// Takes the texts of these rows in, which were made elsewhere.
    mutating func take(_ fresh: TrackIndex) {
        if index == nil, !isEdited, fresh.count == rows.count { index = fresh }
    }

    /// Shows what matches. The row that the person selected stays selected where it matches, else the first one is; once
    /// everything is shown again it is where it was.
    mutating func show(matching text: String, height: Int) {
        guard text != filter else { return }
        if filter.isEmpty { choose() }
        filter = text
        refilter()
        let offset = filter.isEmpty ? chosen?.height : nil
        select(number: chosen?.number ?? selectedNumber, orPlace: 0, at: offset ?? place - top, height)
        if filter.isEmpty { chosen = nil }
    }

    /// The person means the selected row: a filter that is taken back leads to it.
    mutating func choose() {
        if let number = selectedNumber { chosen = (number, place - top) }
    }

    /// Moves the selected row before the daemon says so; it stays selected. Only where all rows are shown.
    mutating func move(by step: Int, _ height: Int) {
        guard shown == nil, rows.indices.contains(place), rows.indices.contains(place + step) else { return }
        rows.insert(rows.remove(at: place), at: place + step)
        edited()
        select(place + step, height)
    }

    /// Takes the selected row out before the daemon says so; what comes to its place is selected.
    mutating func removeSelected(_ height: Int) {
        guard let number = selectedNumber else { return }
        rows.remove(at: number)
        chosen = nil
        edited()
        refilter()
        select(place, height)
    }

    private mutating func edited() {
        index = nil
        isEdited = true
    }

    mutating func select(_ wanted: Int, _ height: Int) {
        place = max(0, min(wanted, count - 1))
        settle(height)
        if !filter.isEmpty { choose() }
    }

    /// Moves the window; the selection comes along only where it would be out of sight.
    mutating func scroll(by rows: Int, _ height: Int) {
        let height = max(1, height)
        top = max(0, min(top + rows, count - height))
        place = max(top, min(place, top + height - 1, max(0, count - 1)))
        if !filter.isEmpty { choose() }
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

    /// Selects a row by its number where it is shown, else a place; `offset` rows below the window's first one.
    private mutating func select(number: Int?, orPlace fallback: Int, at offset: Int, _ height: Int) {
        let found = number.flatMap { number in shown.map { $0.firstIndex(of: number) } ?? number }
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
