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
            _ = try? Settings.build(from: entries)
        },
        "sidecar": { bytes in
            guard var map = try? JSONDecoder().decode(CopyMap.self, from: Data(bytes)) else { return }
            _ = map.cutToSegments()
            map.reconcile(fileSize: 1000, extents: RangeSet([0..<1000]))
            _ = map.isComplete
            _ = try? JSONEncoder().encode(map)
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
}
