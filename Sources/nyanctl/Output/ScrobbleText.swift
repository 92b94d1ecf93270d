import NyanCore
import NyanWords

/// Scrobbling for people.
enum ScrobbleText {
    /// `ListenBrainz  name  120 sent, 3 waiting, last: Artist – Title (2026-11-30 06:51)`.
    static func row(_ report: ScrobbleReport, name: (String) -> String) -> String {
        var words = ["\(report.sent) sent"]
        if report.waiting > 0 { words.append("\(report.waiting) waiting") }
        if report.dropped > 0 { words.append("\(report.dropped) not taken") }
        if let last = report.last {
            words.append("last: \(name(last.artist)) – \(name(last.title)) (\(PlayTimeText.local(last.began)))")
        }
        return "\(report.site.title)  \(name(report.name))  \(words.map { Words.said($0) }.joined(separator: ", "))"
    }

    /// What is wrong, for standard error.
    static func notes(_ report: ScrobbleReport) -> [String] {
        var notes: [String] = []
        if let problem = report.problem { notes.append("\(report.site.title): \(problem.message)") }
        if let reason = report.reason {
            notes.append("\(report.site.title): \(listens(report.dropped)) not taken: \(reason)")
        }
        return notes
    }

    static func listens(_ count: Int) -> String { "\(count) listen\(count == 1 ? "" : "s")" }
}

/// One site of `scrobble --json`; `listenedAt` is ISO 8601 in UTC.
struct ScrobbleDocument: Encodable {
    struct Last: Encodable {
        var artist: String
        var title: String
        var listenedAt: String
    }

    var site: String
    var signedIn: Bool
    var name: Nullable<String>
    var waiting: Int
    var sent: Int
    var dropped: Int
    var reason: Nullable<String>
    var last: Nullable<Last>
    var problem: Nullable<ErrorDocument>

    init(_ site: ScrobbleSite, _ report: ScrobbleReport?) {
        self.site = site.rawValue
        signedIn = report != nil
        name = Nullable(report?.name)
        (waiting, sent, dropped) = (report?.waiting ?? 0, report?.sent ?? 0, report?.dropped ?? 0)
        reason = Nullable(report?.reason)
        last = Nullable(
            report?.last.map {
                Last(artist: $0.artist, title: $0.title, listenedAt: PlayTimeText.utc($0.began))
            })
        problem = Nullable(report?.problem.map { ErrorDocument(code: $0.code.rawValue, message: $0.message) })
    }
}
