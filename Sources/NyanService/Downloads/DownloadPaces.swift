public import NyanCore
import NyanWire

/// The speeds of what runs, and downloads as clients see them. Fed with what is told on the bus, so at most four times a
/// second; those that stand still have no part in it and wake nobody.
public final class DownloadPaces {
    private let time: any TimeSource
    private var paces: [TrackID: DownloadPace] = [:]

    public init(time: any TimeSource) { self.time = time }

    /// Takes over how far these are. One that does not run has no speed, and begins anew when it runs again.
    func note(_ downloads: [Download]) {
        for download in downloads {
            if download.state == .running {
                paces[download.id, default: DownloadPace()].note(download.received, at: time.now)
            } else {
                paces[download.id] = nil
            }
        }
    }

    func forget(_ ids: [TrackID]) { for id in ids { paces[id] = nil } }

    func report(_ download: Download) -> DownloadReport {
        let speed = download.state == .running ? paces[download.id]?.speed(at: time.now) : nil
        return DownloadReport(download, speed: speed)
    }
}
