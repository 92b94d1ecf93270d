import NyanCore

/// From a segment as fetched to the MP3 bytes in it. Pure; may run on any thread.
nonisolated enum SegmentDecoder {
    /// Larger segments are decoded off the main actor: AES and demux of 1 MiB take about a millisecond.
    static let largestOnMain = 1 << 20

    enum Outcome: Sendable, Equatable {
        case sound([UInt8])
        /// Another fetch may bring it whole.
        case damaged
        case unsupported(streamType: UInt8)
    }

    /// `cipher` comes with the segment's IV; nil when it is not encrypted.
    static func decode(
        _ fetched: [UInt8], cipher: (cipher: SegmentCipher, iv: [UInt8])?, isFirst: Bool
    ) -> Outcome {
        var plain = fetched
        if let cipher {
            guard let opened = cipher.cipher.open(fetched, iv: cipher.iv) else { return .damaged }
            plain = opened
        }
        do {
            let sound = try TransportStream(plain).mp3()
            return isFirst && !beginsLikeMP3(sound) ? .damaged : .sound(sound)
        } catch .unsupported(let type) {
            return .unsupported(streamType: type)
        } catch {
            return .damaged
        }
    }

    /// The whole sound must begin with a frame (or a tag): a wrong key does not.
    private static func beginsLikeMP3(_ sound: [UInt8]) -> Bool {
        guard sound.count >= 4 else { return false }
        let word = sound[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return MP3Frame(word: word) != nil || sound.starts(with: "ID3".utf8)
    }
}
