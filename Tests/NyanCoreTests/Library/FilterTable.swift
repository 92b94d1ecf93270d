import NyanCore

/// The rows of what is typed, what stands in the track, and whether it is found.
enum FilterTable {
    struct Row: Sendable, CustomStringConvertible {
        var typed: String
        var artist: String
        var title: String
        var isFound: Bool
        var track: Track { Track(id: TrackID(owner: 1, audio: 1), artist: artist, title: title) }
        var description: String { "\(typed) in \(artist) – \(title): \(isFound)" }
    }

    static let rows: [Row] = [
        ("чёрный", "Кино", "Чёрный альбом", true), ("ЧЕРНЫЙ", "Кино", "Чёрный альбом", true),
        ("черный", "Кино", "Чёрный альбом", true), ("ЧЁРН", "Кино", "Черный альбом", true),
        ("черныи\u{306}", "Кино", "Чёрный альбом", true), ("черный", "Кино", "Че\u{308}рныи\u{306} альбом", true),
        ("альб кин", "Кино", "Чёрный альбом", true), ("кино чёр аль", "Кино", "Чёрный альбом", true),
        ("кино чёр рок", "Кино", "Чёрный альбом", false), ("льбом", "Кино", "Чёрный альбом", false),
        ("черныи", "Кино", "Чёрный альбом", false), ("їжак", "Океан", "Їжак і ґанок", true),
        ("ЇЖАК Ґ", "Океан", "Їжак і ґанок", true), ("і", "Океан", "Їжак і ґанок", true),
        ("ижак", "Океан", "Їжак і ґанок", false), ("и\u{306}", "Й", "x", true), ("й", "И", "x", false),
        ("strasse", "Band", "Straße", true), ("STRASSE", "Band", "Straße", true), ("straße", "Band", "STRASSE", true),
        ("istanbul", "X", "İstanbul", true), ("İSTANBUL", "X", "istanbul", true), ("ISTANBUL", "X", "İstanbul", true),
        ("isik", "X", "Işık", true), ("bjork", "Björk", "Jóga", true), ("BJÖRK joga", "Björk", "Jóga", true),
        ("björk", "Bjo\u{308}rk", "x", true), ("motorhead", "Motörhead", "x", true), ("%", "100%", "x", true),
        ("%", "100", "x", false), ("_", "snake_case", "x", true), ("_", "snake case", "x", false),
        ("100%", "100%", "x", true), ("100 %", "100", "x", true), ("1", "Route", "101", true),
        ("01", "Route", "101", false),
        ("!!!", "!!!", "x", true), ("!!!", "!!", "x", false), ("ac/dc", "AC/DC", "x", true), ("dc", "AC/DC", "x", true),
        ("ac dc", "AC/DC", "x", true), ("\"foo\"", "x", "Foo Fighters", true), ("dont", "x", "Don't Stop", true),
        ("don't", "x", "Don’t Stop", true), ("don’t", "x", "Dont Stop", true), ("it's \"a\"", "x", "Its a sin", true),
        ("OR", "x", "y", false), ("NOT", "nothing", "y", true), ("a*", "abba", "y", true),
        ("(feat", "x", "y (feat. Z)", true),
        ("ヒカル", "宇多田ヒカル", "x", true), ("ひ", "宇多田ヒカル", "x", false), ("🐦", "Кино", "Кукушка 🐦", true),
        ("🐱", "Кино", "Кукушка 🐦", false), ("кук 🐦", "Кино", "Кукушка 🐦", true), ("हिन्", "x", "हिन्दी गाना", true),
        ("ελλ", "x", "Έλλη", true), ("עבר", "x", "שיר עברי", true), ("\u{200B}ки", "Кино", "x", true),
        ("", "x", "y", true),
        ("кино - кукушка", "Кино", "Кукушка", true), ("x\u{0}y", "x", "y", true), ("²", "x", "m²", true),
    ].map { Row(typed: $0.0, artist: $0.1, title: $0.2, isFound: $0.3) }
}
