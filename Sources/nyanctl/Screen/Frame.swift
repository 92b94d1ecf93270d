/// What one screen of `nyanctl ui` shows: rows of styled text, with no trace of the terminal that paints it.
///
/// Made by the view from the state, painted by a `Screen`; tests compare its text.
nonisolated struct Frame: Equatable, Sendable {
    var size: Size
    /// At most `size.rows`; what is shorter than `size.columns` ends in blanks of the last span's style.
    var rows: [[Span]]
    /// Where the person is typing; nil hides the cursor.
    var cursor: Place?
    /// Where the hidden cursor stands: on the selected row.
    var focus: Place?

    init(_ size: Size, rows: [[Span]] = [], cursor: Place? = nil, focus: Place? = nil) {
        self.size = size
        self.rows = rows
        self.cursor = cursor
        self.focus = focus
    }
}

/// Columns and rows of a terminal, in cells.
nonisolated struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int
}

/// A cell, from 0 at the top left.
nonisolated struct Place: Equatable, Sendable {
    var row: Int
    var column: Int
}

/// Text of one style. Already harmless (`DisplayText.escaped`) and cut to its columns.
nonisolated struct Span: Equatable, Sendable {
    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// What a span means; which colour and weight that is, is the screen's affair (none with `NO_COLOR`).
nonisolated enum Style: CaseIterable, Sendable {
    case plain
    /// A heading, the tab that is open.
    case strong
    /// What matters less: numbers, hints.
    case faint
    /// What plays.
    case playing
    /// The row the keys act on.
    case selected
    /// The selected row, which plays as well.
    case selectedPlaying
    /// Something went wrong.
    case alarm
    /// The played, and the fetched part of a bar, and the rest of it.
    case played, fetched, rest
}
