import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Downloads`: an answered wish is durable.
public final class DownloadsFrontend: InterfaceHandler {
    let downloads: DownloadService
    let library: LibraryService
    let playlists: PlaylistService?
    private let paces: DownloadPaces?

    /// `paces`: who knows the speeds; nil = nobody does.
    public init(
        downloads: DownloadService, library: LibraryService, playlists: PlaylistService? = nil,
        paces: DownloadPaces? = nil
    ) {
        self.paces = paces
        self.downloads = downloads
        self.library = library
        self.playlists = playlists
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "List":
            .working { [self] () throws(Failure) in
                await downloads.ready()
                return [DownloadCoding.list(downloads.shown.map(report))]
            }
        case "Add":
            .working { [self] () throws(Failure) in
                try await add(try await library.tracks(try arguments[0].trackReferences()))
            }
        case "Standing":
            .working { [downloads] () throws(Failure) in
                let ids = try await downloads.standing(for: try arguments[0].trackReferences().map(\.id))
                return [.strings(ids.map(\.description))]
            }
        case "Cancel":
            .working { [self] () throws(Failure) in [Self.count(try await downloads.cancel(try await ids(arguments)))] }
        case "Retry":
            .working { [self] () throws(Failure) in [Self.count(try await downloads.retry(try await ids(arguments)))] }
        case "Pause":
            .working { [self] () throws(Failure) in
                let before = paused
                try await downloads.pause(try await ids(arguments))
                return [Self.count(max(0, paused - before))]
            }
        case "Resume":
            .working { [self] () throws(Failure) in
                [Self.count(try await downloads.resume(try await ids(arguments)))]
            }
        case "AddProfile":
            .working { [self] () throws(Failure) in try await addProfile(matching: arguments[0].string ?? "") }
        case "AddPlaylist":
            .working { [self] () throws(Failure) in try await addPlaylist(arguments[0].string ?? "") }
        default: throw .unknownMethod(member)
        }
    }

    private func report(_ download: Download) -> DownloadReport {
        paces?.report(download) ?? DownloadReport(download)
    }

    private var paused: Int { downloads.list.count { $0.state == .paused } }

    /// Queues what can be had of tracks that were named one by one, and tells of the rest why not. One alone that
    /// cannot be had is a failure.
    private func add(_ tracks: [ListedTrack]) async throws(Failure) -> [BusValue] {
        if tracks.count == 1, let track = tracks.first?.track, !track.id.isVKs {
            throw Failure(.unsupported, Self.onlyVKs, subject: track.id)
        }
        return try await addMany(tracks, isAlone: tracks.count < 2)
    }

    /// Queues what can be had; of the rest, which and why not.
    /// `isAlone`: then the failure is the caller's.
    func addMany(_ tracks: [ListedTrack], isAlone: Bool = false) async throws(Failure) -> [BusValue] {
        // What is in My Music needs nothing of VK.
        let refused = isAlone ? [] : tracks.filter(cannotBeHad).map(\.track)
        let ids = Set(refused.map(\.id))
        let queued = try await downloads.add(tracks.map(\.track).filter { !ids.contains($0.id) })
        // Taken away since it was queued, or fetched by now: its row tells of it.
        let known = Set(downloads.list.filter { $0.state != .failed }.map(\.id))
        var told: Set<TrackID> = []
        let rows = refused.filter { !known.contains($0.id) && told.insert($0.id).inserted }.map { track in
            let reason = track.unavailableReason ?? "VK gives no sound for this track"
            return BusValue.structure([
                .string(track.id.description), .string(track.id.isVKs ? reason : Self.onlyVKs),
            ])
        }
        return [Self.count(queued), .array(rows, of: "(ss)")]
    }

    func cannotBeHad(_ listed: ListedTrack) -> Bool {
        !listed.track.id.isVKs || !listed.track.isAvailable && listed.copyPath == nil
    }

    private static let onlyVKs = "only VK's tracks can be downloaded, no files and addresses"

    /// nil = all of them.
    private func ids(_ arguments: [BusValue]) async throws(Failure) -> [TrackID]? {
        let references = try arguments[0].trackReferences()
        return references.isEmpty ? nil : try await downloads.standing(for: references.map(\.id))
    }

    private static func count(_ number: Int) -> BusValue { .uint32(UInt32(clamping: number)) }
}
