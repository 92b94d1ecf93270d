import CCurses

/// What terminfo knows about this terminal's keys.
@MainActor enum TerminfoKeys {
    private static let names: [(String, ScreenKey)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
            ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete), ("kcbt", .backTab),
            ("kent", .enter),
        ] + (1...20).map { ("kf\($0)", .function($0)) }

    /// Bytes and their key; of a screen that is open.
    static var all: [[UInt8]: ScreenKey] {
        var keys: [[UInt8]: ScreenKey] = [:]
        for (name, key) in names {
            guard let text = nyan_screen_key(name) else { continue }
            keys[Array(String(cString: text).utf8)] = key
        }
        return keys
    }
}
