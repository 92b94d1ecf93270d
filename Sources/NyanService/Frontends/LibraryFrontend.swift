import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Library`: listings, search, sync, and deleting finished copies.
public final class LibraryFrontend: InterfaceHandler {
    private let library: LibraryService
    private let downloads: DownloadService

    public init(library: LibraryService, downloads: DownloadService) {
        self.library = library
        self.downloads = downloads
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        let text = arguments.first?.string ?? ""
        return switch member {
        case "Profile":
            .listing { [library] () throws(Failure) in
                let owner = arguments[1].int64 ?? 0
                return try await library.profile(matching: Self.filter(text), owner: owner == 0 ? nil : owner)
            }
        case "Music":
            .listing { [library] () throws(Failure) in try await library.music(matching: Self.filter(text)) }
        case "Search":
            .listing { [library] () throws(Failure) in
                try await library.search(
                    text, count: arguments[1].integer ?? 0, byArtist: arguments[2].bool ?? false)
            }
        case "Select": .listing { [library] () throws(Failure) in try await library.select(text) }
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

    private static func filter(_ text: String) -> String? { text.isEmpty ? nil : text }
}
