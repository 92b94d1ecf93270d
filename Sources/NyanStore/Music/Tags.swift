import CTag
import NyanCore

/// ID3v2 tags through TagLib (`CTag`); those of an M4A file are made of one.
enum Tags {
    /// The bytes of an ID3v2.4 tag in UTF-8, to be put before the sound.
    /// `source`: a file whose ReplayGain values are taken over; all its other tags are VK's leftovers.
    static func render(_ tags: FileTags, keepingGainOf source: String) throws(Failure) -> [UInt8] {
        var cover: (bytes: [UInt8], kind: PictureKind)?
        if let path = tags.coverPath, let bytes = try? WholeFile.read(path, limit: 16 << 20),
            let kind = PictureKind(bytes)
        {
            cover = (bytes, kind)
        }
        // A NUL would end the text in C and begin a second value in ID3.
        func plain(_ text: String) -> String { text.utf8.contains(0) ? text.filter { $0 != "\0" } : text }
        let bytes: [UInt8]? = withCStrings(
            [plain(tags.title), plain(tags.artist), plain(tags.album ?? ""), "\(tags.trackID)", cover?.kind.mime ?? ""]
        ) { texts in
            (cover?.bytes ?? []).withUnsafeBytes { picture in
                var fields = ctag_fields()
                fields.title = texts[0]
                fields.artist = texts[1]
                fields.album = texts[2]
                fields.track_id = texts[3]
                fields.cover_mime = texts[4]
                fields.cover = picture.baseAddress
                fields.cover_bytes = picture.count
                var count = 0
                guard let rendered = ctag_render(&fields, source, &count) else { return nil }
                defer { ctag_free(rendered) }
                return Array(UnsafeBufferPointer(start: rendered, count: count))
            }
        }
        guard let bytes else { throw Failure(.internal, "cannot make the file's tags", subject: tags.trackID) }
        return bytes
    }

    /// What a file says about itself.
    struct Found: Equatable {
        var title: String
        var artist: String
        var album: String?
        /// nil when nyand did not write the file.
        var trackID: TrackID?
    }

    /// Reads a finished file's tag; nil when the file cannot be read.
    static func read(_ path: String) -> Found? {
        var fields = ctag_fields()
        let result = path.hasSuffix(".m4a") ? ctag_m4a_read(path, &fields) : ctag_read(path, &fields)
        guard result == 0 else { return nil }
        defer { ctag_clear(&fields) }
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        return Found(
            title: text(fields.title) ?? "", artist: text(fields.artist) ?? "", album: text(fields.album),
            trackID: text(fields.track_id).flatMap { TrackID($0) })
    }

    /// What a file of any format says about itself; nothing where it says nothing.
    static func describe(_ path: String) -> FileDescription {
        var fields = ctag_fields()
        var seconds: Int32 = 0
        guard ctag_describe(path, &fields, &seconds) == 0 else { return FileDescription() }
        defer { ctag_clear(&fields) }
        func text(_ pointer: UnsafePointer<CChar>?) -> String? {
            pointer.map { ComposedText.compose(String(cString: $0)) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        return FileDescription(
            title: text(fields.title), artist: text(fields.artist), album: text(fields.album),
            seconds: max(0, Int(seconds)))
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        let bytes = texts.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { buffer in
            var start = 0
            let pointers = texts.map { text -> UnsafePointer<CChar>? in
                defer { start += text.utf8.count + 1 }
                return buffer.baseAddress.map { $0 + start }
            }
            return body(pointers)
        }
    }
}

/// The two kinds of pictures covers come in, told by their first bytes.
enum PictureKind {
    case jpeg, png

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else {
            return nil
        }
    }

    var mime: String { self == .jpeg ? "image/jpeg" : "image/png" }
    var ending: String { self == .jpeg ? "jpg" : "png" }
}
