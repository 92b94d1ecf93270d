import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// How the daemon starts, refuses to start, and ends (CONTRACT.md §1).
@Suite("The daemon's process", .serialized, .timeLimit(.minutes(4)))
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
        // Three seconds are promised, and what is not stuck takes a tenth of one.
        let start = ContinuousClock.now
        daemon.send(number)
        #expect(await daemon.status() == 0)
        #expect(ContinuousClock.now - start < .seconds(10))
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
        #expect(await daemon.status() == 1)
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

    @Test("a signal before anything is opened does no harm: SIGTERM ends it with 0, SIGHUP lets it start")
    func earlySignals() async throws {
        let house = try await House(server: nil)
        for number in [SIGTERM, SIGHUP] {
            // Its bus answers nothing: it stands before the first thing that takes time until it is let go on.
            house.bus.freeze()
            let program = try Program([House.programs + "/nyand"], environment: house.environment)
            try await house.until("its signals are caught") { Self.catches(number, program.processID) }
            program.send(number)
            house.bus.resume()
            if number == SIGHUP {
                try await house.until("it is there") { try await house.connection.owner(of: Names.nyand) != nil }
                program.send(SIGTERM)
            }
            #expect(await program.status() == 0, "\(number): \(program.errors)")
        }
    }

    /// Whether a process blocks a signal, as ours does before it looks at it.
    static func catches(_ number: Int32, _ process: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigBlk:") }),
            let mask = UInt64(line.dropFirst(7).drop { $0 == " " || $0 == "\t" }, radix: 16)
        else { return false }
        return mask & (1 << UInt64(number - 1)) != 0
    }

    @Test("reload: broken settings are told with file and line and change nothing; a named file must be there")
    func reload() async throws {
        let house = try await House(server: nil)
        let path = house.home + "/own.conf"
        func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        try write("[account]\nstore=file\n[audio]\nsink=fakesink sync=true\n[vk]\nsync-interval=off\n")
        let daemon = try await house.startDaemon(["--config", path])
        try await house.ctl("volume", "40")
        try write("[downloads]\nparallel=many\n")
        let broken = try await house.ctl("reload")
        #expect(broken.status == 2 && broken.errors.contains("\(path): line 2: downloads.parallel"))
        try FileManager.default.removeItem(atPath: path)
        #expect(try await house.ctl("reload").status == 2)
        daemon.send(SIGHUP)
        try await house.until("it is logged") {
            daemon.errors.split(separator: "\n").filter { $0.contains("the settings stay as they were") }.count == 3
        }
        let fresh = "[account]\nstore=file\n[audio]\nsink=fakesink\n[vk]\nsync-interval=off\n"
        try write(fresh + "[desktop]\ninhibit-sleep=on\n")
        #expect(try await house.ctl("reload").status == 0)
        try await house.until("it is logged") { daemon.errors.contains("these wait for a restart: audio.sink\n") }
        #expect(try await house.status().volume == 0.4)
    }

    @Test("SIGHUP and reload while a track plays leave the queue, the clock and the modes as they are")
    func reloadWhilePlaying() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.ctl("play", "123456_456239965", "123456_456239964")
        try await house.ctl("shuffle", "on")
        try await house.ctl("volume", "30")
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.until("the clock runs") { try await house.status().position > 0.5 }
        let before = try await house.status()
        #expect(try await house.ctl("reload").status == 0)
        daemon.send(SIGHUP)
        try await house.until("both were heard") {
            daemon.errors.split(separator: "\n").filter { $0.contains("settings read again") }.count == 2
        }
        let after = try await house.status()
        #expect(after.state == "playing" && after.track?.id == before.track?.id && after.signedIn)
        #expect(after.position >= before.position && after.queue.length == 2 && after.shuffle && after.volume == 0.3)
    }
}
