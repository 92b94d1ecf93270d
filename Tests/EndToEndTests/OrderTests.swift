import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// In which order things play, what was heard, and what plays that is not VK's: with the real programs.
@Suite("Order, history and addresses", .serialized, .timeLimit(.minutes(4)))
struct OrderTests {
    /// A house without VK, and silent files of a few seconds in its music folder.
    private func house(_ files: [String], seconds: Int = 40) async throws -> House {
        let house = try await House(server: nil)
        try FileManager.default.createDirectory(atPath: house.music, withIntermediateDirectories: true)
        for file in files { try Data(Self.wave(seconds)).write(to: URL(filePath: house.music + "/" + file)) }
        try await house.startDaemon()
        return house
    }

    /// A WAV file of silence: 8,000 samples a second of 8 bits.
    private static func wave(_ seconds: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let count = seconds * 8_000
        return Array("RIFF".utf8) + little(36 + count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(1, 2) + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2) + Array("data".utf8)
            + little(count, 4) + [UInt8](repeating: 128, count: count)
    }

    private func title(_ house: House) async throws -> String? { try await house.status().track?.title }

    /// Kills the daemon without a word, and starts another.
    private func killAndRestart(_ house: House) async throws {
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try await house.until("the name is free") { try await house.connection.owner(of: Names.nyand) == nil }
        try await house.startDaemon()
    }

    @Test("shuffled, all play once before any plays again; prev goes back over the round's edge, also after kill -9")
    func shuffle() async throws {
        let names = (1...5).map { "song \($0)" }
        let house = try await house(names.map { $0 + ".wav" })
        let files = names.map { house.music + "/\($0).wav" }
        for words in [["shuffle", "on"], ["repeat", "queue"], ["play"] + files, ["pause"]] {
            let outcome = try await house.ctl(words)
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        }
        var heard = [try await title(house)]
        for _ in 1...12 {
            #expect(try await house.ctl("next").status == 0)
            heard.append(try await title(house))
        }
        #expect(Set(heard[0..<5]) == Set(names) && Set(heard[5..<10]) == Set(names))
        try await killAndRestart(house)
        #expect(try await title(house) == heard.last)
        for before in heard.dropLast().reversed() {
            #expect(try await house.ctl("prev").status == 0)
            #expect(try await title(house) == before)
        }
        try await killAndRestart(house)
        for after in heard.dropFirst() {
            #expect(try await house.ctl("next").status == 0)
            #expect(try await title(house) == after)
        }
    }

    @Test("the same track twice is two entries, and no edit of the queue changes what plays")
    func twice() async throws {
        let house = try await house(["a.wav", "b.wav"])
        let (a, b) = (house.music + "/a.wav", house.music + "/b.wav")
        #expect(try await house.ctl("play", a, a, b).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        let first = try await house.property("Metadata").dictionary?["mpris:trackid"]
        try await house.until("the clock runs") { try await house.status().position > 0.3 }
        for words in [
            ["queue", "add", "--next", b], ["queue", "move", "1", "4"], ["queue", "remove", "1"], ["shuffle", "on"],
            ["shuffle", "off"], ["queue", "add", a], ["repeat", "track"], ["repeat", "off"],
        ] {
            let before = try await house.status().position
            #expect(try await house.ctl(words).status == 0)
            let status = try await house.status()
            #expect(status.state == "playing" && status.position >= before, "\(words)")
            #expect(try await house.property("Metadata").dictionary?["mpris:trackid"] == first, "\(words)")
        }
        #expect(try await house.ctl("next").status == 0)
        #expect(try await house.property("Metadata").dictionary?["mpris:trackid"] != first)
        #expect(try await title(house) == "a", "the other entry of the same track")
    }

