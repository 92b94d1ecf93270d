import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// ReplayGain with the real programs: what VK gives without a word of its loudness plays evenly once it is kept.
@Suite("ReplayGain, whole", .serialized, .timeLimit(.minutes(4)))
struct GainTests {
    private static let id = "123456_456239965"

    /// Plays the track for a second or so and gives the level of its first second, 1 = full scale.
    private func level(_ house: House, _ path: String) async throws -> Double {
        try await house.ctl("stop")
        #expect(try await house.ctl("play", Self.id).status == 0)
        try await house.until("a second is heard") { try await house.status().position > 1.2 }
        #expect(try await house.ctl("stop").status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(44_100 * 4)
        let sum = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).reduce(0.0) { sum, index in
            let sample = Double(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32_768
            return sum + sample * sample
        }
        return (sum / Double(bytes.count / 2)).squareRoot()
    }

    /// What the daemon said it adds to the track, in dB.
    private func toldGain(_ daemon: Program) -> Double? {
        let line = daemon.errors.split(separator: "\n").last { $0.contains("dB to be added") }
        return line.flatMap { $0.split(separator: " ").dropLast(4).last }.flatMap { Double(String($0)) }
    }

    @Test("a kept track is measured when the setting is switched on, and again plays as loud as VK had it when off")
    func measured() async throws {
        let house = try await House()
        let path = house.home + "/heard.pcm"
        let sink = "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! filesink sync=true"
        let audio = "[audio]\nsink=\(sink) location=\(path)\n"
        try house.writeSettings(audio)
        let daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("download", Self.id, "--wait").status == 0)
        let plain = try await level(house, path)
        #expect(plain > 0.01)
        #expect(toldGain(daemon) == nil)

        try house.writeSettings(audio + "replaygain=track\n")
        #expect(try await house.ctl("reload").status == 0)
        try await house.until("it is measured") { toldGain(daemon) != nil }
        let gain = try #require(toldGain(daemon))
        let evened = try await level(house, path)
        print("FIGURE kept track: \(gain) dB to add, level \(plain) before, \(evened) after")
        #expect(abs(gain) > 3)
        #expect(abs(evened / plain / pow(10, gain / 20) - 1) < 0.03)

        // What was measured is known to the next run.
        daemon.send(SIGKILL)
        _ = await daemon.status()
        let second = try await house.startDaemon()
        #expect(abs(try await level(house, path) / evened - 1) < 0.03)
        #expect(toldGain(second) == nil)
        try house.writeSettings(audio)
        #expect(try await house.ctl("reload").status == 0)
        #expect(abs(try await level(house, path) / plain - 1) < 0.03)
    }

    @Test("a download that finishes is measured by itself, and the daemon rests afterwards", .timeLimit(.minutes(2)))
    func measuresNew() async throws {
        let house = try await House(settings: "[audio]\nreplaygain=album\n")
        let daemon = try await house.startDaemon()
        try await house.signIn()
        for id in [Self.id, "123456_456239999"] {
            #expect(try await house.ctl("download", id, "--wait").status == 0)
            try await house.until("it is measured") { daemon.errors.contains("\(id): ") && toldGain(daemon) != nil }
        }
        try await house.until("both are") {
            daemon.errors.split(separator: "\n").filter { $0.contains("dB to be added") }.count == 2
        }
        try await house.until("five seconds pass with hardly a wakeup") {
            let before = house.wakeups(of: daemon)
            await IdleTests.fiveSeconds()
            return house.wakeups(of: daemon).reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) } <= 2
        }
    }
}
