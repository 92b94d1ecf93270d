public import NyanCore
public import NyanDBus

/// MPRIS metadata of a queue entry (mpris.md §5). A key without a value is left out, never sent empty.
public enum MetadataCoding {
    /// The map of "no current track"; safer than an empty one (mpris.md §5).
    public nonisolated static let nothing: [String: BusValue] = ["mpris:trackid": .objectPath(Names.noTrack)]

    /// The whole map. `length` is the truth where it is known; `coverPath` is an absolute path.
    public nonisolated static func metadata(
        of entry: Entry, length: Duration?, coverPath: String?
    ) -> [String: BusValue] {
        let track = entry.track
        var map: [String: BusValue] = ["mpris:trackid": .objectPath(trackID(of: entry.id))]
        if let length, length > .zero { map["mpris:length"] = .int64(microseconds(length)) }
        map["mpris:artUrl"] = coverPath.map { .string(fileURL($0)) }
        map["xesam:title"] = text(track.title).map { .string($0) }
        map["xesam:artist"] = text(track.artist).map { .strings([$0]) }
        map["xesam:album"] = text(track.album ?? "").map { .string($0) }
        // Never a media address of VK's, nor what may be a secret of another one.
        map["xesam:url"] = .string(track.soundAddress?.shown ?? "https://vk.com/audio\(track.id)")
        return map
    }

    /// The entry's object path: stable while it lives, another for each place in the queue.
    public nonisolated static func trackID(of entry: EntryID) -> ObjectPath {
        Names.entries.appending(escaping: "\(entry.number)")
    }

    /// Reads `trackID(of:)` back; nil for any other path.
    public nonisolated static func entryID(_ path: ObjectPath) -> EntryID? {
        let prefix = Names.entries.text + "/"
        guard path.text.hasPrefix(prefix), let number = UInt64(path.text.dropFirst(prefix.count)),
            trackID(of: EntryID(number)) == path
        else { return nil }
        return EntryID(number)
    }

    /// MPRIS counts in microseconds; the only place where they are made.
    public nonisolated static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return whole.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }

    /// A `file:` URL with every byte percent-encoded that RFC 3986 does not let stand in a path.
    public nonisolated static func fileURL(_ path: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        var url = "file://"
        for byte in path.utf8 {
            if unreserved.contains(byte) {
                url.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                url += hex.utf8.count < 2 ? "%0" + hex : "%" + hex
            }
        }
        return url
    }

    private nonisolated static func text(_ text: String) -> String? { text.isEmpty ? nil : text }
}