    @Test("the sleep timer pauses at the track's end, and in so many seconds, and says so meanwhile")
    func sleepTimer() async throws {
        let house = try await house(["a.wav", "b.wav"], seconds: 3)
        #expect(try await house.ctl("play", house.music + "/a.wav", house.music + "/b.wav").status == 0)
        #expect(try await house.ctl("sleep", "track").status == 0)
        #expect(try await house.ctl("--json", "sleep").output == "{\"atEndOf\":\"track\"}\n")
        try await house.until("it pauses") { try await house.status().state == "paused" }
        #expect(try await title(house) == "b")
        #expect(try await house.status().position == 0)
        #expect(try await house.ctl("sleep").output == "off\n")
        #expect(try await house.ctl("play").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        let set = try await house.ctl("sleep", "1s")
        #expect(set.status == 0 && set.errors.contains("0:01"))
        #expect(try await house.ctl("status").output.contains("sleep 0:01"))
        try await house.until("it pauses") { try await house.status().state == "paused" }
        let status = try await house.status()
        #expect(status.position > 0.8 && status.volume == 1)
        #expect(try await house.ctl("stop").status == 0)
        #expect(try await house.ctl("sleep", "5").status == 5, "nothing plays")
        #expect(try await house.ctl("sleep", "soon").status == 2)
    }

    @Test("what was heard is listed, newest first, survives kill -9, and its rows play; what was skipped is not")
    func history() async throws {
        let house = try await house(["b.wav", "Кот.wav"], seconds: 2)
        // So long that no slow machine hears half of it before `next`.
        try Data(Self.wave(60)).write(to: URL(filePath: house.music + "/a.wav"))
        let files = ["a", "b", "Кот"].map { house.music + "/\($0).wav" }
        #expect(try await house.ctl("history").output.isEmpty)
        #expect(try await house.ctl(["play"] + files).status == 0)
        #expect(try await house.ctl("next").status == 0)
        struct Row: Decodable { let title: String, playedAt: String, heard: Double }
        try await house.until("two were heard") {
            try await house.ctl("--json", "history").decoded([Row].self).map(\.title) == ["Кот", "b"]
        }
        try await killAndRestart(house)
        let rows = try await house.ctl("--json", "history").decoded([Row].self)
        #expect(rows.map(\.title) == ["Кот", "b"])
        #expect(rows.allSatisfy { (1...2.2).contains($0.heard) && $0.playedAt.hasSuffix("Z") })
        #expect(try await house.ctl("--json", "history", "--count", "1").decoded([Row].self).count == 1)
        #expect(try await house.ctl("history").output.contains("Кот"))
        #expect(try await house.ctl("play", "2").status == 0)
        #expect(try await title(house) == "b")
    }

    @Test("OpenUri plays a file behind the current entry; a bad address leaves everything as it is")
    func openURI() async throws {
        let house = try await house(["a.wav", "Кот и пёс.wav"])
        #expect(try await house.ctl("play", house.music + "/a.wav").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        for (uri, name) in [
            ("xyz://h/topsecret", "NotSupported"), ("file:///nowhere", "Failed"), ("topsecret", "InvalidArgs"),
        ] {
            let error = await #expect(throws: BusError.self) { try await open(uri, house) }
            #expect(error?.name.hasSuffix(name) == true, "\(uri): \(error?.name ?? "")")
        }
        #expect(try await house.status().state == "playing")
        #expect(try await house.status().queue.length == 1)
        try await open("file://\(house.music)/%D0%9A%D0%BE%D1%82%20%D0%B8%20%D0%BF%D1%91%D1%81.wav", house)
        #expect(try await title(house) == "Кот и пёс")
        try await house.until("it plays") { try await house.status().state == "playing" }
        #expect(try await house.status().queue.length == 2)
        try await killAndRestart(house)
        #expect(try await title(house) == "Кот и пёс")
        #expect(try await house.ctl("play").status == 0)
        try await house.until("it plays again") { try await house.status().state == "playing" }
        #expect(try await house.ctl("download", "\(try await house.status().track?.id ?? "")").status == 1)
        #expect(house.daemon?.errors.contains("topsecret") == false)
    }

    private func open(_ uri: String, _ house: House) async throws(BusError) {
        _ = try await house.connection.call(
            destination: Names.mpris, path: Names.mprisPath, interface: PlayerInterface.name, member: "OpenUri",
            args: [.string(uri)])
    }
}

extension House {
    /// Runs nyanctl to its end.
    @discardableResult
    func ctl(_ words: [String]) async throws -> Program.Outcome {
        try await Program([Self.programs + "/nyanctl"] + words, environment: environment).outcome()
    }
}
