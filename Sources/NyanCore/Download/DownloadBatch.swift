/// How a batch of downloads ended, in words for a notification.
public struct DownloadBatch: Sendable, Equatable {
    public var finished: Int
    public var failed: Int
    /// Why the first of them failed.
    public var reason: String?

    public init(finished: Int, failed: Int, reason: String? = nil) {
        self.finished = finished
        self.failed = failed
        self.reason = reason
    }

    public var isEmpty: Bool { finished + failed == 0 }

    /// This and a later one told as one.
    public func joined(with later: DownloadBatch) -> DownloadBatch {
        DownloadBatch(
            finished: finished + later.finished, failed: failed + later.failed, reason: reason ?? later.reason)
    }

    public var title: String { finished > 0 || failed == 0 ? "Downloads finished" : "Downloads failed" }

    /// `12 tracks downloaded, 1 failed: the disk is full`
    public var body: String {
        let came = finished == 1 ? "1 track downloaded" : "\(finished) tracks downloaded"
        guard failed > 0 else { return came }
        let alone = failed == 1 ? "1 track failed" : "\(failed) tracks failed"
        let lost = finished > 0 ? "\(came), \(failed) failed" : alone
        return reason.map { "\(lost): \($0)" } ?? lost
    }
}
