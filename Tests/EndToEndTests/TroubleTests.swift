import Glibc
import NyanTestKit
import Testing

/// What the world does to a player, and what a person is told (issue "Bad input gets").
@Suite("Trouble", .serialized, .timeLimit(.minutes(4)))
struct TroubleTests {
    @Test(
        "VK answering nonsense is told in words, and the daemon answers all the while",
        arguments: ["html", "truncated", "empty", "garbage"])
    func nonsense(body: String) async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"inject","times":50,"body":"\#(body)"}"#)
        let sync = try Program([House.programs + "/nyanctl", "sync"], environment: house.environment)
        for _ in 0..<5 { #expect(try await house.ctl("--timeout", "5", "status").status == 0) }
        let outcome = await sync.outcome()
        #expect(outcome.status == 6)
        #expect(!outcome.errors.isEmpty)
        #expect(try await house.ctl("--json", "profile").decoded([TrackRow].self).count == 450)
        #expect(!daemon.errors.contains(house.token))
    }

    @Test(
        "a token that VK refuses, or whose client has no music, is told as that",
        arguments: [
            (#"{"cmd":"token","state":"revoked"}"#, "not-signed-in"),
            (#"{"cmd":"inject","times":9,"code":3}"#, "client-refused"),
            (#"{"cmd":"inject","times":9,"body":"placeholder"}"#, "client-refused"),
        ])
    func refusedLater(command: String, code: String) async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        try await house.control(command)
        let sync = try await house.ctl("--json", "sync")
        #expect(sync.status == 4)
        #expect(sync.errors.contains(code))
        #expect(try await house.status().problem?.code == code)
        #expect(try await house.ctl("--json", "profile").decoded([TrackRow].self).count == 450)
    }

    @Test("bad tracks are skipped with a reason; the next good one plays")
    func skips() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        try await house.ctl("repeat", "queue")
        // 16 and 17 are unavailable, 1 is good, and short.
        #expect(try await house.ctl("play", "123456_456239984", "123456_456239983", "123456_456239999").status == 0)
        try await house.until("the good one plays") {
            let status = try await house.status()
            return status.state == "playing" && status.track?.id == "123456_456239999"
        }
    }

    @Test("a queue of only bad tracks stops after one round, also when it repeats")
    func onlyBad() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        try await house.ctl("repeat", "queue")
        try await house.control(#"{"cmd":"media-fault","fault":"status","value":404}"#)
        #expect(try await house.ctl("play", "123456_456239999", "123456_456239965", "123456_456239998").status == 0)
        try await house.until("it stops") { try await house.status().state == "stopped" }
        let status = try await house.status()
        #expect(status.problem?.code == "unavailable-track")
        #expect(status.queue.length == 3)
    }

    @Test("a server that falls silent: buffering, then the sound goes on")
    func stalls() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let id = "123456_456239965"
        try await house.control(
            #"{"cmd":"media-fault","fault":"stall","track":"\#(id)","at":120000,"seconds":4,"times":1}"#)
        #expect(try await house.ctl("play", id).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.until("it buffers") { try await house.status().state == "buffering" }
        let held = try await house.status().position
        #expect(try await house.ctl("--timeout", "5", "status").status == 0)
        try await house.until("it goes on") {
            let status = try await house.status()
            return status.state == "playing" && status.position > held
        }
    }

    @Test("kill -9 loses neither queue, nor position, nor volume; nothing plays by itself")
    func killed() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.ctl("volume", "35")
        #expect(try await house.ctl("play", "123456_456239965", "123456_456239998").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        #expect(try await house.ctl("seek", "20").status == 0)
        try await house.until("it is there") { try await house.status().position > 20 }
        #expect(try await house.ctl("pause").status == 0)
        #expect(try await house.ctl("queue", "add", "123456_456239999").status == 0)
        let before = try await house.status()
        daemon.send(SIGKILL)
        _ = await daemon.status()
        try await house.startDaemon()
        let status = try await house.status()
        #expect(status.state == "paused")
        #expect(status.queue.length == 3)
        #expect(status.track?.id == "123456_456239965")
        #expect(before.position > 20 && abs(status.position - before.position) < 0.5)
        #expect(status.volume == 0.35)
        #expect(try await house.ctl("play").status == 0)
        try await house.until("it goes on there") {
            let status = try await house.status()
            return status.state == "playing" && (before.position..<before.position + 10).contains(status.position)
        }
    }

    @Test("without network what is downloaded plays from a cold start")
    func offline() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let id = "123456_456239999"
        try await house.ctl("download", id, "--wait")
        daemon.send(SIGTERM)
        _ = await daemon.status()
        await house.stopServer()
        try await house.startDaemon()
        #expect(try await house.ctl("--json", "music").decoded([TrackRow].self).count == 1)
        #expect(try await house.ctl("play", id).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        let search = try await house.ctl("search", "x")
        #expect(search.status == 6)
    }

    @Test("no token, no signed address, neither in the log nor in argv")
    func secrets() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"media-fault","fault":"status","value":403,"times":2}"#)
        try await house.ctl("play", "123456_456239999")
        try await house.ctl("download", "123456_456239998", "--wait")
        let log = daemon.errors
        #expect(!log.contains(house.token))
        for word in ["/s/v1/", "siren", "access_token", "/cdn/"] { #expect(!log.contains(word), "\(word)") }
    }
}
