import CGLib
import CTag
import Glibc
public import NyanCore

extension MusicFolder: GainTagger {
    public func tag(_ copy: FinishedCopy, with reading: LoudnessReading) async throws(Failure) -> FinishedCopy? {
        guard let gain = reading.loudness?.trackGain else { return nil }
        let peak = reading.loudness?.trackPeak
        return try await offPool { () throws(Failure) in
            try Self.tagNow(copy, bytes: reading.bytes, gain: gain, peak: peak)
        }
    }

    private static func tagNow(
        _ copy: FinishedCopy, bytes: Int64, gain: Double, peak: Double?
    ) throws(Failure) -> FinishedCopy? {
        let source = try SoundIdentity(ImportCandidate(path: Array(copy.path.utf8)))
        guard source.kind == .mp3, source.file.size == bytes, let before = FileMoment(source.file.file.descriptor),
            Tags.identify(source.tagPath, .mp3)?.trackID == copy.id,
            let tag = Tags.withGain(source.tagPath, gain: gain, peak: peak)
        else { return nil }
        let folder = splitPath(copy.path).folder
        let temporary = temporaryPath(copy.id, in: folder)
        defer { unlink(temporary) }
        let target = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644, subject: copy.id)
        hold(target)
        try target.makeReadable()
        try target.write(tag, at: 0)
        let sound = try source.file.sound().lowerBound..<source.file.size
        try source.file.append(sound, to: target, at: Int64(tag.count))
        try target.sync(subject: copy.id)
        guard FileMoment(copy.path) == before else { return nil }
        // What comes back may be somebody's: under this name nobody deletes it, not even after a kill.
        let hidden = ForeignFile.hiddenPath(for: copy.path, id: copy.id)
        guard rename(temporary, hidden) == 0 else { return nil }
        // Not over a name: a file that was deleted just now must not come back. The old one has the hidden name then.
        guard nyan_rename_exchange(hidden, copy.path) == 0 else {
            unlink(hidden)
            return nil
        }
        guard FileMoment(hidden) == before else {
            // Somebody wrote another one just before: that one is what is wanted.
            if nyan_rename_exchange(hidden, copy.path) == 0 {
                unlink(hidden)
            } else {
                ForeignFile.putBack(hidden, as: copy.path, id: copy.id)
            }
            return nil
        }
        unlink(hidden)
        try Folder.sync(folder)
        return FinishedCopy(id: copy.id, path: copy.path, bytes: Int64(tag.count) + sound.upperBound - sound.lowerBound)
    }
}

extension Tags {
    /// The file's own tag with these values in it; nil where it has none.
    fileprivate static func withGain(_ path: String, gain: Double, peak: Double?) -> [UInt8]? {
        var count = 0
        let sign = gain < 0 ? "-" : "+"
        guard
            let rendered = ctag_with_gain(
                path, "\(sign)\(decimal(abs(gain), places: 2)) dB", peak.map { decimal($0, places: 6) }, &count)
        else { return nil }
        defer { ctag_free(rendered) }
        return Array(UnsafeBufferPointer(start: rendered, count: count))
    }

    /// A number from 0 up with a point whatever the locale, `6.50`.
    private static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let whole = Int((value * Double(scale)).rounded())
        let digits = "\(whole % scale)"
        return "\(whole / scale)." + String(repeating: "0", count: places - digits.utf8.count) + digits
    }
}
