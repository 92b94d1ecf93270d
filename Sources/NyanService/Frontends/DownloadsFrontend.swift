import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Downloads`: an answered wish is durable.
public final class DownloadsFrontend: InterfaceHandler {
    private let downloads: DownloadService
    private let library: LibraryService

    public init(downloads: DownloadService, library: LibraryService) {
        self.downloads = downloads
        self.library = library
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "List": .reply([DownloadCoding.list(downloads.list.map(DownloadReport.init))])
        case "Add":
            .working { [self] () throws(Failure) in
                let tracks = try await library.tracks(try arguments[0].trackReferences())
                return [Self.count(try await downloads.add(tracks.map(\.track)))]
            }
        case "AddAll":
            .working { [self] () throws(Failure) in
                let tracks = try await library.profile(matching: nil, owner: nil).filter(\.track.isAvailable)
                return [Self.count(try await downloads.add(tracks.map(\.track)))]
            }
        case "Cancel":
            .working { [self] () throws(Failure) in [Self.count(try await downloads.cancel(try ids(arguments)))] }
        case "Retry":
            .working { [self] () throws(Failure) in [Self.count(try await downloads.retry(try ids(arguments)))] }
        case "Pause":
            .working { [self] () throws(Failure) in
                try await downloads.pause(try ids(arguments))
                return []
            }
        case "Resume":
            .working { [self] () throws(Failure) in
                try await downloads.resume(try ids(arguments))
                return []
            }
        default: throw .unknownMethod(member)
        }
    }

    /// nil = all of them.
    private func ids(_ arguments: [BusValue]) throws(Failure) -> [TrackID]? {
        let references = try arguments[0].trackReferences()
        return references.isEmpty ? nil : references.map(\.id)
    }

    private static func count(_ number: Int) -> BusValue { .uint32(UInt32(clamping: number)) }
}
