import FoundationEssentials
import NyanTestKit
import Testing

/// Tracks in a row, as they come out of the sink, with the real programs.
@Suite("Joins, whole", .serialized, .timeLimit(.minutes(4)))
struct JoinTests {
    @Test("the next track's address takes three seconds to come, and the join has no hole all the same")
    func slowNext() async throws {
        let path = "/tmp/nyan-join-\(UInt32.random(in: 0 ... .max)).pcm"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let format = "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=1"
        let house = try await House(settings: "[audio]\nsink=\(format) ! filesink sync=true location=\(path)\n")
        try await house.startDaemon()
        try await house.signIn()
        // The halves of one endless tone; the second one's address is asked for when the first is there.
        let (first, second) = ("123456_456239967", "123456_456239966")
        try await house.control(#"{"cmd":"inject","method":"audio.getById","skip":1,"times":1,"delay":3}"#)
        try #require(try await house.ctl("play", first, second).status == 0)
        try await house.until("the second sounds") {
            let status = try await house.status()
            // It is three seconds long, and the last.
            return status.track?.id == second && status.position > 0.5 || status.state == "stopped"
        }
        try await house.ctl("stop")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
        }
        // A tone passes zero in a moment; a hole is silent for longer than any wave.
        var (run, longest) = (0, 0)
        for sample in samples.drop(while: { abs($0) < 100 }) {
            run = abs(sample) < 100 ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(samples.count > 2 * 44_100)
        #expect(longest < 441, "silent for \(Double(longest) / 44.1) ms")
    }
}
