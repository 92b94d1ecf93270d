import Glibc
import NyanCore
import Testing

@testable import NyanAudio

extension AudioTests {
    /// ReplayGain, judged from what was recorded (field-issues.md B8).
    @Suite(.serialized) struct GainTests {
        typealias Form = GainSounds.Form

        /// A sink that writes what would be heard to a file, in whole samples of 16 bits.
        private func writer(_ name: String, inRealTime: Bool) -> (sink: String, path: String) {
            let path = "\(Sounds.directory)/gain-\(name).pcm"
            let format = "audioconvert dithering=none ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            return ("\(format) ! filesink sync=\(inRealTime) location=\(path)", path)
        }

        /// Plays sounds joined to each other and gives what was heard of them. One alone need not take its time.
        private func play(
            _ name: String, _ mode: GainMode, volume: Double = 1, _ sounds: [UInt8]...
        ) async -> Recording {
            let (sink, path) = writer(name, inRealTime: sounds.count > 1)
            let listener = Listener(sink: sink, volume: volume)
            listener.engine.gainMode = mode
            listener.load(1, sounds[0])
            for number in 1..<UInt64(sounds.count) {
                listener.stage(number + 1, sounds[Int(number)])
                await listener.started(number + 1)
            }
            await listener.ended(UInt64(sounds.count))
            listener.engine.stop()
            return Recording(path)
        }

        nonisolated struct Row: Sendable, CustomTestStringConvertible {
            var what: String
            var tags: [String: String]
            /// What the samples should be multiplied with.
            var factor: Double
            var testDescription: String { what }
            init(_ what: String, _ factor: Double, gain: String? = nil, peak: String? = nil) {
                self.what = what
                self.factor = factor
                tags = [GainSounds.gain: gain, GainSounds.peak: peak].compactMapValues { $0 }
            }
        }

        /// The tone's samples reach 32,000 of 32,768.
        nonisolated static let rows: [Row] = [
            Row("down", 0.5, gain: "-6.0206 dB", peak: "0.976562"),
            Row("up as far as the peak lets it", 1 / 0.99, gain: "+12.00 dB", peak: "0.99"),
            Row("up without a peak", 1, gain: "+12.00 dB"),
            Row("up with a peak beyond full scale", 1 / 1.3, gain: "+12.00 dB", peak: "1.3"),
            Row("up with a peak that is not true", 32_768.0 / 32_000, gain: "+12.00 dB", peak: "0.25"),
            Row("a decimal comma", 1, gain: "+12,0 dB"),
            Row("a decimal comma in both", 0.5, gain: "-6,0206 dB", peak: "0,9765"),
            Row("no number", 1, gain: "nan dB", peak: "nan"),
            Row("endless", 1, gain: "inf dB", peak: "inf"),
            Row("beyond belief", 1, gain: "+1e300 dB", peak: "0.5"),
            Row("words", 1, gain: "loud", peak: "very"),
            Row("a peak in 16-bit steps", 0.5, gain: "-6.0206 dB", peak: "32767"),
        ]

        @Test("The tags' gain is heard, and nothing is cut flat whatever they say", arguments: rows)
        func obeysTags(row: Row) async {
            let heard = await play("tags", .track, GainSounds.tone(.flac, row.tags))
            #expect(heard.samples.count == Sounds.samples)
            #expect(heard.flattest <= 3)
            let tail = Recording(heard.samples.suffix(Sounds.samples / 2))
            #expect(abs(tail.peak / (32_000.0 / 32_768 * row.factor) - 1) < 0.002)
        }

        @Test("Gains are read from every container", arguments: Form.allCases)
        func readsAll(form: Form) async {
            let tags = [GainSounds.gain: "-6.02 dB", GainSounds.peak: "0.98", GainSounds.albumGain: "-12.04 dB"]
            let track = await play("\(form)-track", .track, GainSounds.tone(form, tags))
            #expect(abs(track.peak - 0.49) < 0.03)
            let album = await play("\(form)-album", .album, GainSounds.tone(form, tags))
            #expect(abs(album.peak - 0.245) < 0.015)
        }

        @Test(
            "Lying tags make an MP3 no louder than the volume that is set, nor flat", arguments: ["0.2", "1.3", "nan"])
        func neverLouder(peak: String) async {
            let sound = GainSounds.tone(.mp3, [GainSounds.gain: "+20.00 dB", GainSounds.peak: peak])
            let heard = await play("never", .track, volume: 0.2, sound)
            #expect(heard.peak <= 0.2001 && heard.peak > 0.14)
            #expect(heard.flattest <= 3)
        }

        nonisolated struct Seam: Sendable, CustomTestStringConvertible {
            var what: String
            var first: (tags: [String: String], factor: Double)
            var second: (tags: [String: String], factor: Double)
            var testDescription: String { what }
        }

