import Dispatch
import Glibc
import NyanAudio
import NyanCore
import Testing

extension AudioTests {
    /// Measuring finished files, and what measured values do to the sound.
    @Suite(.serialized) struct LoudnessMeterTests {
        let meter = GstLoudnessMeter()

        private func failure(_ path: String) async -> Failure? {
            do throws(Failure) {
                _ = try await meter.measure(path)
                return nil
            } catch {
                return error
            }
        }

        private func written(_ name: String, _ bytes: [UInt8]) -> String {
            let path = "\(Sounds.directory)/measure-\(name)"
            write(bytes, to: path)
            return path
        }

        @Test("The same noise at a quarter of the amplitude needs 12 dB more, and the peak is the file's")
        func measures() async throws {
            let loud = try await meter.measure(GainSounds.noise(0.8))
            let quiet = try await meter.measure(GainSounds.noise(0.2))
            let louder = try #require(loud.loudness?.trackGain)
            let quieter = try #require(quiet.loudness?.trackGain)
            #expect(abs(quieter - louder - 12.04) < 0.3)
            let ratio = try #require(loud.loudness?.trackPeak) / #require(quiet.loudness?.trackPeak)
            #expect(abs(ratio - 4) < 0.3)
            #expect(loud.bytes == Int64(contents(of: GainSounds.noise(0.8)).count))
        }

        @Test("A file whose tags say its loudness, and one that has none, get nothing to add")
        func nothingToAdd() async throws {
            let tagged = GainSounds.tone(.mp3, [GainSounds.gain: "-3.00 dB", GainSounds.peak: "0.9"])
            let path = written("tagged.mp3", tagged)
            #expect(try await meter.measure(path) == LoudnessReading(bytes: Int64(tagged.count), loudness: nil))
            #expect(try await meter.measure(GainSounds.silence()).loudness == nil)
        }

        @Test("Tags that say nothing sensible are no loudness: the file is measured", arguments: ["nan", "1e99 dB"])
        func uselessTags(text: String) async throws {
            let bytes = GainSounds.tone(.mp3, [GainSounds.gain: text, GainSounds.peak: text])
            let gain = try await meter.measure(written("useless.mp3", bytes)).loudness?.trackGain
            #expect(try #require(gain) < -5)
        }

        @Test("What is no sound is refused with a reason")
        func refuses() async {
            let page = written("page.mp3", Array("<!DOCTYPE html><html><body>no</body></html>".utf8))
            #expect(await failure(page)?.code == .damagedSound)
            #expect(await failure(written("empty.mp3", []))?.code == .damagedSound)
            #expect(await failure(Sounds.directory + "/is not there")?.code == .fileAccess)
        }

        @Test("A cancelled measurement ends at once, also before it has begun")
        func cancels() async {
            let path = written("long.mp3", (0..<40).reduce(into: []) { all, _ in all += Sounds.long })
            for isEarly in [true, false] {
                let task = Task { await failure(path) }
                if !isEarly {
                    await withCheckedContinuation { wake in
                        DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { wake.resume() }
                    }
                }
                let start = ContinuousClock.now
                task.cancel()
                #expect(await task.value?.code == .cancelled)
                #expect(ContinuousClock.now - start < .seconds(3), "early: \(isEarly)")
            }
        }

        @Test("Measurements leave no descriptors behind")
        func leavesNothing() async throws {
            let path = written("again.mp3", Sounds.mp3)
            func descriptors() -> Int {
                (0..<256).filter { fcntl($0, F_GETFD) >= 0 }.count
            }
            for _ in 0..<5 { _ = try await meter.measure(path) }
            let before = descriptors()
            for _ in 0..<40 { _ = try await meter.measure(path) }
            let after = descriptors()
            // The last one's may still be on its way out.
            #expect(after <= before + 2)
        }
    }
}
