@testable import NyanCore
@testable import NyanNet
@testable import NyanStore

extension Fuzz {
    /// Readers of sound and of its containers.
    static let sounds: [String: Target] = [
        "hls": { bytes in
            let document = try? HLSDocument(bytes, url: Secret("https://cs1.example/a/index.m3u8?k=1"))
            guard case .media(let playlist)? = document else { return }
            hold(playlist.segments.allSatisfy { $0.duration.isFinite && $0.duration >= 0 }, "durations are lengths")
            hold(playlist.segments.allSatisfy { ($0.key?.iv.count ?? 16) == 16 }, "an IV has 16 bytes")
            hold(playlist.length.isFinite && playlist.length >= 0, "a length is finite")
            hold(playlist.segments.count <= bytes.count, "a segment takes a line")
        },
        "segment": { bytes in
            let whole = bytes.count / 188 * 188
            _ = SegmentDecoder.decode(Array(bytes.prefix(whole)), cipher: nil, isFirst: true, seconds: 4)
            _ = SegmentDecoder.decode(bytes, cipher: nil, isFirst: false)
            if bytes.count >= 32, let cipher = SegmentCipher(key: Array(bytes.prefix(16))) {
                _ = cipher.open(Array(bytes.dropFirst(32)), iv: Array(bytes[16..<32]))
            }
        },
        "mp3": { bytes in
            var (whole, pieces) = (MP3Frames(), MP3Frames())
            whole.feed(bytes)
            for start in stride(from: 0, to: bytes.count, by: 7) {
                pieces.feed(Array(bytes[start..<min(start + 7, bytes.count)]))
            }
            hold(whole.finish() == pieces.finish(), "a walk does not depend on how bytes come")
            let head = MP3Head.read(isAll: true) { offset, count in
                guard offset >= 0, count >= 0, offset + Int64(count) <= bytes.count else { return nil }
                return Array(bytes[Int(offset)..<Int(offset) + count])
            }
            if case .head(let head) = head { _ = head.frontFrame(size: Int64(bytes.count)) }
        },
        "adts": { bytes in
            var (whole, pieces) = (ADTSFrames(), ADTSFrames())
            whole.feed(bytes)
            for start in stride(from: 0, to: bytes.count, by: 5) {
                pieces.feed(Array(bytes[start..<min(start + 5, bytes.count)]))
            }
            let walk = whole.finish()
            hold(walk == pieces.finish(), "a walk does not depend on how bytes come")
            hold(walk.sizes.reduce(0) { $0 + Int($1) } <= bytes.count, "frames are no more than came")
            let id = TrackID(owner: 1, audio: 1)
            guard let head = try? M4AHead(walk, id: id), let movie = try? head.render(id3: [], id: id) else { return }
            hold(head.soundBytes >= 0 && head.soundBytes <= bytes.count, "sound is no more than came")
            hold(movie.count < 4096 + 8 * walk.sizes.count, "a head is short")
        },
        "sniff": { bytes in
            _ = SoundSniff.kind(of: bytes)
            if let end = OggEnd.samples(head: bytes, tail: bytes) {
                hold(end.count > 0 && end.rate > 0, "an end is a length")
            }
        },
    ]
}
