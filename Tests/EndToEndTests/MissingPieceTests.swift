import FoundationEssentials
import NyanTestKit
import Testing

/// An incomplete installation of GStreamer (field-issues.md G1): told once, with the element and its package.
@Suite("Missing pieces", .serialized, .timeLimit(.minutes(4)))
struct MissingPieceTests {
    private static let plugins =
        ["/usr/lib/x86_64-linux-gnu/gstreamer-1.0", "/usr/lib/aarch64-linux-gnu/gstreamer-1.0"]
        .first { FileManager.default.fileExists(atPath: $0) } ?? ""

    /// A folder with all plugins but these, as links; with a registry of its own.
    private func plugins(without missing: [String], for house: House) throws -> String {
        let folder = house.home + "/plugins"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.plugins) where !missing.contains(name) {
            try? FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "\(Self.plugins)/\(name)")
        }
        house.environment["GST_PLUGIN_SYSTEM_PATH_1_0"] = folder
        house.environment["GST_REGISTRY"] = house.home + "/registry.bin"
        return folder
    }

    private func expectStop(_ house: House, naming words: [String]) async throws {
        let daemon = try #require(house.daemon)
        try await house.signIn()
        let ids = try await BadTrackTests.shortTracks(5, in: house)
        try await house.ctl("repeat", "queue")
        try #require(try await house.run(["play"] + ids).status == 0)
        try await house.until("it stops") { try await house.status().problem != nil }
        let status = try await house.status()
        #expect(status.state == "paused")
        #expect(status.queue.position == 1 && status.queue.length == 5)
        #expect(status.problem?.code == "missing-decoder")
        for word in words {
            #expect(status.problem?.message.contains(word) == true, "\(status.problem?.message ?? "")")
        }
        // Another attempt is no other trouble.
        try await house.ctl("next")
        try await house.ctl("play")
        try await house.until("it stops again") { try await house.status().state == "paused" }
        #expect(daemon.errors.split(separator: "\n").filter { $0.contains(words[0]) }.count == 1, "\(daemon.errors)")
    }

    @Test(
        "without a piece that MP3 needs the row stops at the first track, naming element and package",
        arguments: [
            (
                "mpg123audiodec:NONE,avdec_mp3:NONE,avdec_mp3float:NONE",
                ["mpg123audiodec", "gstreamer1.0-plugins-good"]
            ),
            ("mpegaudioparse:NONE", ["mpegaudioparse", "gstreamer1.0-plugins-good"]),
        ])
    func ranks(ranks: String, words: [String]) async throws {
        let house = try await House()
        house.environment["GST_PLUGIN_FEATURE_RANK"] = ranks
        try await house.startDaemon()
        try await expectStop(house, naming: words)
    }

    @Test("without any plugin nyand answers and says what to install; once it is there, play plays")
    func nothing() async throws {
        let house = try await House()
        let folder = try plugins(
            without: try FileManager.default.contentsOfDirectory(atPath: Self.plugins), for: house)
        try await house.startDaemon()
        try await expectStop(house, naming: ["libgstreamer1.0-0"])
        try FileManager.default.removeItem(atPath: folder)
        _ = try plugins(without: [], for: house)
        try #require(try await house.ctl("play").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        #expect(try await house.status().problem == nil)
    }

    @Test(
        "a plugin that is installed while nyand runs is used at the next play",
        arguments: [["libgstmpg123.so", "libgstlibav.so"], ["libgstaudioparsers.so"], ["libgstapp.so"]])
    func installedLater(missing: [String]) async throws {
        let house = try await House()
        _ = try plugins(without: missing, for: house)
        try await house.startDaemon()
        try await expectStop(house, naming: ["gstreamer1.0-plugins-"])
        _ = try plugins(without: [], for: house)
        try #require(try await house.ctl("play").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
    }
}
