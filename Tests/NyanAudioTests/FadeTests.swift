import Glibc
import NyanCore
import Testing

@testable import NyanAudio

@Suite("The way down to silence")
struct FadeRampTests {
    private func scaled<Sample: BitwiseCopyable>(
        _ sample: Sample, _ format: SampleFormat, frames: Int, channels: Int = 2
    ) -> [Sample] {
        var samples = [Sample](repeating: sample, count: frames * channels)
        var ramp = FadeRamp(length: 1)
        samples.withUnsafeMutableBytes { ramp.scale($0, format, channels: channels, rate: frames) }
        return samples
    }

    @Test("every format goes from full to silence, never louder than it was, both signs alike")
    func formats() {
        let halfway = 0.25
        for sign in [1.0, -1.0] {
            let shorts = scaled(Int16(sign * 32_000), .int16, frames: 100)
            #expect(shorts[0] == Int16(sign * 32_000) && abs(Double(shorts[100]) - sign * 32_000 * halfway) < 2)
            let longs = scaled(Int32(sign * 2_000_000_000), .int32, frames: 100)
            #expect(abs(Double(longs[100]) - sign * 2_000_000_000 * halfway) < 2)
            let floats = scaled(Float(sign), .float32, frames: 100)
            #expect(abs(Double(floats[100]) - sign * halfway) < 1e-6)
            let doubles = scaled(sign, .float64, frames: 100)
            #expect(abs(doubles[100] - sign * halfway) < 1e-9)
            #expect(zip(doubles, doubles.dropFirst()).allSatisfy { abs($0) >= abs($1) })
            #expect(abs(doubles[199]) < 0.001)
        }
    }

    @Test("packed samples of 24 bits keep their sign")
    func packed() {
        for sample in [8_000_000, -8_000_000] as [Int32] {
            var bytes: [UInt8] = []
            for _ in 0..<100 { for byte in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: sample >> (8 * byte))) } }
            var ramp = FadeRamp(length: 1)
            bytes.withUnsafeMutableBytes { ramp.scale($0, .int24, channels: 1, rate: 100) }
            let middle = Int32(bytes[150]) | Int32(bytes[151]) << 8 | Int32(Int8(bitPattern: bytes[152])) << 16
            #expect(abs(Double(middle) - Double(sample) * 0.25) < 2)
        }
    }

    @Test("it stays silent once it is, and a cut-off frame is left alone")
    func end() {
        var ramp = FadeRamp(length: 0.5)
        var bytes = [UInt8](repeating: 0x11, count: 4 * 100 + 3)
        bytes.withUnsafeMutableBytes { ramp.scale($0, .int16, channels: 2, rate: 100) }
        #expect(bytes[(4 * 50)..<(4 * 100)].allSatisfy { $0 == 0 })
        #expect(bytes.suffix(3) == [0x11, 0x11, 0x11])
        #expect(ramp.factor == 0)
    }
}

extension AudioTests {
    @Suite(.serialized) struct FadeTests {
        @Test(
            "A fade goes down to silence over a join of another format; afterwards the sound is as loud as set",
            .measured)
        func fades() async {
            let path = Sounds.directory + "/fade.pcm"
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
            defer { close(file) }
            let format = "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            let listener = Listener(sink: "\(format) ! fdsink sync=true fd=\(file)", volume: 0.5)
            listener.load(1, Sounds.flac)
            listener.stage(2, Sounds.flac48)
            await listener.started(1)
            listener.engine.fadeOut(over: .seconds(3))
            await listener.started(2)
            await listener.listen(for: .milliseconds(1_500))
            listener.engine.endFade()
            await listener.ended(2)
            listener.engine.stop()
            #expect(!listener.events.contains { if case .volumeChanged = $0 { true } else { false } })
            // The loudest sample of each tenth of a second; a tone of full scale at half volume is 16,000.
            let heard = recorded(path)
            let levels = stride(from: 0, to: heard.count - 4_410, by: 4_410).map { start in
                heard[start..<(start + 4_410)].map { abs(Int($0)) }.max() ?? 0
            }
            #expect(levels.first ?? 0 > 13_000)
            #expect(levels.allSatisfy { $0 <= 17_500 })
            let silence = levels.firstIndex { $0 < 200 } ?? 0
            #expect(silence > 0)
            measure((20...32).contains(silence), "silent after \(silence) tenths of a second")
            #expect(zip(levels[..<silence], levels[..<silence].dropFirst()).allSatisfy { $0 + 200 >= $1 })
            // On a busy machine the fade may be taken away when all of it has gone to the sink.
            measure(levels.dropLast().last ?? 0 > 15_000, "\(levels)")
        }
    }
}
