/// Where a terminal cannot turn its colours around, a `>` tells which row is selected.
nonisolated enum SelectionMark {
    /// A row with the mark in its second column, which is blank in every row that can be selected.
    static func marked(_ spans: [Span]) -> [Span] {
        guard let first = spans.first, first.style == .selected || first.style == .selectedPlaying else { return spans }
        var letters = Array(first.text)
        guard letters.count > 1, letters[1] == " " else { return spans }
        letters[1] = ">"
        return [Span(String(letters), first.style)] + spans.dropFirst()
    }
}
