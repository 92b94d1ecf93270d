import NyanCore
import NyanWire
import NyanWords

/// What a click at a cell means.
enum UITouch: Equatable {
    case tab(UITab)
    /// A row of the list, by its place among the shown ones.
    case row(Int)
    /// A part of the track's length, 0…1.
    case bar(Double)
    case deed(UIDeed)
    /// A row of the menu.
    case choice(Int)
    /// The number between quieter and louder.
    case volume
}

/// A piece of a line: what it looks like, and what a click on it means.
struct UIPart {
    var text: String
    var style = Style.plain
    var touch: UITouch?
    /// Belongs to the bar of the player.
    var isBar = false

    init(_ text: String, _ style: Style = .plain, _ touch: UITouch? = nil, isBar: Bool = false) {
        (self.text, self.style, self.touch, self.isBar) = (text, style, touch, isBar)
    }

    var columns: Int { DisplayText.columns(text) }
}

/// Draws the state: a pure function, which looks at no row that is not seen.
struct UIView {
    /// Called for each row of a list that is drawn.
    var rowDrawn: () -> Void = {}

    func frame(_ state: UIState, at now: Double) -> Frame {
        let size = state.size
        var rows = lines(state, now).prefix(max(0, size.rows)).map { Self.spans($0, size.columns) }
        rows += Array(repeating: [], count: max(0, size.rows - rows.count))
        return Frame(size, rows: rows, cursor: cursor(state), focus: focus(state))
    }

    /// What stands at a cell; nil for what has no meaning.
    func touch(_ state: UIState, at place: Place, _ now: Double) -> UITouch? {
        let lines = lines(state, now)
        guard lines.indices.contains(place.row) else { return nil }
        let line = lines[place.row]
        var column = 0
        var bar: (start: Int, columns: Int)?
        var found: UIPart?
        for part in line {
            let columns = part.columns
            if part.isBar { bar = (bar?.start ?? column, (bar?.columns ?? 0) + columns) }
            if place.column >= column, place.column < column + columns { found = part }
            column += columns
        }
        guard let found else { return line.first?.touch.flatMap { if case .row = $0 { $0 } else { nil } } }
        if found.isBar, let bar { return .bar(Double(place.column - bar.start) / Double(max(1, bar.columns))) }
        return found.touch
    }

    private func lines(_ state: UIState, _ now: Double) -> [[UIPart]] {
        let layout = state.layout
        let columns = state.size.columns
        guard layout.shape != .tooSmall else {
            let words = ["the window is too small", "too small"].map { Words.said($0) }
            return [[UIPart(words.first { DisplayText.columns($0) <= columns } ?? words[1])]]
        }
        if let top = state.helpTop { return UIHelp.lines(state.size, from: top) }
        var lines = [UITabLine.parts(state, columns)]
        if let menu = state.menu {
            if layout.shape == .full { lines.append(UIMenuLines.title(state)) }
            lines += UIMenuLines.parts(menu, columns, layout.list.count)
        } else {
            if layout.shape == .full { lines.append(UIHeadLine.parts(state, columns, now)) }
            lines += list(state, layout)
        }
        lines += UIPlayer.lines(state, now, layout)
        lines.append(UINewsLine.parts(state, columns))
        return lines
    }

    private func list(_ state: UIState, _ layout: UILayout) -> [[UIPart]] {
        let window = state.list.window(layout.list.count)
        let drawing = UIRows(state, window, columns: state.size.columns)
        var lines = window.map { place in
            rowDrawn()
            return drawing.line(place)
        }
        if lines.isEmpty, let words = UIHeadLine.empty(state) { lines.append([UIPart(" " + words, .faint)]) }
        lines += Array(repeating: [], count: max(0, layout.list.count - lines.count))
        return lines
    }

    private func cursor(_ state: UIState) -> Place? {
        guard let typing = state.typing, state.helpTop == nil, state.layout.shape != .tooSmall else { return nil }
        let (before, _) = UINewsLine.typed(typing, state.size.columns)
        return Place(row: state.size.rows - 1, column: min(state.size.columns - 1, DisplayText.columns(before)))
    }

    /// The selected row's, of the list or of the menu.
    private func focus(_ state: UIState) -> Place? {
        guard state.helpTop == nil, state.layout.shape != .tooSmall else { return nil }
        let list = state.layout.list
        if let menu = state.menu {
            return Place(row: list.lowerBound + menu.place - UIMenuLines.window(menu, list.count).lowerBound, column: 0)
        }
        let window = state.list.window(list.count)
        guard window.contains(state.list.place) else { return nil }
        return Place(row: list.lowerBound + state.list.place - window.lowerBound, column: 0)
    }

    /// The parts as spans of at most so many columns.
    private static func spans(_ parts: [UIPart], _ columns: Int) -> [Span] {
        var left = columns
        var spans: [Span] = []
        for part in parts where left > 0 && !part.text.isEmpty {
            let text = DisplayText.cut(part.text, to: left)
            left -= DisplayText.columns(text)
            spans.append(Span(text, part.style))
        }
        return spans
    }
}

extension UIPart {
    /// Parts with a gap between them that pushes the last ones to the right edge; where there is no room the left is cut.
    static func spread(_ left: [UIPart], _ right: [UIPart], _ columns: Int) -> [UIPart] {
        let taken = right.reduce(0) { $0 + $1.columns }
        guard taken > 0 else { return left }
        var room = max(0, columns - taken)
        var parts: [UIPart] = []
        for part in left {
            var cut = part
            cut.text = DisplayText.cut(part.text, to: room)
            room -= cut.columns
            parts.append(cut)
        }
        return parts + [UIPart(String(repeating: " ", count: room))] + right
    }
}
