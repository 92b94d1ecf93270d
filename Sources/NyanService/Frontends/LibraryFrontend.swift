import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Library`: listings, search, sync, and deleting finished copies.
public final class LibraryFrontend: InterfaceHandler {
    private let library: LibraryService
    private let downloads: DownloadService
    /// Told after a listing so long that what it took should be given back.
    public var onLongList: () -> Void = {}
    private static let longList = 2000

    public init(library: LibraryService, downloads: DownloadService) {
        self.library = library
        self.downloads = downloads
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        let text = arguments.first?.string ?? ""
        return switch member {
        case "Profile":
            .listing { [self] () throws(Failure) in try await list(member, text, arguments[1].int64 ?? 0) }
        case "Music", "Select": .listing { [self] () throws(Failure) in try await list(member, text) }
        case "Search":
            .listing { [self] () throws(Failure) in
                try await list(
                    member, text, Int64(arguments[1].integer ?? 0), byArtist: arguments[2].bool ?? false)
            }
        case "Sheet":
            .listing(
                { [self] () throws(Failure) in
                    try await list(
                        text, arguments[1].string ?? "", arguments[2].int64 ?? 0, byArtist: arguments[3].bool ?? false)
                },
                write: { [self] (tracks, writer) throws(BusError) in
                    try writer.bytes(TrackSheet.bytes(tracks))
                    if tracks.count > Self.longList { onLongList() }
                })
        case "Sync":
            .working { [library] () throws(Failure) in
                let outcome = try await library.sync()
                let numbers = [outcome.total, outcome.added, outcome.removed, outcome.unavailable]
                return numbers.map { .uint32(UInt32(clamping: $0)) } + SyncCoding.values(outcome.news)
            }
        case "DeleteCopies":
            .working { [downloads] () throws(Failure) in
                let freed = try await downloads.deleteCopies(try arguments[0].trackReferences().map(\.id))
                return [.uint32(UInt32(clamping: freed.files)), .int64(freed.bytes)]
            }
        default: throw .unknownMethod(member)
        }
    }

    /// One of the four listings; `number` is the owner of a profile or the count of a search.
    private func list(
        _ kind: String, _ text: String, _ number: Int64 = 0, byArtist: Bool = false
    ) async throws(Failure) -> [ListedTrack] {
        switch kind {
        case "Profile": try await library.profile(matching: Self.filter(text), owner: number == 0 ? nil : number)
        case "Music": try await library.music(matching: Self.filter(text))
        case "Search": try await library.search(text, count: Int(clamping: number), byArtist: byArtist)
        case "Select": try await library.select(text)
        default: throw Failure(.badArgument, "there is no list called “\(kind.prefix(40))”")
        }
    }

    private static func filter(_ text: String) -> String? { text.isEmpty ? nil : text }
}
