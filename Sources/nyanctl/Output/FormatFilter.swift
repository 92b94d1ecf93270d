import NyanCore

/// `{word|filter}`: what makes a value harmless to a status bar, or fit into it. Titles hold `&`, quotes, `#` and worse
/// (field-issues.md E1). Applied from left to right.
///
/// They go by scalars, as bars do: to Swift a sign and a mark behind it, or a letter such as U+0D4E before it, are one
/// `Character`, which equals no sign.
enum FormatFilter: Equatable {
    /// Pango markup (waybar, i3bar with `markup=pango`): `&`, `<`, `>` and quotes as entities; control characters, which
    /// markup cannot hold, are left out.
    case pango
    /// The inside of a JSON string.
    case json
    /// tmux reads `#[…]` and `#{…}` also in what a command prints.
    case tmux
    /// polybar reads `%{…}` in what a script prints, and runs what such a tag names at a click.
    case polybar
    /// At most so many columns; what was cut off is shown by `…`.
    case columns(Int)
    /// This where there is no value.
    case fallback(String)
    /// `1:02` as `62`, for bars that reckon.
    case seconds

    static let names = ["pango", "json", "tmux", "polybar", "max:COLUMNS", "or:TEXT", "seconds"]

    init?(_ text: some StringProtocol) {
        switch text {
        case "pango": self = .pango
        case "json": self = .json
        case "tmux": self = .tmux
        case "polybar": self = .polybar
        case "seconds": self = .seconds
        case _ where text.hasPrefix("or:"): self = .fallback(String(text.dropFirst(3)))
        default:
            guard text.hasPrefix("max:"), let width = NumberText.whole(text.dropFirst(4)), (1...1000).contains(width)
            else { return nil }
            self = .columns(width)
        }
    }

    func applied(to text: String) -> String {
        switch self {
        case .pango: Markup.quotable(text)
        case .json: Self.json(text)
        case .tmux: Self.doubling("#", by: "#", in: text)
        // A word joiner takes no room and keeps the two from being one sign.
        case .polybar: Self.doubling("%", by: "\u{2060}", in: text)
        case .columns(let width): DisplayText.cut(text, to: width)
        case .fallback(let other): text.isEmpty ? other : text
        case .seconds: Self.seconds(text)
        }
    }

    /// What is no time stays as it is.
    private static func seconds(_ text: String) -> String {
        TimeText.duration(text).map { "\($0.components.seconds)" } ?? text
    }

    /// The text with `other` behind every `sign`.
    private static func doubling(_ sign: Unicode.Scalar, by other: Unicode.Scalar, in text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == sign ? [sign, other] : [$0] }))
    }

    private static func json(_ text: String) -> String {
        // The encoder's own rules, without its quotes.
        String(JSONText.encode(text).unicodeScalars.dropFirst().dropLast())
    }
}
