import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Queue`: positions count from 1, and an edit is durable when it is answered.
public final class QueueFrontend: InterfaceHandler {
    private let player: PlayerService
    private let library: LibraryService

    public init(player: PlayerService, library: LibraryService) {
        self.player = player
        self.library = library
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "List": list()
        case "Add":
            .working { [self] () throws(Failure) in
                let tracks = try await player.tracks(arguments[0].strings ?? [], knownTo: library)
                player.perform(.add(tracks.map(\.track), next: arguments[1].bool ?? false))
                return try await savedLength()
            }
        case "Remove":
            .working { [self] () throws(Failure) in
                player.perform(.remove(try entries(at: arguments[0].elements ?? [])))
                return try await savedLength()
            }
        case "Move":
            .working { [self] () throws(Failure) in
                let moved = try entries(at: arguments)
                player.perform(.move(moved[0], to: (arguments[1].integer ?? 1) - 1))
                try await player.saved()
                return []
            }
        case "Clear":
            .working { [self] () throws(Failure) in
                player.perform(.clear)
                try await player.saved()
                return []
            }
        default: throw .unknownMethod(member)
        }
    }

    private func list() -> Answer {
        .working { [self] () throws(Failure) in
            let state = player.state
            let listed = try await library.listed(state.entries.map(\.track))
            let current = UInt32(clamping: state.currentIndex.map { $0 + 1 } ?? 0)
            return [TrackCoding.list(listed), .uint32(current)]
        }
    }

    private func savedLength() async throws(Failure) -> [BusValue] {
        try await player.saved()
        return [.uint32(UInt32(clamping: player.state.entries.count))]
    }

    /// The entries at positions from 1.
    private func entries(at positions: [BusValue]) throws(Failure) -> [EntryID] {
        let entries = player.state.entries
        var found: [EntryID] = []
        for position in positions {
            guard let place = position.integer, entries.indices.contains(place - 1) else {
                let range = entries.isEmpty ? "it is empty" : "it has 1 to \(entries.count)"
                throw Failure(.notFound, "the queue has no position \(position.integer ?? 0): \(range)")
            }
            found.append(entries[place - 1].id)
        }
        return found
    }
}
