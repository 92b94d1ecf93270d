import CTag
import NyanCore

/// ID3v2 tags through TagLib (`CTag`); those of an M4A file are made of one.
enum Tags {
    /// The bytes of an ID3v2.4 tag in UTF-8, to be put before the sound.
    /// `source`: a file whose ReplayGain values are taken over; all its other tags are VK's leftovers.
    static func render(
        _ tags: FileTags, length: Duration = .zero, keepingGainOf source: String
    ) throws(Failure) -> [UInt8] {
        var cover: (bytes: [UInt8], kind: PictureKind)?
        if let path = tags.coverPath, let bytes = try? WholeFile.read(path, limit: 16 << 20),
            let kind = PictureKind(bytes)
        {
            cover = (bytes, kind)
        }
        let timed = tags.lyrics.map { $0.isTimed ? $0.lines : [] } ?? []
        let lyrics = [tags.lyrics?.text ?? "", tags.lyrics?.language ?? "XXX"]
        let names = [tags.title, tags.artist, tags.album ?? "", "\(tags.trackID)", cover?.kind.mime ?? ""]
        let bytes: [UInt8]? = withCStrings((names + lyrics + timed.map(\.text)).map(plain)) { texts in
            (cover?.bytes ?? []).withUnsafeBytes { picture in
                let lines = zip(timed, texts.dropFirst(7)).map { line, text in
                    ctag_line(begin: Int32(clamping: line.begin ?? 0), text: text)
                }
                return lines.withUnsafeBufferPointer { lines in
                    var fields = ctag_fields(texts, length)
                    fields.cover = picture.baseAddress
                    fields.cover_bytes = picture.count
                    fields.lines = lines.baseAddress
                    fields.line_count = lines.count
                    var count = 0
                    guard let rendered = ctag_render(&fields, source, &count) else { return nil }
                    defer { ctag_free(rendered) }
                    return Array(UnsafeBufferPointer(start: rendered, count: count))
                }
            }
        }
        guard let bytes else { throw Failure(.internal, "cannot make the file's tags", subject: tags.trackID) }
        return bytes
    }

    /// Composed, as every player finds it; a NUL would end the text in C and begin a second value in ID3.
    private static func plain(_ text: String) -> String {
        let composed = ComposedText.compose(text)
        return composed.utf8.contains(0) ? composed.filter { $0 != "\0" } : composed
    }

    /// What a file says about itself.
    struct Found: Equatable {
        var title: String
        var artist: String
        var album: String?
        /// nil when nyand did not write the file.
        var trackID: TrackID?
    }

    /// Reads a file's tag, as nyand writes it into every kind it keeps; nil when the file cannot be read.
    static func read(_ path: String) -> Found? {
        guard let file = try? SoundIdentity(ImportCandidate(path: Array(path.utf8))),
            let tags = withExtendedLifetime(file, { identify(file.tagPath, file.kind) })
        else { return nil }
        return Found(title: tags.title, artist: tags.artist, album: tags.album, trackID: tags.trackID)
    }

    /// What a file of any format says about itself; nothing where it says nothing.
    static func describe(_ path: String) -> FileDescription {
        var fields = ctag_fields()
        var seconds: Int32 = 0
        guard ctag_describe(path, &fields, &seconds) == 0 else { return FileDescription() }
        defer { ctag_clear(&fields) }
        let read = [fields.title, fields.artist, fields.album].map { $0.map { String(cString: $0) } }
        let isCyrillic = MisreadText.isCyrillic(read.compactMap { $0 })
        let texts = read.map { text in
            text.map { ComposedText.compose(MisreadText.repaired($0, amongCyrillic: isCyrillic)) }
                .flatMap { $0.isEmpty ? nil : $0 }
        }
        return FileDescription(
            title: texts[0], artist: texts[1], album: texts[2], seconds: max(0, Int(seconds)))
    }

    static func withCStrings<Result>(
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

extension ctag_fields {
    /// `texts`: title, artist, album, id, the cover's kind, the lyrics and their language.
    fileprivate init(_ texts: [UnsafePointer<CChar>?], _ length: Duration) {
        self.init()
        title = texts[0]
        artist = texts[1]
        album = texts[2]
        track_id = texts[3]
        cover_mime = texts[4]
        lyrics = texts[5]
        lyrics_language = texts[6]
        let parts = length.components
        milliseconds = Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
    }
}
