import Dispatch
import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// What follows and what is drawn live, with the real daemon.
@Suite("Live", .serialized, .timeLimit(.minutes(2)))
struct LiveTests {
    private func house() async throws -> House {
        let house = try await House()
        house.environment["TERM"] = "xterm"
        try await house.startDaemon()
        try await house.signIn()
        return house
    }

    private func terminal(_ house: House, _ words: String...) throws -> TerminalProgram {
        try TerminalProgram([House.programs + "/nyanctl"] + words, environment: house.environment)
    }

    @Test("The live player plays, moves, skips, likes, downloads and pauses; paused it does not wake up")
    func player() async throws {
        let house = try await house()
        try #require(try await house.ctl("play", "123456_456239965", "123456_456239964").status == 0)
        let program = try terminal(house, "player")
        try await program.until(contains: "▶ ")
        // A second may pass unseen on a busy machine.
        try await program.until("the clock runs") { $0.contains(/0:0[2-9] ━/) }
        program.type("n")
        try await house.until("the next one plays") {
            let status = try await house.status()
            return status.track?.id == "123456_456239964" && status.state == "playing"
        }
        program.type("l")
        try await program.until(contains: "already in the profile")
        program.type("d")
        try await program.until(contains: "  download finished")
        program.type(" ")
        try await program.until(contains: "‖ ")
        try await house.until("it sleeps", within: 30) {
            let before = house.wakeups(of: program.processID)
            await Self.seconds(2)
            let after = house.wakeups(of: program.processID)
            return after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) } == 0
        }
        program.type("q")
        #expect(await program.status() == 0)
        #expect(program.isRestored)
    }

    @Test("Two hundred followers that their readers left leave no process, and no descriptor in the daemon")
    func rounds() async throws {
        let house = try await house()
        let daemon = try #require(house.daemon)
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.processID)/fd").count
        }
        let script = "i=0; while [ $i -lt $1 ]; do \"$0\" status --follow | head -n1 >/dev/null; i=$((i+1)); done"
        func run(_ count: Int) async throws {
            let words = ["/bin/sh", "-c", script, House.programs + "/nyanctl", "\(count)"]
            #expect(try await Program(words, environment: house.environment).outcome().status == 0)
        }
        try await run(5)
        let before = try descriptors()
        // The shell waits for both ends of each pipe: a follower that stayed would hold it up for ever.
        try await run(200)
        #expect(try descriptors() <= before)
    }

    @Test("The daemon's own changes reach a bar line by line, and the bars of downloads their end")
    func follows() async throws {
        let house = try await house()
        let bars = try terminal(house, "downloads", "--follow")
        let words = [House.programs + "/nyanctl", "status", "--follow", "--format", "{state} {title|or:nothing}"]
        let follower = try Program(words, environment: house.environment)
        #expect(await follower.line() == "stopped nothing")
        try #require(try await house.ctl("play", "123456_456239965").status == 0)
        while let line = await follower.line(), !line.hasPrefix("playing ") {
            #expect(line.hasPrefix("buffering ") || line.hasPrefix("stopped "))
        }
        try #require(try await house.ctl("download", "123456_456239965", "123456_456239999").status == 0)
        try await bars.until("both are done") { $0.contains("done  Long") && $0.contains("done  Direct") }
        try await bars.until(contains: "2 done")
        bars.type("\u{3}")
        #expect(await bars.status() == 128 + SIGINT)
        #expect(bars.isRestored)
    }

    private static func seconds(_ count: Double) async {
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + count) { done.resume() }
        }
    }
}
