public import NyanCore
public import NyanDBus

/// One download as a client sees it: CONTRACT.md's row of `downloads`.
public struct DownloadReport: Sendable, Equatable {
    public var id: TrackID
    public var artist: String
    public var title: String
    public var state: Download.State
    public var received: Int64
    public var total: Int64?
    public var problem: StatusReport.Problem?
    /// Bytes per second of a running one; nil while unknown.
    public var speed: Int64?

    /// Seconds until its bytes are there; nil while unknown.
    public nonisolated var secondsLeft: Int? {
        state == .running ? DownloadPace.secondsLeft(received: received, total: total, speed: speed) : nil
    }

    public nonisolated init(
        id: TrackID, artist: String, title: String, state: Download.State, received: Int64 = 0, total: Int64? = nil,
        problem: StatusReport.Problem? = nil, speed: Int64? = nil
    ) {
        self.id = id
        self.artist = artist
        self.title = title
        self.state = state
        self.received = received
        self.total = total
        self.problem = problem
        self.speed = speed
    }

    public nonisolated init(_ download: Download, speed: Int64? = nil) {
        self.init(
            id: download.id, artist: download.track.artist, title: download.track.title, state: download.state,
            received: download.received, total: download.total,
            problem: download.failure.map { .init(code: $0.code.rawValue, message: $0.message) },
            speed: speed)
    }
}

/// Downloads as they travel.
public enum DownloadCoding {
    /// id, artist, title, state, received, total (−1 = unknown), error code, error message (both empty = none),
    /// bytes per second (−1 = unknown).
    public nonisolated static let signature: Signature = "(ssssxxssx)"
    public nonisolated static let listSignature: Signature = "a(ssssxxssx)"

    public nonisolated static func list(_ reports: some Sequence<DownloadReport>) -> BusValue {
        .array(reports.map(value), of: signature)
    }

    public nonisolated static func value(_ report: DownloadReport) -> BusValue {
        .structure([
            .string(report.id.description), .string(report.artist), .string(report.title),
            .string(report.state.rawValue), .int64(report.received), .int64(report.total ?? -1),
            .string(report.problem?.code ?? ""), .string(report.problem?.message ?? ""),
            .int64(report.speed ?? -1),
        ])
    }

    /// nil where the value has another shape.
    public nonisolated static func reports(_ value: BusValue) -> [DownloadReport]? {
        guard let elements = value.elements else { return nil }
        let reports = elements.compactMap(report)
        return reports.count == elements.count ? reports : nil
    }

    private nonisolated static func report(_ value: BusValue) -> DownloadReport? {
        guard let fields = value.fields, fields.count == 9, let id = fields[0].string.flatMap({ TrackID($0) }),
            let artist = fields[1].string, let title = fields[2].string,
            let state = fields[3].string.flatMap(Download.State.init), let received = fields[4].int64,
            let total = fields[5].int64, let code = fields[6].string, let message = fields[7].string,
            let speed = fields[8].int64
        else { return nil }
        return DownloadReport(
            id: id, artist: artist, title: title, state: state, received: received, total: total < 0 ? nil : total,
            problem: code.isEmpty ? nil : .init(code: code, message: message),
            speed: speed < 0 ? nil : speed)
    }
}
