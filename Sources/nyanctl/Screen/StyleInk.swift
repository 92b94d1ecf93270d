import CCurses

/// How a style looks: a weight every terminal has, and one of the terminal's own eight colours where it may have them.
nonisolated struct StyleInk: Equatable {
    /// Bits of `NYAN_SCREEN_BOLD` and its like.
    var weight: Int32
    /// 0 to 7 (black, red, green, yellow, blue, magenta, cyan, white); -1 for the terminal's own.
    var colour: Int32 = -1

    private static let bold = Int32(NYAN_SCREEN_BOLD)
    private static let dim = Int32(NYAN_SCREEN_DIM)
    private static let reverse = Int32(NYAN_SCREEN_REVERSE)

    /// What plays is bold without colours, too: no meaning hangs on a colour alone.
    init(_ style: Style) {
        self =
            switch style {
            case .plain: .init(weight: 0)
            case .strong: .init(weight: Self.bold)
            case .faint, .rest: .init(weight: Self.dim)
            case .playing: .init(weight: Self.bold, colour: 2)
            case .selected: .init(weight: Self.reverse)
            case .selectedPlaying: .init(weight: Self.reverse | Self.bold, colour: 2)
            case .alarm: .init(weight: Self.bold, colour: 1)
            case .played: .init(weight: Self.bold, colour: 6)
            case .fetched: .init(weight: 0, colour: 6)
            }
    }

    private init(weight: Int32, colour: Int32 = -1) {
        self.weight = weight
        self.colour = colour
    }
}
