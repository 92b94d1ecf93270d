public import NyanCore

/// A long listing as one run of bytes (D-Bus `ay`), which the bus and libdbus copy as a whole: ten thousand rows cost a
/// tenth of what they cost as structs of fields (docs/decisions/0017).
///
/// A count, then for each row: owner, audio, date (0 = none) as 64-bit and seconds as 32-bit little-endian numbers, a byte
/// of flags, and seven texts (`texts`), each behind its length: one byte, or 255 and a 32-bit number. An empty text
/// stands for an absent one.
public nonisolated enum TrackSheet {
    private static let isAvailable: UInt8 = 1
    private static let isExplicit: UInt8 = 2
    private static let isAdded: UInt8 = 4

    public static func bytes(_ tracks: [ListedTrack]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + tracks.count * 200)
        append(UInt32(clamping: tracks.count), to: &bytes)
        for listed in tracks {
            let track = listed.track
            append(track.id.owner, to: &bytes)
            append(track.id.audio, to: &bytes)
            append(track.date ?? 0, to: &bytes)
            append(UInt32(clamping: track.duration), to: &bytes)
            bytes.append(
                (track.isAvailable ? isAvailable : 0) | (track.isExplicit ? isExplicit : 0)
                    | (listed.isAdded ? isAdded : 0))
            append(track.accessKey, to: &bytes)
            append(track.artist, to: &bytes)
            append(track.title, to: &bytes)
            append(track.album, to: &bytes)
            append(track.unavailableReason, to: &bytes)
            append(listed.copyPath, to: &bytes)
            append(listed.coverPath, to: &bytes)
        }
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard var text else { return bytes.append(0) }
        text.withUTF8 { buffer in
            if buffer.count < 255 {
                bytes.append(UInt8(buffer.count))
            } else {
                bytes.append(255)
                append(UInt32(clamping: buffer.count), to: &bytes)
            }
            bytes.append(contentsOf: buffer)
        }
    }

    /// nil where the bytes are no sheet.
    public static func tracks(_ bytes: UnsafeRawBufferPointer) -> [ListedTrack]? {
        var reader = Reader(bytes: bytes)
        let count = Int(reader.number(UInt32.self))
        // A row takes 36 bytes at least.
        guard !reader.isBroken, count <= bytes.count / 36 else { return nil }
        var tracks: [ListedTrack] = []
        tracks.reserveCapacity(count)
        for _ in 0..<count { tracks.append(row(&reader)) }
        return reader.isBroken || !reader.isAtEnd ? nil : tracks
    }

    public static func tracks(_ bytes: [UInt8]) -> [ListedTrack]? { bytes.withUnsafeBytes { tracks($0) } }

    private static func row(_ reader: inout Reader) -> ListedTrack {
        let id = TrackID(owner: reader.number(Int64.self), audio: reader.number(Int64.self))
        let date = reader.number(Int64.self)
        let seconds = reader.number(UInt32.self)
        let flags = reader.number(UInt8.self)
        let key = reader.text()
        var track = Track(
            id: id, accessKey: key, artist: reader.text() ?? "", title: reader.text() ?? "", album: reader.text(),
            duration: Int(seconds), isAvailable: flags & isAvailable != 0, isExplicit: flags & isExplicit != 0,
            date: date == 0 ? nil : date)
        track.unavailableReason = reader.text()
        let (path, cover) = (reader.text(), reader.text())
        return ListedTrack(track: track, isAdded: flags & isAdded != 0, copyPath: path, coverPath: cover)
    }

    /// Reads within bounds; whatever is asked beyond the end is nothing, and the sheet is broken.
    private nonisolated struct Reader {
        let bytes: UnsafeRawBufferPointer
        private var place = 0
        private(set) var isBroken = false

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var isAtEnd: Bool { place == bytes.count }

        private mutating func take(_ count: Int) -> Int? {
            guard !isBroken, count <= bytes.count - place else {
                isBroken = true
                return nil
            }
            defer { place += count }
            return place
        }

        mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
            guard let place = take(MemoryLayout<Number>.size) else { return 0 }
            return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
        }

        mutating func text() -> String? {
            var count = Int(number(UInt8.self))
            if count == 255 { count = Int(number(UInt32.self)) }
            guard count > 0, let place = take(count) else { return nil }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)]), as: UTF8.self)
        }
    }
}
