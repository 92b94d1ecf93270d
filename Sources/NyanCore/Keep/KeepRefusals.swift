/// Downloads of kept lists that failed because there was no sound to be had, and when each was tried: a value, kept as a
/// text, so that a rule asks again once a day and not at every sync.
public struct KeepRefusals: Sendable, Equatable {
    private struct Entry: Equatable {
        /// Seconds since 1970.
        var tried: Int64
        /// A list said since that there is no sound; once it says that there is one, that is news.
        var isWithheld = false
    }

    private static let day: Int64 = 86_400
    /// Between two tries whatever the list says: VK may call it available in one answer and not in the next.
    private static let hour: Int64 = 3_600

    private var entries: [TrackID: Entry] = [:]

    /// What `text` of an earlier one says; anything else is passed over.
    public init(_ text: String = "") {
        for word in text.split(separator: " ") {
            let parts = word.split(separator: ":")
            guard parts.count >= 2, let id = TrackID(String(parts[0])), let tried = Int64(parts[1]) else { continue }
            entries[id] = Entry(tried: tried, isWithheld: parts.count > 2)
        }
    }

    public var text: String {
        entries.map { "\($0.key):\($0.value.tried)\($0.value.isWithheld ? ":-" : "")" }.sorted().joined(separator: " ")
    }

    /// Takes a look at a list, at `now` in seconds since 1970.
    /// - Returns: those that may be tried again; they count as tried now.
    public mutating func due(_ tracks: [KeptTrack], downloads: [TrackID: Download], now: Int64) -> Set<TrackID> {
        entries = entries.filter { Self.isRefused(downloads[$0.key]) }
        var due: Set<TrackID> = []
        for kept in tracks where Self.isRefused(downloads[kept.track.id]) {
            let id = kept.track.id
            var entry = entries[id] ?? Entry(tried: now)
            // A clock that was set back must not make it wait for ever.
            let age = entry.tried > now ? Self.day : now - entry.tried
            if !kept.track.isAvailable {
                entry.isWithheld = true
            } else if age >= (entry.isWithheld ? Self.hour : Self.day) {
                due.insert(id)
                entry = Entry(tried: now)
            }
            entries[id] = entry
        }
        return due
    }

    /// Failed for want of a sound.
    private static func isRefused(_ download: Download?) -> Bool {
        download?.state == .failed && download?.failure?.code == .unavailableTrack
    }
}
