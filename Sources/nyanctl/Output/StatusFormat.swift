import NyanCore
import NyanWire
import NyanWords

/// `--format`: text with `{word}` places, for status bars. Words without a value are empty, and all but `{state}` are
/// while nyand is not running.
///
/// `{word|filter…}` fits the value to whoever reads it (`FormatFilter`). What stands between `{?word}` and `{/}` is
/// shown where the word has a value, between `{!word}` and `{/}` where it has none. docs/recipes.md has it all.
struct StatusFormat {
    private enum Part {
        case text(String)
        case place(String, [FormatFilter])
        case section(word: String, whenEmpty: Bool, [Part])
    }

    static let words = [
        "state", "artist", "title", "album", "id", "position", "duration", "left", "percent", "buffered", "volume",
        "shuffle", "repeat", "queue", "sleep", "output", "problem", "cover",
    ]

    /// `--format @waybar`: formats for the usual bars, so that nobody has to quote JSON in JSON.
    static let bars = [
        "waybar": #"{{"text":"{?title}{?artist}{artist|max:30|pango|json} – {/}{title|max:40|pango|json}{/}","#
            + #""tooltip":"{title|pango|json}{?artist}\n{artist|pango|json}{/}{?album}\n{album|pango|json}{/}"#
            + #"{?problem}\n{problem|pango|json}{/}","alt":"{state}","class":"{state}","#
            + #""percentage":{?percent}{percent}{/}{!percent}0{/}}}"#,
        "i3blocks": "{?title}{?artist}{artist|max:30|pango} – {/}{title|max:40|pango}{/}",
        "polybar": "{?title}{?artist}{artist|max:30|polybar} – {/}{title|max:40|polybar}{/}",
        "tmux": "{?title}{?artist}{artist|max:20|tmux} – {/}{title|max:30|tmux}{/}",
    ]

    private var parts: [Part] = []

    init(_ text: String) throws(Ending) {
        var rest = text[...]
        if text.first == "@" {
            guard let format = Self.bars[String(text.dropFirst())] else {
                let all = Self.bars.keys.sorted().map { "@\($0)" }.joined(separator: ", ")
                throw .usage("there is no format \(text); there are: \(all)", command: "status")
            }
            rest = format[...]
        }
        parts = try Self.parts(of: &rest, within: nil, depth: 0)
    }

    /// Sections within one another; deeper ones would need a stack without end.
    private static let deepest = 32

    /// Reads to the end, or to the `{/}` of the section it is `within`.
    private static func parts(
        of rest: inout Substring, within section: String?, depth: Int
    ) throws(Ending) -> [Part] {
        guard depth <= deepest else {
            throw .usage("the format has more than \(deepest) sections within one another", command: "status")
        }
        var parts: [Part] = []
        var plain = ""
        while let character = rest.popFirst() {
            // A doubled brace is one brace, so that a format can make JSON.
            if character == "{" || character == "}", rest.first == character {
                plain.append(rest.removeFirst())
                continue
            }
            guard character == "{" else {
                plain.append(character)
                continue
            }
            guard let close = rest.firstIndex(of: "}") else {
                throw .usage(
                    "the format has a { without a } at “\(rest.prefix(20))”; a plain { is written {{", command: "status"
                )
            }
            let inner = rest[..<close]
            rest = rest[rest.index(after: close)...]
            parts.append(.text(plain))
            plain = ""
            if inner == "/" {
                guard section != nil else { throw .usage("the format has a {/} that ends nothing", command: "status") }
                return parts
            }
            parts.append(try part(inner, &rest, depth))
        }
        if let section { throw .usage("the format has a {\(section)} without a {/}", command: "status") }
        return parts + [.text(plain)]
    }

    private static func part(_ inner: Substring, _ rest: inout Substring, _ depth: Int) throws(Ending) -> Part {
        if let mark = inner.first, mark == "?" || mark == "!" {
            let word = try known(String(inner.dropFirst()))
            let inside = try parts(of: &rest, within: String(inner), depth: depth + 1)
            return .section(word: word, whenEmpty: mark == "!", inside)
        }
        let pieces = inner.split(separator: "|", omittingEmptySubsequences: false)
        var filters: [FormatFilter] = []
        for piece in pieces.dropFirst() {
            guard let filter = FormatFilter(piece) else {
                throw unknown(filter: piece)
            }
            filters.append(filter)
        }
        return .place(try known(String(pieces.first ?? "")), filters)
    }

    private static func known(_ word: String) throws(Ending) -> String {
        guard words.contains(word) else { throw unknown(word: word) }
        return word
    }

    private static func unknown(word: String) -> Ending {
        let near = Nearest.words(to: word, among: words)
        guard near.isEmpty else {
            let meant = near.map { "{\($0)}" }.joined(separator: ", ")
            return .usage("the format has no word {\(word)}: did you mean \(meant)?", command: "status")
        }
        let all = words.joined(separator: ", ")
        return .usage("the format has no word {\(word)}; there are: \(all)", command: "status")
    }

    private static func unknown(filter: Substring) -> Ending {
        // What stands behind a colon is the person's own.
        let name = String(filter.prefix { $0 != ":" })
        let near = Nearest.words(to: name, among: FormatFilter.names.map { String($0.prefix { $0 != ":" }) })
        let meant = FormatFilter.names.filter { name in near.contains { name == $0 || name.hasPrefix($0 + ":") } }
        guard meant.isEmpty else {
            let meant = meant.map { "|\($0)" }.joined(separator: ", ")
            return .usage("the format has no filter “\(filter)”: did you mean \(meant)?", command: "status")
        }
        let all = FormatFilter.names.joined(separator: ", ")
        return .usage("the format has no filter “\(filter)”; there are: \(all)", command: "status")
    }

    @MainActor func text(of report: StatusReport) -> String { Self.text(parts, report) }

    private static func text(_ parts: [Part], _ report: StatusReport) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .place(let word, let filters):
                filters.reduce(Terminal.printable(value(word, report))) { text, filter in filter.applied(to: text) }
            case .section(let word, let whenEmpty, let parts):
                value(word, report).isEmpty == whenEmpty ? text(parts, report) : ""
            }
        }.joined()
    }

    private static func value(_ word: String, _ report: StatusReport) -> String {
        if word == "state" { return report.state.rawValue }
        guard report.state != .absent else { return "" }
        let track = report.track?.track
        switch word {
        case "artist": return track?.artist ?? ""
        case "title": return track?.title ?? ""
        case "album": return track?.album ?? ""
        case "id": return track?.id.description ?? ""
        case "cover": return report.track?.coverPath ?? ""
        case "position": return track == nil ? "" : TimeText.text(report.position)
        case "duration": return report.duration.map(TimeText.text) ?? ""
        case "left":
            guard track != nil, let duration = report.duration else { return "" }
            return TimeText.text(duration.rounded(.down) - report.position.rounded(.down))
        case "buffered": return report.buffered.map { "\(Int(max(0, min(1, $0)) * 100))" } ?? ""
        case "output": return report.output.rawValue
        case "percent":
            guard let duration = report.duration, duration > 0 else { return "" }
            return "\(Int(min(1, report.position / duration) * 100))"
        case "volume": return "\(Int((report.volume * 100).rounded()))"
        case "shuffle": return report.shuffle ? "on" : "off"
        case "repeat": return report.repeatMode.rawValue
        case "sleep": return StatusText.sleep(report.sleepTimer) ?? ""
        case "queue": return report.queuePosition.map { "\($0)/\(report.queueLength)" } ?? ""
        default: return report.problem.map { Words.said($0.message) } ?? ""
        }
    }
}
