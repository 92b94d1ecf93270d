import Glibc

/// Sounds with ReplayGain tags as files in the wild have them, and what a recording of them shows.
nonisolated enum GainSounds {
    static let gain = "REPLAYGAIN_TRACK_GAIN"
    static let peak = "REPLAYGAIN_TRACK_PEAK"
    static let albumGain = "REPLAYGAIN_ALBUM_GAIN"
    static let albumPeak = "REPLAYGAIN_ALBUM_PEAK"

    /// The containers tags come in.
    enum Form: String, CaseIterable, Sendable { case mp3, flac, ogg }

    /// The tone of `Sounds` with these tags.
    static func tone(_ form: Form, _ tags: [String: String]) -> [UInt8] {
        switch form {
        case .mp3: return id3(tags) + Sounds.mp3
        case .flac:
            return made("flac", tags) { input, output in
                let words = tags.map { "--set-tag=\($0.key)=\($0.value)" }
                return [["cp", input, output], ["metaflac", "--no-utf8-convert"] + words + [output]]
            }
        case .ogg:
            return made("ogg", tags) { input, output in
                let words = tags.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
                return [["ffmpeg", "-v", "error", "-y", "-i", input, "-c:a", "libvorbis"] + words + [output]]
            }
        }
    }

    /// An ID3v2.4 tag, written here once more so that the product's own writer is not its own judge.
    static func id3(_ tags: [String: String], title: String? = nil) -> [UInt8] {
        func safe(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
        func frame(_ id: String, _ body: [UInt8]) -> [UInt8] { Array(id.utf8) + safe(body.count) + [0, 0] + body }
        var frames = tags.flatMap { frame("TXXX", [0] + Array($0.key.utf8) + [0] + Array($0.value.utf8)) }
        if let title { frames += frame("TIT2", [3] + Array(title.utf8)) }
        return Array("ID3".utf8) + [4, 0, 0] + safe(frames.count) + frames
    }

    private static func made(
        _ ending: String, _ tags: [String: String], _ commands: (String, String) -> [[String]]
    ) -> [UInt8] {
        _ = Sounds.flac
        let name = tags.sorted { $0.key < $1.key }.map { "\($0.value)" }.joined().filter { $0.isASCII && $0 != " " }
        let path = "\(Sounds.directory)/tagged\(name).\(ending)"
        for command in commands(Sounds.directory + "/tone.flac", path) { guard Child.run(command) else { return [] } }
        return contents(of: path)
    }

    /// Five seconds of pink noise at an amplitude, as MP3 without a word of its loudness.
    static func noise(_ amplitude: Double) -> String {
        let wave = "\(Sounds.directory)/noise\(amplitude).wav"
        let path = "\(Sounds.directory)/noise\(amplitude).mp3"
        let filter = "anoisesrc=d=5:r=44100:c=pink:seed=7:a=\(amplitude)"
        _ = Child.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", filter, "-ac", "2", wave])
        _ = Child.run(["lame", "--quiet", "--noreplaygain", "-b", "192", wave, path])
        return path
    }

    /// Five seconds of nothing.
    static func silence() -> String {
        let path = Sounds.directory + "/silence.flac"
        _ = Child.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "anullsrc=r=44100", "-t", "5", path])
        return path
    }
}

/// What a recording of 16-bit samples is like.
nonisolated struct Recording {
    let samples: [Int16]

    init(_ path: String) { samples = recorded(path) }
    init(_ samples: some Sequence<Int16>) { self.samples = Array(samples) }

    /// 1 = full scale.
    var peak: Double { Double(samples.map { abs(Int($0)) }.max() ?? 0) / 32_768 }

    /// Root of the mean square, 1 = full scale.
    var level: Double {
        guard !samples.isEmpty else { return 0 }
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(samples.count)).squareRoot() / 32_768
    }

    /// The longest row of samples that lie on the ceiling. A sine of 440 Hz has two at its top; one that was cut
    /// has many.
    var flattest: Int {
        let ceiling = samples.map { abs(Int($0)) }.max() ?? 0
        var longest = 0
        var row = 0
        for sample in samples {
            row = ceiling > 100 && abs(Int(sample)) >= ceiling - 2 ? row + 1 : 0
            longest = max(longest, row)
        }
        return longest
    }
}
