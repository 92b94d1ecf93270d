public import NyanCore
public import NyanDBus
import NyanWire

/// What MPRIS shows of the listener's lists and of the one the queue was filled from: pure functions (mpris.md §7).
nonisolated public enum PlaylistsProjection {
    /// Everything that is shown at one instant.
    public struct Shown: Sendable, Equatable {
        public var rows: [PlaylistShelf.Row]
        public var active: MusicList?

        public init(rows: [PlaylistShelf.Row], active: MusicList?) {
            self.rows = rows
            self.active = active
        }
    }

    /// The orders there really are: the one of the shelf, and by title.
    private static let (user, alphabetical) = ("User", "Alphabetical")
    private static let rowSignature: Signature = "(oss)"

    /// One property of `org.mpris.MediaPlayer2.Playlists`; nil for a name it does not have.
    public static func value(of property: String, in shown: Shown) -> BusValue? {
        switch property {
        case "PlaylistCount": .uint32(UInt32(clamping: shown.rows.count))
        case "Orderings": .strings([user, alphabetical])
        case "ActivePlaylist": active(shown)
        default: nil
        }
    }

    /// What has to be told after a change from one to the other: properties that differ, and lists called otherwise.
    public static func changes(
        from old: Shown, to new: Shown
    ) -> (properties: [String: BusValue], renamed: [PlaylistShelf.Row]) {
        var properties: [String: BusValue] = [:]
        for name in ["PlaylistCount", "ActivePlaylist"] {
            let value = value(of: name, in: new)
            if value != Self.value(of: name, in: old) { properties[name] = value }
        }
        let titles = Dictionary(old.rows.map { ($0.list, $0.title) }, uniquingKeysWith: { first, _ in first })
        return (properties, new.rows.filter { row in titles[row.list].map { $0 != row.title } ?? false })
    }

    /// Part of the lists in an order of `Orderings`; one that is not there means the shelf's own.
    public static func page(
        of rows: [PlaylistShelf.Row], from index: UInt32, atMost count: UInt32, order: String, reversed: Bool
    ) -> BusValue {
        var ordered = order == alphabetical ? sortedByTitle(rows) : rows
        if reversed { ordered.reverse() }
        return .array(ordered.dropFirst(Int(index)).prefix(Int(count)).map(row), of: rowSignature)
    }

    /// As people look for names: whatever the case and the marks. Lists of one name keep the shelf's order.
    private static func sortedByTitle(_ rows: [PlaylistShelf.Row]) -> [PlaylistShelf.Row] {
        rows.enumerated().map { (place: $0.offset, name: FoldedText.fold($0.element.title), row: $0.element) }
            .sorted { ($0.name, $0.place) < ($1.name, $1.place) }.map(\.row)
    }

    /// An `(oss)`: VK's playlists have no icon here.
    public static func row(_ row: PlaylistShelf.Row) -> BusValue {
        .structure([.objectPath(PlaylistsInterface.path(of: row.list)), .string(row.title), .string("")])
    }

    private static func active(_ shown: Shown) -> BusValue {
        guard let active = shown.rows.first(where: { $0.list == shown.active }) else {
            return .structure([.bool(false), .structure([.objectPath(.root), .string(""), .string("")])])
        }
        return .structure([.bool(true), row(active)])
    }
}
