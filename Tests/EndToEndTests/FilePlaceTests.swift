import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Where finished files go, with the real programs: names that are taken, and no room (vk-api.md §7.5 scenario 16).
@Suite("Places of files, whole", .serialized, .timeLimit(.minutes(3)))
struct FilePlaceTests {
    @Test("one song twice and names that differ in case only are files of their own; a foreign file stays")
    func collisions() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        // Positions 25 and 26 are one song twice, 46 and 47 differ in case.
        let ids = [25, 26, 46, 47].map { "123456_\(456_240_000 - $0)" }
        let first = try await house.ctl("download", ids[0], "--wait")
        #expect(first.status == 0, "\(first.errors)")
        let taken = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first?.path)
        #expect(try await house.ctl("delete", ids[0]).status == 0)
        #expect(FileManager.default.createFile(atPath: taken, contents: Data("mine".utf8)))
        let all = try await Program(
            [House.programs + "/nyanctl", "download"] + ids + ["--wait"], environment: house.environment
        ).outcome()
        #expect(all.status == 0, "\(all.errors)")
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(Set(rows.compactMap { $0.path?.lowercased() }).count == 4)
        #expect(FileManager.default.contents(atPath: taken) == Data("mine".utf8))
        for row in rows {
            let path = try #require(row.path)
            #expect(path != taken)
            #expect(try await house.soundHash(path) == house.expected(row.id).sha256)
        }
    }

    @Test("a full disk is told, leaves no file, and retry brings it once there is room")
    func full() async throws {
        guard geteuid() == 0 else { return }
        let house = try await House()
        try FileManager.default.createDirectory(atPath: house.music, withIntermediateDirectories: true)
        func mount(_ options: String) async throws -> Int32 {
            try await Program(["/bin/mount", "-t", "tmpfs", "-o", options, "none", house.music], environment: [:])
                .outcome().status
        }
        // No rights to mount, as in a container: nothing to be seen here.
        guard try await mount("size=400k") == 0 else { return }
        defer { umount2(house.music, Int32(MNT_DETACH)) }
        try await house.startDaemon()
        try await house.signIn()
        let id = "123456_456239965"
        let failed = try await house.ctl("download", id, "--wait")
        #expect(failed.status == 1)
        let rows = try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
        #expect(rows.map(\.state) == ["failed"] && rows.first?.error?.code == "disk-full")
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).isEmpty)
        #expect(try await mount("remount,size=4m") == 0)
        #expect(try await house.ctl("retry", "--all").status == 0)
        try await house.until("it is there") {
            try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first?.state == "done"
        }
        let path = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first?.path)
        #expect(try await house.soundHash(path) == house.expected(id).sha256)
    }
}
