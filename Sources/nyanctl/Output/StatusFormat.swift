import NyanCore
import NyanWire
import NyanWords

/// `--format`: text with `{word}` places, for status bars. Words without a value are empty, and all but `{state}` are
/// while nyand is not running.
struct StatusFormat {
    private enum Part { case text(String), place(String) }

    static let words = [
        "state", "artist", "title", "album", "id", "position", "duration", "percent", "volume", "shuffle", "repeat",
        "queue", "sleep", "problem",
    ]

    private var parts: [Part] = []

    init(_ text: String) throws(Ending) {
        var plain = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            // A doubled brace is one brace, so that a format can make JSON.
            if character == "{" || character == "}", rest.first == character {
                plain.append(rest.removeFirst())
            } else if character == "{" {
                guard let close = rest.firstIndex(of: "}") else {
                    throw .usage("the format has a { without a }; a plain { is written {{", command: "status")
                }
                parts += [.text(plain), .place(try Self.known(String(rest[..<close])))]
                plain = ""
                rest = rest[rest.index(after: close)...]
            } else {
                plain.append(character)
            }
        }
        parts.append(.text(plain))
    }

    private static func known(_ word: String) throws(Ending) -> String {
        guard words.contains(word) else {
            let all = words.joined(separator: ", ")
            throw .usage("the format has no word {\(word)}; there are: \(all)", command: "status")
        }
        return word
    }

    @MainActor func text(of report: StatusReport) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .place(let word): Terminal.printable(value(word, report))
            }
        }.joined()
    }

    @MainActor private func value(_ word: String, _ report: StatusReport) -> String {
        if word == "state" { return report.state.rawValue }
        guard report.state != .absent else { return "" }
        let track = report.track?.track
        switch word {
        case "artist": return track?.artist ?? ""
        case "title": return track?.title ?? ""
        case "album": return track?.album ?? ""
        case "id": return track?.id.description ?? ""
        case "position": return track == nil ? "" : TimeText.text(report.position)
        case "duration": return report.duration.map(TimeText.text) ?? ""
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
