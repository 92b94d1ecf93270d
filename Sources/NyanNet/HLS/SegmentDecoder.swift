import NyanCore

/// From a segment as fetched to the MP3 or AAC bytes in it. Pure; may run on any thread.
nonisolated enum SegmentDecoder {
    /// Larger segments are decoded off the main actor: AES and demux of 1 MiB take about a millisecond.
    static let largestOnMain = 1 << 20

    enum Outcome: Sendable, Equatable {
        case sound([UInt8])
        /// Sound with a place where frames or packets seem to be missing. If it comes so again, VK has it so.
        case doubtful([UInt8])
        /// Another fetch may bring it whole.
        case damaged
        case unsupported(streamType: UInt8)
    }

    /// `cipher` comes with the segment's IV; nil when it is not encrypted. `seconds`: as EXTINF says.
    static func decode(
        _ fetched: [UInt8], cipher: (cipher: SegmentCipher, iv: [UInt8])?, isFirst: Bool, seconds: Double = 0
    ) -> Outcome {
        var plain = fetched
        if let cipher {
            guard let opened = cipher.cipher.open(fetched, iv: cipher.iv) else { return .damaged }
            plain = opened
        }
        do {
            let sound = try TransportStream(plain).sound()
            return isFirst && !begins(sound) ? .damaged : judge(sound, seconds: seconds)
        } catch .unsupported(let type) {
            return .unsupported(streamType: type)
        } catch {
            return .damaged
        }
    }

    /// The whole sound must begin with a frame (or a tag): a wrong key does not.
    private static func begins(_ sound: TransportStream.Sound) -> Bool {
        guard sound.bytes.count >= 4 else { return false }
        if sound.bytes.starts(with: "ID3".utf8) { return true }
        if sound.kind == .aac { return ADTSFrame(sound.bytes) != nil }
        return MP3Frame(word: sound.bytes[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) != nil
    }

    /// A segment is cut between packets or anywhere else, so only what is missing inside is doubtful. One that lacks more
    /// than a tenth of its time, and a second, is a hole in the sound: a server that cuts its answers short.
    private static func judge(_ sound: TransportStream.Sound, seconds: Double) -> Outcome {
        let length: Duration
        let breaks: Int
        switch sound.kind {
        case .mp3:
            var frames = MP3Frames()
            frames.feed(sound.bytes)
            let walk = frames.finish()
            (length, breaks) = (walk.duration, walk.breaks)
        case .aac:
            var frames = ADTSFrames()
            frames.feed(sound.bytes)
            let walk = frames.finish()
            (length, breaks) = (walk.duration, walk.breaks)
        }
        if length < .seconds(seconds - max(1, seconds / 10)) { return .damaged }
        return sound.isWhole && breaks == 0 ? .sound(sound.bytes) : .doubtful(sound.bytes)
    }
}
