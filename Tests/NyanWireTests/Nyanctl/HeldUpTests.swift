import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// A daemon that is back and cannot answer yet: followers ask again, and hear what it tells meanwhile.
@Suite("Followers of a daemon that is held up", .serialized, .enabled(if: Desk.hasProgram), .timeLimit(.minutes(2)))
struct HeldUpTests {
    private func report(_ title: String) -> StatusReport {
        let track = Track(id: TrackID(owner: 1, audio: 2), artist: "Кот", title: title)
        return StatusReport(state: .playing, track: ListedTrack(track: track))
    }

    private func row(_ state: Download.State) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: 2), artist: "Кот", title: "T", state: state, received: 0, total: 8_000_000)
    }

    private func gone(_ daemon: inout ScriptedDaemon?) {
        daemon?.connection.close()
        daemon = nil
    }

    @Test("status --follow asks again until it is answered; what is told meanwhile counts, and so does the next end")
    func status() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try desk.daemon()
        let program = try desk.start("status", "--follow", "--format", "{state} {title|or:-}")
        #expect(await program.line() == "stopped -")
        gone(&daemon)
        #expect(await program.line() == "absent -")
        for odd in [false, true] {
            daemon = try desk.daemon()
            if odd { daemon?.answers("Player.GetStatus", .string("another shape")) }
            if !odd { daemon?.refuses("Player.GetStatus", .timeout, "busy") }
            while daemon?.calls.contains("Player.GetStatus") != true { await settle() }
            daemon?.answers("Player.GetStatus", report("One").busValue)
            #expect(await program.line() == "playing One")
            gone(&daemon)
            #expect(await program.line() == "absent -")
        }
        daemon = try desk.daemon()
        daemon?.refuses("Player.GetStatus", .timeout, "busy")
        while daemon?.calls.contains("Player.GetStatus") != true { await settle() }
        await settle()
        try daemon?.emit(report("Two"))
        #expect(await program.line() == "playing Two")
        gone(&daemon)
        #expect(await program.line() == "absent -")
    }

    @Test("downloads --follow and the live player come back, too")
    func screens() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try desk.daemon()
        daemon?.answers("Downloads.List", DownloadCoding.list([row(.waiting)]))
        daemon?.answers("Player.GetStatus", report("One").busValue)
        let downloads = try desk.terminal("downloads", "--follow")
        let player = try desk.terminal("player")
        // One that waits without a reason is only counted.
        try await downloads.until(contains: "1 waiting")
        try await player.until(contains: "▶ Кот – One")
        gone(&daemon)
        try await downloads.until(contains: "nyand is not running; waiting")
        try await player.until(contains: "nyand is not running; waiting")
        let marks = (downloads.mark, player.mark)
        daemon = try desk.daemon()
        for call in ["Downloads.List", "Player.GetStatus"] { daemon?.refuses(call, .timeout, "busy") }
        for call in ["Downloads.List", "Player.GetStatus"] {
            while daemon?.calls.contains(call) != true { await settle() }
        }
        daemon?.answers("Downloads.List", DownloadCoding.list([row(.failed)]))
        daemon?.answers("Player.GetStatus", report("Two").busValue)
        try await downloads.until(contains: "1 failed", since: marks.0)
        try await player.until(contains: "▶ Кот – Two", since: marks.1)
        player.type("q")
        #expect(await player.status() == 0)
    }

    @Test("The first question's failure is told at once: there is nothing to follow yet")
    func first() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.refuses("Player.GetStatus", .internal, "broken")
        let outcome = try await desk.ctl("status", "--follow")
        #expect(outcome.status == Failure.Code.internal.exitStatus && outcome.errors.contains("broken"))
    }
}
