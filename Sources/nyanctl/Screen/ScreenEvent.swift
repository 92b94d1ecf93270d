/// What a person does at the terminal, in words of no library.
nonisolated enum ScreenEvent: Equatable, Sendable {
    case key(ScreenKey)
    /// A key was pressed, or the wheel turned, over a cell.
    case mouse(MouseDeed, at: Place)
    /// Text that came from the clipboard at once, whatever keys its letters are. Line ends and other controls in it are
    /// blanks.
    case pasted(String)
    case resized(Size)
    /// The terminal went away, or a signal asks for the end: the screen is closed already, or will be by its owner.
    case gone
}

/// A key. Letters come as `.text`, one grapheme at a time, also with a Cyrillic layout.
nonisolated enum ScreenKey: Equatable, Hashable, Sendable {
    case text(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backTab, backspace, delete, insert
    /// Control and a letter: `.control("c")`.
    case control(Character)
    /// Alt and a letter, which many terminals send as an escape before it; Alt and Backspace is `.alt("\u{7F}")`.
    case alt(Character)
    case function(Int)
}

/// What a mouse did.
nonisolated enum MouseDeed: Equatable, Sendable {
    case click, doubleClick, menu, wheelUp, wheelDown
}
