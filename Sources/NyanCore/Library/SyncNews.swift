/// What a sync found changed, for telling it in words: the first few changes, and how many more there were.
public struct SyncNews: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// It left the profile.
        case gone
        /// It is in the profile again, or can be played again.
        case back
        /// It is called otherwise now.
        case changed
        /// VK gives no sound for it any more.
        case unavailable
    }

    public struct Change: Sendable, Equatable {
        public var kind: Kind
        public var artist: String
        public var title: String
        public init(_ kind: Kind, artist: String, title: String) {
            self.kind = kind
            self.artist = artist
            self.title = title
        }
    }

    /// Changes that are named.
    public static let limit = 10

    public private(set) var changes: [Change] = []
    /// Changes beyond `limit`.
    public private(set) var more = 0

    public init() {}

    public init(changes: [Change], more: Int) {
        self.changes = changes
        self.more = more
    }

    /// `stored`: the profile before; `departed`: which of the added ones had been in it once.
    public init(of plan: SyncPlan, stored: [Track], departed: Set<TrackID>) {
        let before = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for id in plan.removed { if let track = before[id] { add(.gone, track) } }
        for track in plan.tracks {
            guard let old = before[track.id] else {
                if departed.contains(track.id) { add(.back, track) }
                continue
            }
            if track.isAvailable != old.isAvailable { add(track.isAvailable ? .back : .unavailable, track) }
            if track.title != old.title || track.artist != old.artist { add(.changed, track) }
        }
    }

    private mutating func add(_ kind: Kind, _ track: Track) {
        if changes.count < Self.limit {
            changes.append(Change(kind, artist: track.artist, title: track.title))
        } else {
            more += 1
        }
    }
}

extension SyncNews.Change {
    /// `gone from the profile: Artist – Title`. The names are VK's, not yet made harmless for a terminal.
    public var sentence: String {
        let name = "\(artist.isEmpty ? "Unknown" : artist) – \(title.isEmpty ? "Unknown" : title)"
        return switch kind {
        case .gone: "gone from the profile: \(name)"
        case .back: "back: \(name)"
        case .changed: "changed: \(name)"
        case .unavailable: "unavailable now: \(name)"
        }
    }
}
