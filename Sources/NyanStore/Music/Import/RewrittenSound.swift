import CGLib
import Glibc
import NyanCore

/// Names written by TagLib into a copy of somebody's file, which it does in place and without noticing a full disk.
enum RewrittenSound {
    /// Most that TagLib makes of a tag beyond what was there: padding (FLAC, 1 MiB).
    private static let room: Int64 = 1 << 20
    /// So many bytes at the end are compared.
    private static let end = 64 << 10

    /// Room is taken first, and afterwards the sound is looked at: it is there to its end, or this throws.
    static func rewrite(_ target: OpenFile, as sound: ImportedSound, of source: SoundIdentity) throws(Failure) {
        let size = target.size ?? source.file.size
        let words = [sound.track.title, sound.track.artist, sound.track.album ?? ""].reduce(0) { $0 + $1.utf8.count }
        let more = tagBytes(source) + Int64(words) + room
        // File systems that cannot do so are given no such promise: what is wrong then is seen below.
        if nyan_reserve(target.descriptor, size, more) != 0 {
            let number = errno
            if Failure.fullness(number, in: splitPath(target.path).folder) != nil {
                throw .file(number, "write", target.path)
            }
        }
        try Tags.rewrite(target.path, sound)
        // What was taken and not needed is given back.
        if let size = target.size { try target.truncate(to: size) }
        guard try isWhole(target, source) else {
            throw Failure(.damagedSound, "its copy did not become whole: is there room enough?")
        }
    }

    /// Bytes of tags, pictures among them, that may come to stand there twice for a while. A FLAC's do not.
    private static func tagBytes(_ source: SoundIdentity) -> Int64 {
        source.kind == .flac ? 0 : min(source.file.size, 16 << 20)
    }

    static func isWhole(_ target: OpenFile, _ source: SoundIdentity) throws(Failure) -> Bool {
        let copy = SoundFile(target, id: source.file.id)
        guard try ContainerEnd.complaint(copy, source.kind) == nil,
            let before = Tags.identify(source.tagPath, source.kind),
            let after = Tags.identify("/proc/self/fd/\(target.descriptor)", source.kind), before.length == after.length
        else { return false }
        // Ogg's pages get other numbers, MP4 and WAV have their tags at the end.
        guard source.kind == .flac else { return true }
        let (theirs, ours) = (try frames(source.file), try frames(copy))
        guard theirs.count == ours.count else { return false }
        let count = min(theirs.count, end)
        return try source.file.bytes(at: theirs.upperBound - Int64(count), count)
            == copy.bytes(at: ours.upperBound - Int64(count), count)
    }

    /// Where a FLAC's frames are: behind its blocks of metadata (format, "METADATA_BLOCK_HEADER": a bit for the last one,
    /// the kind, 24 bits of length) and before tags at its end.
    private static func frames(_ file: SoundFile) throws(Failure) -> Range<Int64> {
        let sound = try file.sound()
        var place = sound.lowerBound + 4
        while place < sound.upperBound {
            let head = try file.bytes(at: place, 4)
            guard head.count == 4 else { break }
            place += 4 + head[1...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if head[0] & 0x80 != 0 { break }
        }
        return min(place, sound.upperBound)..<sound.upperBound
    }
}
