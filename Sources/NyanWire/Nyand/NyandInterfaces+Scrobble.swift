public import NyanCore
public import NyanDBus

/// Scrobbling. A site is `listenbrainz` or `lastfm`.
extension NyandInterfaces {
    public nonisolated static let scrobble = Interface(
        "org.nyantunes.Nyand1.Scrobble",
        methods: [
            // The sites somebody is signed in at.
            Method("Status", out: [Argument("sites", ScrobbleCoding.listSignature)]),
            // ListenBrainz, with the person's token; answers whose it is.
            Method("Login", in: [Argument("token", "h")], out: [Argument("name", "s")]),
            // Last.fm, with the person's API key and shared secret, one a line; `page`: a pipe that holds the address
            // where consent is given.
            Method("Begin", in: [Argument("keys", "h")], out: [Argument("page", "h")]),
            // After the consent; answers whose account it is. `ChallengeNeeded` = it was not given yet.
            Method("Finish", out: [Argument("name", "s")]),
            // `lost`: listens that were not sent and never will be.
            Method("Logout", in: [Argument("site", "s")], out: [Argument("lost", "u")]),
        ])
}

/// How scrobbling stands, as it travels.
public enum ScrobbleCoding {
    /// site, name, waiting, sent, dropped, the last reason for that, artist, title and moment (unix seconds, 0 = none) of
    /// what was taken last, and the problem's code and words (empty = none).
    public nonisolated static let signature: Signature = "(ssuuusssxss)"
    public nonisolated static let listSignature: Signature = "a(ssuuusssxss)"

    public nonisolated static func list(_ reports: [ScrobbleReport]) -> BusValue {
        .array(reports.map(value), of: signature)
    }

    private nonisolated static func value(_ report: ScrobbleReport) -> BusValue {
        let counts = [report.waiting, report.sent, report.dropped].map { BusValue.uint32(UInt32(clamping: $0)) }
        let last = report.last
        return .structure(
            [.string(report.site.rawValue), .string(report.name)] + counts + [
                .string(report.reason ?? ""), .string(last?.artist ?? ""), .string(last?.title ?? ""),
                .int64(last?.began ?? 0), .string(report.problem?.code.rawValue ?? ""),
                .string(report.problem?.message ?? ""),
            ])
    }

    /// nil where the value has another shape; sites that only a newer daemon knows are left out.
    public nonisolated static func reports(_ value: BusValue) -> [ScrobbleReport]? {
        guard let elements = value.elements else { return nil }
        var reports: [ScrobbleReport] = []
        for element in elements {
            guard let fields = element.fields, fields.count == 11 else { return nil }
            guard let site = fields[0].string.flatMap(ScrobbleSite.init) else { continue }
            var report = ScrobbleReport(site: site, name: fields[1].string ?? "")
            (report.waiting, report.sent) = (fields[2].integer ?? 0, fields[3].integer ?? 0)
            report.dropped = fields[4].integer ?? 0
            report.reason = fields[5].string.flatMap { $0.isEmpty ? nil : $0 }
            if let artist = fields[6].string, let title = fields[7].string, let began = fields[8].int64, began > 0 {
                report.last = Listen(artist: artist, title: title, began: began)
            }
            if let code = fields[9].string, !code.isEmpty {
                report.problem = Failure(Failure.Code(rawValue: code) ?? .internal, fields[10].string ?? "")
            }
            reports.append(report)
        }
        return reports
    }
}