        private nonisolated static let half = ([GainSounds.gain: "-6.0206 dB", GainSounds.peak: "0.98"], 0.5)
        private nonisolated static let quarter = ([GainSounds.gain: "-12.0412 dB", GainSounds.peak: "0.98"], 0.25)
        private nonisolated static let plain: ([String: String], Double) = ([:], 1)
        nonisolated static let seams = [
            Seam(what: "half to quarter", first: half, second: quarter),
            Seam(what: "quarter to untagged", first: quarter, second: plain),
            Seam(what: "untagged to half", first: plain, second: half),
            Seam(
                what: "a useless peak to no number", first: half,
                second: ([GainSounds.gain: "nan", GainSounds.peak: "nan"], 1)),
        ]

        @Test("The gain switches on the very sample where the next sound begins, without a gap", arguments: seams)
        func switches(seam: Seam) async {
            let heard = await play(
                "seam", .track, GainSounds.tone(.flac, seam.first.tags), GainSounds.tone(.flac, seam.second.tags))
            #expect(heard.samples.count == 2 * Sounds.samples)
            var worst = 0.0
            for (index, sample) in heard.samples.enumerated() {
                let isFirst = index < Sounds.samples
                let source = 32_000 * Sounds.sine(isFirst ? index : index - Sounds.samples)
                worst = max(worst, abs(Double(sample) - source * (isFirst ? seam.first.factor : seam.second.factor)))
            }
            #expect(worst < 2)
        }

        @Test("Off is off: what is tagged plays bit for bit as if it were not")
        func off() async {
            let tags = [GainSounds.gain: "-6.02 dB", GainSounds.peak: "0.98"]
            let heard = await play("off", .off, GainSounds.tone(.flac, tags))
            #expect(heard.samples == (0..<Sounds.samples).map { Int16((32_000 * Sounds.sine($0)).rounded()) })
        }

        @Test("A sound without tags is not touched while ReplayGain is on")
        func untagged() async {
            let heard = await play("untagged", .track, Sounds.flac)
            #expect(heard.samples == (0..<Sounds.samples).map { Int16((32_000 * Sounds.sine($0)).rounded()) })
        }

        @Test("The setting takes effect with the next load, both ways, and nothing is left in the way when it is off")
        func reloads() async {
            let path = Sounds.directory + "/gain-reload.pcm"
            let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
            defer { close(file) }
            let format = "audioconvert dithering=none ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            let listener = Listener(sink: "\(format) ! fdsink sync=true fd=\(file)")
            let sound = GainSounds.tone(.flac, [GainSounds.gain: "-6.0206 dB", GainSounds.peak: "0.98"])
            for (number, mode) in [GainMode.off, .track, .off].enumerated() {
                ftruncate(file, 0)
                listener.engine.gainMode = mode
                listener.load(UInt64(number), sound)
                await listener.ended(UInt64(number))
                #expect(abs(Recording(path).peak - (mode == .off ? 1 : 0.5) * 32_000 / 32_768) < 0.001)
            }
            // While one sounds with it and the next is joined to it, off lets the next through.
            ftruncate(file, 0)
            listener.engine.gainMode = .track
            listener.load(10, sound)
            listener.stage(11, sound)
            await listener.started(10)
            listener.engine.gainMode = .off
            await listener.ended(11)
            let heard = Recording(path)
            #expect(heard.samples.count == 2 * Sounds.samples)
            #expect(abs(Recording(heard.samples.prefix(Sounds.samples)).peak - 0.488) < 0.001)
            #expect(abs(Recording(heard.samples.suffix(Sounds.samples)).peak - 0.977) < 0.001)
        }

        @Test("A seek, a pause and a start in the middle keep the gain")
        func seeks() async {
            let path = Sounds.directory + "/gain-seek.pcm"
            let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
            defer { close(file) }
            let format = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            let listener = Listener(sink: "\(format) ! fdsink sync=true fd=\(file)")
            listener.engine.gainMode = .track
            let sound = GainSounds.id3([GainSounds.gain: "-6.02 dB", GainSounds.peak: "1.0"]) + Sounds.long
            listener.load(1, sound, at: .seconds(20))
            await listener.started(1)
            await listener.listen(for: .milliseconds(200))
            for target in [40, 3] {
                let told = listener.events.count
                listener.engine.seek(to: .seconds(target))
                await listener.wait("seeked", from: told) { if case .seeked = $0 { true } else { false } }
                listener.engine.setPlaying(false)
                await listener.listen(for: .milliseconds(50))
                listener.engine.setPlaying(true)
                await listener.listen(for: .milliseconds(200))
            }
            listener.engine.stop()
            let heard = Recording(path)
            #expect(heard.samples.count > 20_000)
            // ffmpeg's sine is an eighth of full scale, and its two channels share it.
            #expect(abs(heard.peak - 0.125 * 0.7071 * 0.5) < 0.003)
        }
    }
}
