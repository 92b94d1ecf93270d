import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The library's file is rubbish at the next start (field-issues.md D4).
@Suite("A lost library, whole", .serialized, .timeLimit(.minutes(2)))
struct LostLibraryTests {
    @Test("nothing is fetched twice: My Music is known, the unfinished download goes on, the account is known again")
    func rebuilt() async throws {
        let (kept, growing) = ("123456_456239998", "123456_456239965")
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("download", kept, "--wait").status == 0)
        try await house.fault(#""track":"\#(growing)","fault":"stall","at":300000,"times":1"#)
        #expect(try await house.ctl("download", growing).status == 0)
        try await house.until("300,000 bytes came") {
            try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
                .contains { $0.id == growing && $0.received >= 290_000 }
        }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        let library = house.home + "/data/nyand/library.db"
        for name in ["", "-wal", "-shm"] { unlink(library + name) }
        try "rubbish, and long enough not to be taken for nothing".write(
            toFile: library, atomically: false, encoding: .utf8)
        let before = try await house.mediaRequests(of: kept).count
        let again = try await house.startDaemon()
        #expect(again.errors.contains("library.db.broken-"))
        try await house.until("My Music is known") {
            try await house.ctl("--json", "music").decoded([TrackRow].self).contains { $0.id == kept }
        }
        let sync = try await house.ctl("sync")
        #expect(sync.status == 0, "\(sync.errors)")
        let profile = try await house.ctl("--json", "profile").decoded([TrackRow].self)
        #expect(profile.contains { $0.id == kept && $0.downloaded == true })
        #expect(try await house.ctl("download", kept).status == 0)
        try await house.until("the unfinished download is finished") {
            try await house.ctl("--json", "music").decoded([TrackRow].self).contains { $0.id == growing }
        }
        #expect(try await house.mediaRequests(of: kept).count == before)
        let firsts = try await house.firstBytes(of: growing)
        #expect(firsts.count == 2 && (firsts.last ?? 0) > 200_000, "\(firsts)")
        struct Who: Decodable { let id: Int, tracks: Int }
        try await house.until("it is known again who is signed in") {
            try await house.ctl("--json", "whoami").decoded(Who.self).id == 123456
        }
    }

    @Test(
        "a kill and a dead network meanwhile take nothing away: the unfinished download goes on when VK answers again")
    func resumed() async throws {
        let growing = "123456_456239965"
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.fault(#""track":"\#(growing)","fault":"stall","at":300000,"times":1"#)
        #expect(try await house.ctl("download", growing).status == 0)
        try await house.until("300,000 bytes came") {
            try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
                .contains { $0.id == growing && $0.received >= 290_000 }
        }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        await house.stopServer()
        let library = house.home + "/data/nyand/library.db"
        for name in ["", "-wal", "-shm"] { unlink(library + name) }
        try "rubbish, and long enough not to be taken for nothing".write(
            toFile: library, atomically: false, encoding: .utf8)
        for _ in 1...2 {
            let again = try await house.startDaemon()
            try await house.until("it has started") { try await house.ctl("status").status == 0 }
            again.send(SIGKILL)
            _ = await again.status()
        }
        try await house.restartServer()
        try await house.startDaemon()
        let sync = try await house.ctl("sync")
        #expect(sync.status == 0, "\(sync.errors)")
        try await house.until("the unfinished download is finished") {
            try await house.ctl("--json", "music").decoded([TrackRow].self).contains { $0.id == growing }
        }
        let firsts = try await house.firstBytes(of: growing)
        #expect(firsts.count == 1 && (firsts.last ?? 0) > 200_000, "\(firsts)")
    }
}
