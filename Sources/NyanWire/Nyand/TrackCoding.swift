public import NyanCore
public import NyanDBus

/// Listed tracks as they travel: structs of a fixed shape, so that ten thousand of them stay quick.
///
/// An empty string stands for an absent album, reason, path, cover or access key, a date of 0 for none; the interface's
/// digit changes with the shape. Long listings go by `write` and `read`, single tracks by values.
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
            isExplicit: fields[8].bool ?? false, date: fields[12].int64.flatMap { $0 == 0 ? nil : $0 })
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

// The same shape without a value per field: a listing of ten thousand rows in a third of the time.
extension TrackCoding {
    /// Writes a whole `listSignature` argument; for answers of `Answer.written` and bodies of `MessageBody.written`.
    public static func write(_ tracks: [ListedTrack], to writer: inout MessageWriter) throws(BusError) {
        try writer.array { writer throws(BusError) in
            for listed in tracks {
                try writer.structure { writer throws(BusError) in try write(listed, to: &writer) }
            }
        }
    }

    /// The fields of `signature`, in its order.
    private static func write(_ listed: ListedTrack, to writer: inout MessageWriter) throws(BusError) {
        let track = listed.track
        try writer.string(track.id.description)
        try writer.string(track.accessKey ?? "")
        try writer.string(track.artist)
        try writer.string(track.title)
        try writer.string(track.album ?? "")
        try writer.uint32(UInt32(clamping: track.duration))
        try writer.bool(track.isAvailable)
        try writer.string(track.unavailableReason ?? "")
        try writer.bool(track.isExplicit)
        try writer.bool(listed.isAdded)
        try writer.string(listed.copyPath ?? "")
        try writer.string(listed.coverPath ?? "")
        try writer.int64(track.date ?? 0)
    }

    /// Reads a whole `listSignature` argument.
    /// - Throws: `InvalidArgs` where the next argument has another shape or a row's id is none.
    public static func read(_ reader: inout MessageReader) throws(BusError) -> [ListedTrack] {
        var tracks: [ListedTrack] = []
        try reader.array { reader throws(BusError) in
            tracks.append(try reader.structure { reader throws(BusError) in try readTrack(&reader) })
        }
        return tracks
    }

    private static func readTrack(_ reader: inout MessageReader) throws(BusError) -> ListedTrack {
        let text = try reader.string()
        guard let id = TrackID(text) else { throw .invalidArguments("not a track id: \(text)") }
        // Arguments are evaluated from left to right, which is the order of the fields but for the last few.
        var track = Track(
            id: id, accessKey: present(try reader.string()), artist: try reader.string(), title: try reader.string(),
            album: present(try reader.string()), duration: Int(try reader.uint32()), isAvailable: try reader.bool(),
            unavailableReason: present(try reader.string()), isExplicit: try reader.bool())
        let isAdded = try reader.bool()
        let copyPath = present(try reader.string())
        let coverPath = present(try reader.string())
        let date = try reader.int64()
        track.date = date == 0 ? nil : date
        return ListedTrack(track: track, isAdded: isAdded, copyPath: copyPath, coverPath: coverPath)
    }

    private nonisolated static func present(_ text: String) -> String? { text.isEmpty ? nil : text }
}
