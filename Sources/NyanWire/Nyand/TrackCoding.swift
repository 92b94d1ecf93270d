public import NyanCore
public import NyanDBus

/// Listed tracks as they travel: structs of a fixed shape, so that ten thousand of them stay quick.
///
/// An empty string stands for an absent album, reason, path, cover or access key; the interface's digit changes with
/// the shape.
public enum TrackCoding {
    /// id, access key, artist, title, album, seconds, available, reason, explicit, added, path, cover, date.
    public nonisolated static let signature: Signature = "(sssssubsbbssx)"
    public nonisolated static let listSignature: Signature = "a(sssssubsbbssx)"

    public nonisolated static func value(_ listed: ListedTrack) -> BusValue {
        let track = listed.track
        return .structure([
            .string(track.id.description), .string(track.accessKey ?? ""), .string(track.artist), .string(track.title),
            .string(track.album ?? ""), .uint32(UInt32(clamping: track.duration)), .bool(track.isAvailable),
            .string(track.unavailableReason ?? ""), .bool(track.isExplicit), .bool(listed.isAdded),
            .string(listed.copyPath ?? ""), .string(listed.coverPath ?? ""), .int64(track.date ?? 0),
        ])
    }

    public nonisolated static func list(_ tracks: some Sequence<ListedTrack>) -> BusValue {
        .array(tracks.map(value), of: signature)
    }

    /// nil where the value has another shape.
    public nonisolated static func listedTrack(_ value: BusValue) -> ListedTrack? {
        guard let fields = value.fields, fields.count == 13, let id = fields[0].string.flatMap({ TrackID($0) }),
            let artist = fields[2].string, let title = fields[3].string, let duration = fields[5].uint32
        else { return nil }
        let track = Track(
            id: id, accessKey: present(fields[1]), artist: artist, title: title, album: present(fields[4]),
            duration: Int(duration), isAvailable: fields[6].bool ?? true, unavailableReason: present(fields[7]),
            isExplicit: fields[8].bool ?? false, date: fields[12].int64)
        return ListedTrack(
            track: track, isAdded: fields[9].bool ?? false, copyPath: present(fields[10]),
            coverPath: present(fields[11]))
    }

    public nonisolated static func listedTracks(_ value: BusValue) -> [ListedTrack]? {
        guard let elements = value.elements else { return nil }
        let tracks = elements.compactMap(listedTrack)
        return tracks.count == elements.count ? tracks : nil
    }

    private nonisolated static func present(_ value: BusValue) -> String? {
        value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
