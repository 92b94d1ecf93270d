import CFuzz
import CTag
import FoundationEssentials
import Glibc
@testable import NyanCore
@testable import NyanStore

extension Fuzz {
    /// Readers of files: our own, the person's, and those that others made.
    static let stored: [String: Target] = [
        "settings": { bytes in
            guard let entries = try? SettingsFile.entries(in: bytes) else { return }
            do throws(SettingsError) {
                _ = try Settings.build(from: entries)
            } catch {
                hold(error.line.map { $0 > 0 && $0 <= bytes.count + 1 } ?? true, "a line that is there")
            }
        },
        "credential": { bytes in
            guard let credential = StoredCredential.credential(from: bytes) else { return }
            hold(!credential.token.revealed.isEmpty, "a token says something")
            hold(
                StoredCredential.credential(from: StoredCredential.bytes(of: credential)) == credential, "it reads back"
            )
        },
        "mounts": { bytes in
            let raw = text(bytes)
            hold(MountPlaces.places(in: raw).reduce(0) { $0 + $1.utf8.count } <= raw.utf8.count, "places are parts")
        },
        "sidecar": { bytes in
            guard let map = try? JSONDecoder().decode(CopyMap.self, from: Data(bytes)) else { return }
            let place = scratch + "/map"
            guard (try? WholeFile.replace(place, with: bytes, mode: 0o600, durable: false)) != nil,
                var read = CopyMap.read(place)
            else { return }
            for size in [Int64(0), 1000, 300_000] {
                for extents in [RangeSet([0..<size]), RangeSet([100..<size / 2 + 100])] {
                    var one = read
                    one.reconcile(fileSize: size, extents: extents)
                    hold(one.ranges.end <= size && one.ranges.count >= 0, "what is there is in the file")
                    hold(one.segments.map { $0.bytes >= 0 && $0.done >= 0 } ?? true, "segments are some")
                    _ = (one.isComplete, one.continues(as: .direct, total: 5, validator: map.validator))
                    one.note(SegmentProgress(done: 1, bytes: 500, durations: [1, 2]))
                    if one.cutToSegments() { hold(one.ranges.end <= size, "what is there is in the file") }
                }
            }
            read.sums.forget(0..<1 << 20)
            hold((try? JSONEncoder().encode(read)) != nil, "it can be written again")
        },
        "copy": { bytes in
            // A half-made file and what stands beside it: the note up to the first NUL, the bytes behind it.
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let (data, note) = (scratch + "/copy", scratch + "/copy.map")
            guard (try? WholeFile.replace(note, with: parts[0], mode: 0o600, durable: false)) != nil,
                (try? WholeFile.replace(data, with: parts.dropFirst().first ?? [], mode: 0o600, durable: false)) != nil,
                let copy = try? CopyFile(TrackID(owner: 1, audio: 1), dataPath: data, mapPath: note, boot: "boot")
            else { return }
            _ = copy.checkNow()
            hold(copy.received >= 0 && copy.received <= bytes.count, "no more than is there")
            var buffer = [UInt8](repeating: 0, count: 64)
            _ = buffer.withUnsafeMutableBytes { copy.read(at: 0, into: $0) }
            if let missing = copy.missing(from: 0) { hold(missing.upper.map { $0 > missing.lower } ?? true, "a gap") }
            try? copy.flush()
        },
        "ranges": { bytes in
            var (ranges, flags) = (RangeSet(), [Bool](repeating: false, count: 256))
            for pair in stride(from: 0, to: bytes.count - 2, by: 3) {
                let (lower, upper) = (min(bytes[pair], bytes[pair + 1]), max(bytes[pair], bytes[pair + 1]))
                let range = Int64(lower)..<Int64(upper)
                if bytes[pair + 2] & 1 == 0 { ranges.insert(range) } else { ranges.remove(range) }
                for place in range { flags[Int(place)] = bytes[pair + 2] & 1 == 0 }
            }
            for place in 0..<256 {
                hold((ranges.available(from: Int64(place)) > 0) == flags[place], "a set is what went into it")
            }
        },
        "picture": { bytes in _ = Picture.complaint(bytes) },
        "tags": { bytes in
            // TagLib reads files; this one has no name.
            let file = memfd_create("fuzz", 0)
            guard file >= 0 else { return }
            defer { close(file) }
            _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            _ = Tags.identify("/proc/self/fd/\(file)", SoundSniff.kind(of: bytes))
            for kind in [CTAG_MPEG, CTAG_FLAC, CTAG_OGG, CTAG_MP4, CTAG_WAV] {
                var fields = ctag_fields()
                var length: Int32 = 0
                if ctag_identify("/proc/self/fd/\(file)", kind, &fields, &length) == 0 {
                    hold(length >= 0, "a length is none or more")
                }
                ctag_clear(&fields)
                var count = 0
                let cover = ctag_cover("/proc/self/fd/\(file)", kind, 1 << 20, { _, _ in 1 }, &count)
                hold(cover == nil || count <= 1 << 20, "a cover keeps to its limit")
                ctag_free(cover)
            }
        },
    ]

    /// A folder of this process' own.
    static let scratch: String = {
        var name = Array("\(Glibc.getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/nyanfuzz.XXXXXX".utf8CString)
        return mkdtemp(&name).map { String(cString: $0) } ?? "/tmp"
    }()
}
