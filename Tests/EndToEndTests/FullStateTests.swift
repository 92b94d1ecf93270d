import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The daemon's own files on a disk that is full, or that they may not grow on (field-issues.md C7).
@Suite("State on a full disk, whole", .serialized, .timeLimit(.minutes(2)))
struct FullStateTests {
    private let ids = (49...52).map { "123456_\(456_240_000 - $0)" }

    @Test("playing goes on, the trouble is told, and the queue is saved when there is room")
    func full() async throws {
        guard geteuid() == 0 else { return }
        let house = try await House()
        let state = house.home + "/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let mount = try await Program(
            ["/bin/mount", "-t", "tmpfs", "-o", "size=400k", "none", state], environment: [:]
        ).outcome().status
        guard mount == 0 else { return }
        defer { umount2(state, Int32(MNT_DETACH)) }
        var daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("play", "123456_456239965").status == 0)
        _ = try await house.sounds(beyond: 0.2)
        // Every byte.
        let filler = open(state + "/filler", O_CREAT | O_WRONLY, 0o600)
        let page = [UInt8](repeating: 1, count: 4096)
        while write(filler, page, page.count) > 0 {}
        close(filler)
        var refused = 0
        for id in ids where try await house.ctl("queue", "add", id).status != 0 { refused += 1 }
        try await house.until("it is told") { try await house.status().problem?.code == "disk-full" }
        let told = try await house.status()
        #expect(told.state == "playing" && refused > 0)
        #expect(told.problem?.message.contains(state + "/nyand") == true, "\(told.problem?.message ?? "")")
        let position = told.position
        #expect(unlink(state + "/filler") == 0)
        try await house.until("it is over") { try await house.status().problem == nil }
        let after = try await house.status()
        #expect(after.state == "playing" && after.position > position)
        let length = after.queue.length
        daemon.send(SIGKILL)
        _ = await daemon.status()
        daemon = try await house.startDaemon()
        #expect(try await house.status().queue.length == length && length == 1 + ids.count)
        withExtendedLifetime(daemon) {}
    }

    @Test("a size limit for files is a reason, and does not end nyand")
    func limited() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let limit = try await Program(
            ["/usr/bin/prlimit", "--pid", "\(daemon.processID)", "--fsize=600000"], environment: house.environment
        ).outcome().status
        guard limit == 0 else { return }
        let id = "123456_456239965"
        _ = try await house.ctl("download", id)
        try await house.until("it is told") {
            let rows = try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
            return rows.first?.error?.code == "disk-full"
        }
        let row = try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first
        #expect(row?.error?.message.contains("ulimit") == true, "\(row?.error?.message ?? "")")
        #expect((try? FileManager.default.contentsOfDirectory(atPath: house.music)) ?? [] == [])
        #expect(try await house.ctl("status").status == 0)
    }
}
