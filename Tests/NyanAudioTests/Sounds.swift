import Glibc
import Testing

/// Small sounds made once per run with ffmpeg and lame, and a directory for what the tests write.
nonisolated enum Sounds {
    static let directory: String = {
        var template = Array("/tmp/nyan-audio-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let path = mkdtemp(start) else { return "/tmp" }
            return String(cString: path)
        }
    }()

    /// Samples at 44.1 kHz in the source of `mp3` and `flac`: no multiple of any frame.
    static let samples = 2 * 44_100 + 123

    /// A full-scale 440 Hz sine of `samples` samples, stereo.
    static let mp3 = make("tone.mp3", ["lame", "--quiet", "-b", "128", wav, directory + "/tone.mp3"])
    static let flac = make("tone.flac", ["ffmpeg", "-v", "error", "-y", "-i", wav, directory + "/tone.flac"])
    /// The same at 48 kHz in mono: another format at the sink.
    static let flac48 = make(
        "tone48.flac",
        ["ffmpeg", "-v", "error", "-y", "-i", wav, "-ar", "48000", "-ac", "1", directory + "/tone48.flac"])
    /// As HLS leaves it: without the frame that tells delay and padding.
    static let untagged = make("bare.mp3", ["lame", "--quiet", "-t", "-b", "128", wav, directory + "/bare.mp3"])
    /// With the header frame of another writer than LAME.
    static let lavf = make(
        "lavf.mp3",
        ["ffmpeg", "-v", "error", "-y", "-i", wav, "-c:a", "libmp3lame", "-b:a", "192k", directory + "/lavf.mp3"])
    static let ogg = make(
        "tone.ogg",
        ["ffmpeg", "-v", "error", "-y", "-i", wav, "-c:a", "libvorbis", "-q:a", "6", directory + "/tone.ogg"])
    /// 60 s at 128 kbit/s, 16,000 bytes a second, with an Info header.
    static let long = make("long.mp3", ["lame", "--quiet", "-b", "128", longWav, directory + "/long.mp3"])
    /// Noise, then silence, VBR with no header: its bit rate says nothing of its length (24 s).
    static let headless = make(
        "headless.mp3", ["lame", "--quiet", "-V", "4", "-t", noiseWav, directory + "/headless.mp3"])

    private static let wav = tone("tone.wav", samples: samples)
    private static let longWav = synthesised("long.wav", "sine=f=440:r=44100:d=60")
    private static let noiseWav = synthesised("noise.wav", "anoisesrc=d=4:r=44100,apad=pad_dur=20")

    /// What ffmpeg makes of a filter description.
    private static func synthesised(_ name: String, _ filter: String) -> String {
        let path = directory + "/" + name
        _ = Child.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", filter, "-ac", "2", path])
        return path
    }

    /// A WAV file of a full-scale sine: the peak is known from the first quarter wave on.
    private static func tone(_ name: String, samples: Int) -> String {
        var bytes: [UInt8] = []
        func append(_ value: Int, _ count: Int) {
            for index in 0..<count { bytes.append(UInt8(value >> (8 * index) & 0xFF)) }
        }
        bytes += Array("RIFF".utf8)
        append(36 + samples * 4, 4)
        bytes += Array("WAVEfmt ".utf8)
        for (value, count) in [(16, 4), (1, 2), (2, 2), (44_100, 4), (176_400, 4), (4, 2), (16, 2)] {
            append(value, count)
        }
        bytes += Array("data".utf8)
        append(samples * 4, 4)
        for index in 0..<samples {
            let value = Int((32_000 * sine(index)).rounded())
            append(value, 2)
            append(value, 2)
        }
        let path = directory + "/" + name
        write(bytes, to: path)
        return path
    }

    /// The tone's shape at a sample.
    static func sine(_ index: Int) -> Double { sin(Double(index) * 440 * 2 * .pi / 44_100) }

    private static func make(_ name: String, _ command: [String]) -> [UInt8] {
        guard Child.run(command) else { return [] }
        return contents(of: directory + "/" + name)
    }
}

/// What a file sink wrote: 16-bit stereo.
nonisolated func recorded(_ path: String) -> [Int16] {
    contents(of: path).withUnsafeBytes { raw in
        (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Int16.self) }
    }
}
