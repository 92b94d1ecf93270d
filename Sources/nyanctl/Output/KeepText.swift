import NyanCore
import NyanWords

/// Keep rules for people.
enum KeepText {
    /// `profile  450 tracks, 448 here, 1 coming, 1 not to be had`; a playlist's title stands behind its id.
    static func row(_ rule: KeepRule, name: (String) -> String) -> String {
        let title = rule.title.isEmpty ? "" : "  \(name(rule.title))"
        return "\(rule.list)\(title)  \(Words.said(counts(rule)))"
    }

    static func began(_ rule: KeepRule, queued: Int, name: (String) -> String) -> String {
        let what = rule.list == .profile ? "the profile" : rule.title.isEmpty ? "\(rule.list)" : "“\(name(rule.title))”"
        return "\(what) is kept: \(counts(rule))\(queued > 0 ? "; \(queued) queued now" : "")"
    }

    private static func counts(_ rule: KeepRule) -> String {
        var words = [tracks(rule.tracks)]
        if rule.tracks > 0 { words.append("\(rule.here) here") }
        if rule.coming > 0 { words.append("\(rule.coming) coming") }
        if rule.unavailable > 0 { words.append("\(rule.unavailable) not to be had now") }
        if rule.failed > 0 { words.append("\(rule.failed) failed") }
        if rule.declined > 0 { words.append("\(rule.declined) taken away by you") }
        return words.joined(separator: ", ")
    }

    private static func tracks(_ count: Int) -> String { "\(count) track\(count == 1 ? "" : "s")" }
    private static func files(_ count: Int64) -> String { "\(count) file\(count == 1 ? "" : "s")" }

    static func question(_ count: Int, _ bytes: Int64) -> String {
        "Delete \(files(Int64(count))) (\(ByteText.text(bytes)))?"
    }

    static func ended(_ outcome: UnkeptDocument, deleting: Bool) -> [String] {
        var lines = ["\(outcome.unkept) is kept no more"]
        if outcome.cancelled > 0 {
            lines.append("\(outcome.cancelled) download\(outcome.cancelled == 1 ? "" : "s") cancelled")
        }
        if outcome.deleted > 0 {
            lines.append("deleted \(files(outcome.deleted)), \(ByteText.text(outcome.bytes)) freed")
        }
        if outcome.staying > 0 {
            let stay = "\(files(outcome.staying)) of it stay\(outcome.staying == 1 ? "s" : "")"
            lines.append(
                deleting
                    ? "\(stay): the log says why" : "\(stay): `nyanctl unkeep \(outcome.unkept) --delete` deletes them")
        }
        return lines
    }
}

/// One row of `keep`; `queued` is `keep LIST`'s alone.
struct KeptDocument: Encodable {
    var kept: String
    var title: Nullable<String>
    var tracks: Int
    var here: Int
    var coming: Int
    var unavailable: Int
    var failed: Int
    var declined: Int
    var queued: Int?

    init(_ rule: KeepRule, queued: Int? = nil) {
        kept = rule.list.description
        title = Nullable(rule.list == .profile ? nil : rule.title)
        (tracks, here, coming) = (rule.tracks, rule.here, rule.coming)
        (unavailable, failed, declined) = (rule.unavailable, rule.failed, rule.declined)
        self.queued = queued
    }
}

/// `unkeep LIST`; `bytes` were freed.
struct UnkeptDocument: Encodable, Equatable {
    var unkept: String
    var cancelled: Int64
    var deleted: Int64
    var bytes: Int64
    var staying: Int64
}
