// The part of the order round the current entry: what MPRIS calls the track list (mpris.md §6).
extension PlayOrder {
    /// So many entries are near at most; the whole round where it is no longer.
    public static var mostNearby: Int { 20 }
    /// The part stands still while so many entries play one after another, and then moves by as many.
    static var nearbyStep: Int { 10 }

    /// The entries round the current one in the order of playing. The part of a long round depends on nothing but the
    /// cursor and the count: at least five entries lie on either side of the cursor, as far as there are any.
    public var nearby: ArraySlice<EntryID> { round[Self.nearby(cursor: cursor, count: round.count)] }

    static func nearby(cursor: Int, count: Int) -> Range<Int> {
        guard count > mostNearby else { return 0..<max(0, count) }
        let begin = max(0, cursor / nearbyStep * nearbyStep - nearbyStep / 2)
        let start = min(begin, count - mostNearby)
        return start..<start + mostNearby
    }
}
