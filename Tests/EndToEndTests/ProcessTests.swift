import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// How the daemon starts, refuses to start, and ends (CONTRACT.md §1).
@Suite("The daemon's process", .serialized)
struct ProcessTests {
    @Test("without a session bus it ends with 3 and names the variable")
    func noBus() async throws {
        let house = try await House(server: nil)
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/bus"
        let outcome = try await Program([House.programs + "/nyand"], environment: house.environment).outcome()
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("DBUS_SESSION_BUS_ADDRESS"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("a second one ends with 4 and names the first one's process, which goes on")
    func second() async throws {
        let house = try await House(server: nil)
        let first = try await house.startDaemon()
        let second = try await Program([House.programs + "/nyand"], environment: house.environment).outcome()
        #expect(second.status == 4)
        #expect(second.errors.contains("\(first.processID)"))
        #expect(second.errors.split(separator: "\n").count == 1)
        #expect(try await house.status().state == "stopped")
    }

    @Test(
        "bad settings end it with 2, naming file, line and key",
        arguments: [
            ("[downloads]\nparallel=many", "parallel"), ("[downloads]\nparalel=3", "paralel"),
            ("[vk]\nsync-interval=soon", "sync-interval"), ("[audio\nsink=x", "line"), ("sink=x", "line"),
        ])
    func badSettings(text: String, word: String) async throws {
        let house = try await House(server: nil)
        let path = house.home + "/bad.conf"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try await Program(
            [House.programs + "/nyand", "--config", path], environment: house.environment
        ).outcome()
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(path))
        #expect(outcome.errors.contains(word))
    }

    @Test("unknown options end it with 2; help and version print and end with 0")
    func options() async throws {
        let house = try await House(server: nil)
        func run(_ option: String) async throws -> Program.Outcome {
            try await Program([House.programs + "/nyand", option], environment: house.environment).outcome()
        }
        #expect(try await run("--frobnicate").status == 2)
        #expect(try await run("--version").output.contains(Names.version))
        #expect(try await run("--help").output.contains("usage: nyand"))
        let defaults = try await run("--print-default-config")
        #expect(defaults.output.contains("parallel"))
    }

    @Test("SIGTERM and SIGINT end it with 0 in time, playing or not", arguments: [SIGTERM, SIGINT], [false, true])
    func signals(number: Int32, playing: Bool) async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        if playing {
            try await house.signIn()
            try await house.ctl("play", "123456_456239999")
            try await house.until("it plays") { try await house.status().state == "playing" }
        }
        let start = ContinuousClock.now
        daemon.send(number)
        #expect(await daemon.status() == 0)
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test("MPRIS Quit ends it with 0")
    func quit() async throws {
        let house = try await House(server: nil)
        let daemon = try await house.startDaemon()
        _ = try await house.connection.call(
            destination: Names.mpris, path: Names.mprisPath, interface: RootInterface.name, member: "Quit")
        #expect(await daemon.status() == 0)
    }

    @Test("the bus going away ends it in order, without an abort")
    func busGone() async throws {
        let house = try await House(server: nil)
        let daemon = try await house.startDaemon()
        house.bus.kill()
        #expect(await daemon.status() == 3)
    }

    @Test("a client without a daemon ends with 3, wrong usage with 2, a silent daemon with 7")
    func clientEnds() async throws {
        let house = try await House(server: nil)
        #expect(try await house.ctl("status").status == 3)
        let daemon = try await house.startDaemon()
        #expect(try await house.ctl("frobnicate").status == 2)
        #expect(try await house.ctl("play", "1").status == 5)
        daemon.send(SIGSTOP)
        #expect(try await house.ctl("--timeout", "0.3", "status").status == 7)
        daemon.send(SIGCONT)
        #expect(try await house.ctl("status").status == 0)
    }
}
