public import NyanCore
public import NyanDBus

/// Keep rules. A list is `profile`, or a playlist as `PlaylistReference` reads it.
extension NyandInterfaces {
    public nonisolated static let keep = Interface(
        "org.nyantunes.Nyand1.Keep",
        methods: [
            Method("List", out: [Argument("rules", KeepCoding.listSignature)]),
            // Begins a rule; `queued`: downloads it began with, `notice`: why its tracks are not those VK has now.
            Method(
                "Keep", in: [Argument("list", "s")],
                out: [Argument("rule", KeepCoding.signature), Argument("queued", "u"), Argument("notice", "s")]),
            // What `Unkeep` with `delete` would delete.
            Method("Preview", in: [Argument("list", "s")], out: [Argument("files", "u"), Argument("bytes", "x")]),
            // Ends a rule. `staying`: files that only it brought and that are still there.
            Method(
                "Unkeep", in: [Argument("list", "s"), Argument("delete", "b")],
                out: [
                    Argument("cancelled", "u"), Argument("deleted", "u"), Argument("bytes", "x"),
                    Argument("staying", "u"),
                ]),
        ])
}

/// Keep rules as they travel.
public enum KeepCoding {
    /// list, title, and how many tracks there are, are here, are coming, cannot be had, failed and were taken away.
    public nonisolated static let signature: Signature = "(ssuuuuuu)"
    public nonisolated static let listSignature: Signature = "a(ssuuuuuu)"

    public nonisolated static func value(_ rule: KeepRule) -> BusValue {
        let counts = [rule.tracks, rule.here, rule.coming, rule.unavailable, rule.failed, rule.declined]
        return .structure(
            [.string(rule.list.description), .string(rule.title)] + counts.map { .uint32(UInt32(clamping: $0)) })
    }

    public nonisolated static func list(_ rules: [KeepRule]) -> BusValue { .array(rules.map(value), of: signature) }

    /// nil where the value has another shape.
    public nonisolated static func rule(_ value: BusValue) -> KeepRule? {
        guard let fields = value.fields, fields.count == 8, let list = fields[0].string.flatMap({ KeptList($0) }),
            let title = fields[1].string
        else { return nil }
        let counts = fields[2...].compactMap(\.integer)
        guard counts.count == 6 else { return nil }
        return KeepRule(
            list: list, title: title, tracks: counts[0], here: counts[1], coming: counts[2], unavailable: counts[3],
            failed: counts[4], declined: counts[5])
    }

    public nonisolated static func rules(_ value: BusValue) -> [KeepRule]? {
        guard let elements = value.elements else { return nil }
        let rules = elements.compactMap { rule($0) }
        return rules.count == elements.count ? rules : nil
    }
}
