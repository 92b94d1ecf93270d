import CTag
import Glibc
import NyanCore

// Tags of files that others made.
extension Tags {
    /// What a foreign file says about itself, as it is read.
    struct Identified: Equatable {
        var title: String
        var artist: String
        var album: String?
        var trackID: TrackID?
        /// Milliseconds; 0 = unknown.
        var length: Int
    }

    /// nil where the file is not of this kind or too damaged to be opened.
    static func identify(_ path: String, _ kind: SoundSniff) -> Identified? {
        var fields = ctag_fields()
        var length: Int32 = 0
        guard ctag_identify(path, SoundIdentity.tagKind(kind), &fields, &length) == 0 else { return nil }
        defer { ctag_clear(&fields) }
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        return Identified(
            title: text(fields.title) ?? "", artist: text(fields.artist) ?? "", album: text(fields.album),
            trackID: text(fields.track_id).flatMap { TrackID($0) }, length: max(0, Int(length)))
    }

    /// The tag a copy of an MPEG file gets: all that its own says, put right, and nyand's id.
    static func carried(_ path: String, _ sound: ImportedSound) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]? = withFields(of: sound.track) { fields in
            var count = 0
            let repair: ctag_repair = { text, isCyrillic in
                guard let text else { return nil }
                let read = String(cString: text)
                let meant = ComposedText.compose(MisreadText.repaired(read, amongCyrillic: isCyrillic != 0))
                return meant.utf8.elementsEqual(read.utf8) ? nil : strdup(meant)
            }
            guard let rendered = ctag_carry(path, &fields, repair, sound.isCyrillic ? 1 : 0, &count) else { return nil }
            defer { ctag_free(rendered) }
            return Array(UnsafeBufferPointer(start: rendered, count: count))
        }
        guard let bytes else { throw Failure(.damagedSound, "its tags cannot be read") }
        return bytes
    }

    /// Writes the names and nyand's id into a copy that is no MPEG.
    static func rewrite(_ path: String, _ sound: ImportedSound) throws(Failure) {
        let result = withFields(of: sound.track) { fields in
            ctag_rewrite(path, SoundIdentity.tagKind(sound.kind), &fields)
        }
        guard result == 0 else { throw Failure(.damagedSound, "its tags cannot be written") }
    }

    private static func withFields<Result>(of track: Track, _ body: (inout ctag_fields) -> Result) -> Result {
        withCStrings([track.title, track.artist, track.album ?? "", "\(track.id)"]) { texts in
            var fields = ctag_fields()
            fields.title = texts[0]
            fields.artist = texts[1]
            if track.album != nil { fields.album = texts[2] }
            fields.track_id = texts[3]
            return body(&fields)
        }
    }

    /// The id that a finished file of any kind carries; nil where it carries none.
    static func trackID(of path: String) -> TrackID? { read(path)?.trackID }

    /// Whether a file is this track's: by what its tag says, and where it says nothing, by its sound. Files that lay in
    /// My Music when they were imported were not written into.
    static func isFile(_ path: String, of id: TrackID) -> Bool {
        guard let file = try? SoundIdentity(ImportCandidate(path: Array(path.utf8))) else { return false }
        if let found = identify(file.tagPath, file.kind)?.trackID { return found == id }
        guard !id.isVKs, let found = try? file.soundID() else { return false }
        return found == id
    }
}
