public import NyanCore

/// Writes a loudness the way files carry it, for sounds whose bytes do not.
public enum GainTag {
    /// An ID3v2.4 tag with the TXXX frames REPLAYGAIN_…; it may be put before any sound, also one with a tag of its own
    /// (what that says goes first). Empty when there is nothing to say.
    public nonisolated static func id3Tag(for loudness: Loudness) -> [UInt8] {
        var frames: [UInt8] = []
        func add(_ name: String, _ text: String?) {
            guard let text else { return }
            // Encoding 0: Latin-1, which these texts are.
            let body = [0] + Array(name.utf8) + [0] + Array(text.utf8)
            frames += Array("TXXX".utf8) + synchsafe(body.count) + [0, 0] + body
        }
        add("REPLAYGAIN_TRACK_GAIN", loudness.trackGain.map { number($0, digits: 2) + " dB" })
        add("REPLAYGAIN_TRACK_PEAK", loudness.trackPeak.map { number($0, digits: 6) })
        add("REPLAYGAIN_ALBUM_GAIN", loudness.albumGain.map { number($0, digits: 2) + " dB" })
        add("REPLAYGAIN_ALBUM_PEAK", loudness.albumPeak.map { number($0, digits: 6) })
        guard !frames.isEmpty else { return [] }
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(frames.count) + frames
    }

    /// Four times seven bits, so that no byte looks like the start of a frame of sound.
    private nonisolated static func synchsafe(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(number >> (21 - 7 * $0) & 0x7F) }
    }

    /// With a point, whatever the locale.
    private nonisolated static func number(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { one, _ in one * 10 }
        let whole = Int((abs(value) * Double(scale)).rounded())
        let rest = String(whole % scale)
        let zeros = String(repeating: "0", count: digits - rest.count)
        return "\(value < 0 ? "-" : "")\(whole / scale).\(zeros)\(rest)"
    }
}
