/// Where the parts of the ui stand in a window of some size, for those who draw and for those who find what was clicked.
nonisolated struct UILayout: Equatable, Sendable {
    enum Shape: Sendable {
        /// Tabs, a line about the list, the list, two lines of the player, a line of news.
        case full
        /// The same in few rows: without the line about the list, and one line of the player.
        case low
        /// Nothing of use fits.
        case tooSmall
    }

    let size: Size
    let shape: Shape

    init(_ size: Size) {
        self.size = size
        shape = size.columns < 20 || size.rows < 5 ? .tooSmall : size.rows < 8 ? .low : .full
    }

    /// The list's rows of the screen.
    var list: Range<Int> {
        switch shape {
        case .full: 2..<(size.rows - 3)
        case .low: 1..<(size.rows - 2)
        case .tooSmall: 0..<0
        }
    }

    /// The player's rows of the screen.
    var player: Range<Int> {
        switch shape {
        case .full: (size.rows - 3)..<(size.rows - 1)
        case .low: (size.rows - 2)..<(size.rows - 1)
        case .tooSmall: 0..<0
        }
    }
}
