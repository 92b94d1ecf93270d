import Glibc
import NyanAudio
import NyanCore
import Testing

extension AudioTests {
    @Suite(.serialized) struct VolumeTests {
        @Test("No sample is louder than the volume set, over loads, joins, format changes and seeks")
        func neverLouder() async {
            let path = Sounds.directory + "/volume.pcm"
            // A descriptor of ours that appends: the sinks begin anew at each load and seek.
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
            defer { close(file) }
            let format = "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            let listener = Listener(sink: "\(format) ! fdsink sync=true fd=\(file)", volume: 0.2)
            listener.load(1, Sounds.mp3)
            listener.stage(2, Sounds.flac48)
            await listener.started(2)
            await listener.listen(for: .milliseconds(300))
            listener.engine.seek(to: .seconds(1))
            await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            listener.load(3, Sounds.flac)
            await listener.started(3)
            await listener.listen(for: .milliseconds(200))
            listener.engine.stop()
            listener.load(4, Sounds.flac48)
            await listener.started(4)
            await listener.listen(for: .milliseconds(200))
            listener.engine.setVolume(0.1)
            await listener.ended(4)
            listener.engine.stop()
            let heard = recorded(path)
            #expect(heard.count > 4 * 44_100)
            let peak = heard.map { abs(Int($0)) }.max() ?? 0
            // A resampler overshoots by up to 9 % where a tone is cut.
            #expect(Double(peak) / 32_000 <= 0.22)
            #expect(Double(peak) / 32_000 > 0.19)
            let tail = heard.suffix(44_100).map { abs(Int($0)) }.max() ?? 0
            #expect(abs(Double(tail) / 32_000 - 0.1) < 0.01)
        }

        @Test("Nothing that an MP3 needs is missing here")
        func completeInstallation() { #expect(GstRuntime.missingElements().isEmpty) }

        @Test("A sink description that is no good fails with words about it")
        func badDescription() async {
            let listener = Listener(sink: "nosuchsink")
            listener.load(1, Sounds.mp3)
            let failure = await listener.failed(1)
            #expect(failure?.code == .audioOutput)
            #expect(failure?.message.contains("nosuchsink") == true)
            #expect(listener.events.contains(.outputChanged(.lost)))
        }
    }
}
