import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// A music folder without room, read-only or away: the list waits, playing goes on, and all comes by itself afterwards.
@Suite("Room for downloads, whole", .serialized, .timeLimit(.minutes(3)))
struct DownloadRoomTests {
    private static let ids = ["123456_456239965", "123456_456239963", "123456_456239961", "123456_456239999"]

    private func mount(_ house: House, _ options: String) async throws -> Bool {
        guard geteuid() == 0 else { return false }
        try FileManager.default.createDirectory(atPath: house.music, withIntermediateDirectories: true)
        return try await Program(
            ["/bin/mount", "-t", "tmpfs", "-o", options, "none", house.music], environment: [:]
        ).outcome().status == 0
    }

    private func rows(_ house: House) async throws -> [DownloadRow] {
        try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
    }

    @Test("a full disk ends --wait with 1 and the reason; the list asks nothing, and goes on when there is room")
    func full() async throws {
        let house = try await House(settings: "parallel=1\n")
        // No rights to mount, as in a container: nothing to be seen here.
        guard try await mount(house, "size=400k") else { return }
        defer { umount2(house.music, Int32(MNT_DETACH)) }
        try await house.startDaemon()
        try await house.signIn()
        try await house.ctl("play", "123456_456239964")
        let outcome = try await house.run(["download"] + Self.ids + ["--wait"])
        #expect(outcome.status == 1 && outcome.errors.contains("there is no room left in \(house.music)"), "\(outcome)")
        #expect(try await rows(house).map(\.state) == ["failed", "waiting", "waiting", "waiting"])
        #expect(try await rows(house).allSatisfy { $0.error?.code == "disk-full" })
        let status = try await house.status()
        #expect(status.problem?.code == "disk-full" && status.state == "playing")
        #expect(status.problem?.message.contains("3 downloads wait and go on by themselves") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).isEmpty)
        let asked = try await house.mediaRequests().filter { $0.track?.hasPrefix("123456_456239964") != true }.count
        _ = try await house.sounds(beyond: status.position + 3)
        #expect(
            try await house.mediaRequests().filter { $0.track?.hasPrefix("123456_456239964") != true }.count == asked)
        #expect(try await mount(house, "remount,size=9m"))
        try await house.until("all came by themselves") { try await rows(house).allSatisfy { $0.state == "done" } }
        #expect(try await house.status().problem == nil)
        for row in try await house.ctl("--json", "music").decoded([TrackRow].self) {
            #expect(try await house.soundHash(try #require(row.path)) == house.expected(row.id).sha256)
        }
    }

    @Test("a folder that turns read-only, or whose disk goes away, holds the list until it is back")
    func closed() async throws {
        let house = try await House(settings: "parallel=1\n")
        guard try await mount(house, "size=9m") else { return }
        defer { umount2(house.music, Int32(MNT_DETACH)) }
        try await house.startDaemon()
        try await house.signIn()
        try #require(try await house.ctl("download", Self.ids[3], "--wait").status == 0)
        #expect(try await mount(house, "remount,ro"))
        try await waits(Self.ids[0], in: house)
        #expect(try await mount(house, "remount,rw"))
        try await house.until("it came by itself") { try await rows(house).allSatisfy { $0.state == "done" } }
        // What was the disk's place stays, and is empty.
        #expect(umount2(house.music, Int32(MNT_DETACH)) == 0)
        try await waits(Self.ids[1], in: house)
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).isEmpty)
        #expect(try await mount(house, "size=9m"))
        try await house.until("it came by itself") { try await rows(house).allSatisfy { $0.state == "done" } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).count == 1)
    }

    private func waits(_ id: String, in house: House) async throws {
        let outcome = try await house.run(["download", id, "--wait"])
        #expect(outcome.status == 1 && outcome.errors.contains(house.music), "\(outcome)")
        #expect(try await rows(house).last?.state == "failed")
        let problem = try await house.status().problem
        #expect(problem?.code == "file-access" && problem?.message.contains(house.music) == true, "\(problem as Any)")
    }
}
