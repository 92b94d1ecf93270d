// The process, its names, its folders, its settings.
extension Diagnosis {
    /// Less room does not hold one track.
    private static let least: Int64 = 20 << 20
    /// Less room is worth knowing.
    private static let little: Int64 = 500 << 20

    public static func names(_ facts: NameFacts) -> [Finding] {
        let daemon = Finding(.daemon, .ok, "nyand \(facts.version) runs as process \(facts.processID)")
        guard facts.isPlain else {
            return [
                daemon,
                Finding(
                    .names, .note, "another program has nyand's plain MPRIS name; this one is \(facts.mpris)",
                    advice: "end the other nyand: `nyanctl` and scripts may reach the wrong one"),
            ]
        }
        return [daemon, Finding(.names, .ok, "org.nyantunes.Nyand and \(facts.mpris)")]
    }

    /// `folder` as a person reads it; `room` of what is written there.
    public static func disk(_ check: Finding.Check, _ folder: String, _ room: Room) -> Finding {
        switch room {
        case .away:
            Finding(
                check, .problem, "\(folder) is not there",
                advice: check == .music
                    ? "mount its disk, or name another folder in downloads.directory" : "make it, or mount its disk")
        case .closed:
            Finding(
                check, .problem, "\(folder) cannot be written",
                advice: "it must be yours, on a disk that is not read-only")
        case .free(let bytes) where bytes < least:
            Finding(check, .problem, "\(folder) has no room: \(size(bytes)) left", advice: fullAdvice(check))
        case .free(let bytes) where bytes < little:
            Finding(check, .note, "\(folder) has \(size(bytes)) left", advice: fullAdvice(check))
        case .free(let bytes): Finding(check, .ok, "\(folder) has \(size(bytes)) left")
        }
    }

    private static func fullAdvice(_ check: Finding.Check) -> String {
        switch check {
        case .music: "free some room, or name another folder in downloads.directory; downloads then go on by themselves"
        case .cache: "free some room, or lower cache.size"
        default: "free some room"
        }
    }

    static func size(_ bytes: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(max(0, bytes)), 0)
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(Int(value)) \(units[unit])"
    }

    public static func settings(_ facts: SettingsFacts) -> Finding {
        if let mistake = facts.mistake {
            return Finding(
                .settings, .problem, "\(facts.path): \(mistake)",
                advice: "correct it: nyand goes on with what it read before, and would not start again")
        }
        if facts.isChanged {
            return Finding(
                .settings, .note, "\(facts.path) was \(facts.isThere ? "changed" : "taken away") since it was read",
                advice: "`nyanctl reload` reads it again")
        }
        guard facts.isThere else {
            return Finding(.settings, .ok, "no \(facts.path): every setting has its default")
        }
        guard facts.withoutEffect.isEmpty else {
            return Finding(.settings, .note, "\(facts.path): \(list(facts.withoutEffect)) has no effect yet")
        }
        return Finding(.settings, .ok, facts.path)
    }

    public static func trouble(_ facts: TroubleFacts) -> Finding {
        if let problem = facts.problem {
            return Finding(
                .problem, .problem, "\(problem.message) (\(problem.code.rawValue))",
                advice: "`nyanctl status` shows when it is over")
        }
        guard let logged = facts.logged else { return Finding(.problem, .ok, "none since the start") }
        return Finding(.problem, .note, "none now; the last \(logged.level) \(ago(logged.secondsAgo)): \(logged.text)")
    }

    static func ago(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "some seconds ago"
        case ..<7200: "\(seconds / 60) min ago"
        case ..<172_800: "\(seconds / 3600) hours ago"
        default: "\(seconds / 86_400) days ago"
        }
    }
}
