import Glibc
import NyanAudio
import NyanCore
import Testing

extension AudioTests {
    /// The tag that carries a stored loudness in front of a sound.
    @Suite(.serialized) struct GainTagTests {
        @Test("It is the tag that others would write")
        func bytes() {
            let loudness = Loudness(trackGain: -6.5, trackPeak: 0.987654)
            let expected: [UInt8] =
                Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 82]
                + Array("TXXX".utf8) + [0, 0, 0, 31, 0, 0, 0] + Array("REPLAYGAIN_TRACK_GAIN\0-6.50 dB".utf8)
                + Array("TXXX".utf8) + [0, 0, 0, 31, 0, 0, 0] + Array("REPLAYGAIN_TRACK_PEAK\00.987654".utf8)
            #expect(GainTag.id3Tag(for: loudness) == expected)
            #expect(GainTag.id3Tag(for: Loudness()) == [])
            let small = GainTag.id3Tag(for: Loudness(trackGain: -0.004, trackPeak: 1.05))
            #expect(small.firstRange(of: Array("0.00 dB".utf8)) != nil)
            #expect(small.firstRange(of: Array("1.050000".utf8)) != nil)
        }

        /// What follows the tag.
        enum Sound: String, CaseIterable { case mp3, titled, flac, ogg }

        private func sound(_ kind: Sound, _ tags: [String: String] = [:]) -> [UInt8] {
            switch kind {
            case .mp3: Sounds.mp3
            case .titled: GainSounds.id3(tags, title: "A title") + Sounds.mp3
            case .flac: GainSounds.tone(.flac, tags)
            case .ogg: GainSounds.tone(.ogg, tags)
            }
        }

        private func listen(_ sounds: [UInt8]...) async -> Recording {
            let path = Sounds.directory + "/tagged.pcm"
            let format = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            let listener = Listener(sink: "\(format) ! filesink sync=true location=\(path)")
            listener.engine.gainMode = .track
            listener.load(1, sounds[0])
            if sounds.count > 1 { listener.stage(2, sounds[1]) }
            await listener.ended(UInt64(sounds.count))
            listener.engine.stop()
            return Recording(path)
        }

        @Test("It is read in front of any sound, tagged or not, and no sample is lost", arguments: Sound.allCases)
        func isRead(kind: Sound) async {
            let tag = GainTag.id3Tag(for: Loudness(trackGain: -6.0206, trackPeak: 0.99))
            let heard = await listen(tag + sound(kind))
            #expect(abs(heard.peak - 0.488) < 0.03)
            #expect(heard.samples.count == Sounds.samples)
        }

        @Test("It holds from the first sample of a join on", arguments: [Sound.mp3, .titled])
        func joins(kind: Sound) async {
            let half = GainTag.id3Tag(for: Loudness(trackGain: -6.0206, trackPeak: 0.99))
            let quarter = GainTag.id3Tag(for: Loudness(trackGain: -12.0412, trackPeak: 0.99))
            let heard = await listen(half + sound(kind), quarter + sound(kind))
            #expect(heard.samples.count == 2 * Sounds.samples)
            let last = Recording(heard.samples[..<Sounds.samples].suffix(400))
            let next = Recording(heard.samples[Sounds.samples...].prefix(400))
            #expect(abs(last.peak - 0.488) < 0.05)
            #expect(abs(next.peak - 0.244) < 0.05)
        }

        @Test("What the sound's own tags say goes first", arguments: [Sound.titled, .flac])
        func ownTagsWin(kind: Sound) async {
            let tag = GainTag.id3Tag(for: Loudness(trackGain: -12, trackPeak: 0.99))
            let heard = await listen(tag + sound(kind, [GainSounds.gain: "-6.0206 dB"]))
            #expect(abs(heard.peak - 0.488) < 0.03)
        }
    }
}
