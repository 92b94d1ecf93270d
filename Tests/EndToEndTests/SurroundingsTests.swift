import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What the session, the folders, the journal and the clock around nyand may be like (field-issues.md A1, A3, A15–A17).
@Suite("The daemon's surroundings", .serialized, .timeLimit(.minutes(4)))
struct SurroundingsTests {
    /// Runtime directories in which no bus may be looked for.
    enum Runtime: CaseIterable, Sendable { case unset, missing, foreign, open, tooLong, relative, file }

    @Test(
        "no bus address, and a runtime directory that is of no use: 3 with one line, by both programs",
        .enabled(if: !OwnSession.isThere, "the session of whoever runs this would be found"),
        arguments: Runtime.allCases)
    func runtimeDirectory(_ runtime: Runtime) async throws {
        let house = try await House(server: nil)
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        house.environment["XDG_RUNTIME_DIR"] = try folder(runtime, house)
        let outcome = try await Program([House.programs + "/nyand"], environment: house.environment).outcome()
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.errors.contains("DBUS_SESSION_BUS_ADDRESS") && outcome.errors.contains("dbus-run-session"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(try await house.ctl("status").status == 3)
        // With an address it is nobody's business what the directory is like.
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = house.bus.address
        try await house.startDaemon()
        #expect(try await house.status().state == "stopped")
    }

    /// Makes it, with a socket's name of the real bus in it where a folder can hold one.
    private func folder(_ runtime: Runtime, _ house: House) throws -> String? {
        let path = house.home + "/run"
        let socket = house.bus.address.split(separator: ",")[0].dropFirst("unix:path=".count)
        func make(_ path: String, _ mode: UInt32) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            symlink(String(socket), path + "/bus")
            chmod(path, mode)
        }
        switch runtime {
        case .unset: return nil
        case .missing: return house.home + "/nothing"
        case .foreign:
            try make(path, 0o700)
            // Only root can give a folder away; for others root's own is foreign.
            return getuid() == 0 && chown(path, 12345, 12345) == 0 ? path : "/run"
        case .open:
            try make(path, 0o777)
            return path
        case .tooLong:
            let long = path + String(repeating: "/nyandnyand", count: 12)
            try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
            try "".write(toFile: long + "/bus", atomically: false, encoding: .utf8)
            return long
        case .relative: return "run"
        case .file:
            try "".write(toFile: path, atomically: false, encoding: .utf8)
            return path
        }
    }

    @Test("a runtime directory of one's own has the bus, without any address")
    func ownRuntime() async throws {
        let house = try await House(server: nil)
        try house.hideBusAddress()
        try await house.startDaemon()
        #expect(try await house.ctl("status").status == 0)
    }

    @Test("a home that cannot be written, or folders that are files: 1 with one line that names the path")
    func home() async throws {
        let house = try await House(server: nil)
        let variables = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
        func run(_ environment: [String: String], naming path: String) async throws {
            let outcome = try await Program([House.programs + "/nyand"], environment: environment).outcome()
            #expect(outcome.status == 1 && outcome.errors.contains(path), "\(outcome.status) \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        var bare = house.environment
        for name in variables { bare[name] = nil }
        // Not even root makes a folder there.
        bare["HOME"] = "/sys/nyan-home"
        try await run(bare, naming: #""nyan-home" in /sys"#)
        try "".write(toFile: house.home + "/file", atomically: false, encoding: .utf8)
        for name in variables.dropFirst() {
            var environment = house.environment
            environment[name] = house.home + "/file"
            try await run(environment, naming: house.home)
        }
    }

    @Test("relative XDG paths are ignored, and a home that is empty is filled")
    func relative() async throws {
        let house = try await House(server: nil)
        for name in ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] { house.environment[name] = "here" }
        try await house.startDaemon()
        for path in [".local/share/nyand/library.db", ".local/state/nyand/playback.db", ".cache/nyand"] {
            #expect(FileManager.default.fileExists(atPath: "\(house.home)/\(path)"), "\(path)")
        }
        #expect(!FileManager.default.fileExists(atPath: "here"))
    }

    @Test("priorities are written for the journal, and only where standard error is the journal")
    func journal() async throws {
        let house = try await House(server: nil)
        let script = """
            JOURNAL_STREAM=${1:-$(stat -L -c %d:%i /proc/self/fd/2)} exec "$0" --log-level info
            """
        func run(_ words: [String]) throws -> Program {
            try Program(["/bin/sh", "-c", script, House.programs + "/nyand"] + words, environment: house.environment)
        }
        for (name, prefix) in [(nil, "<6>nyand "), ("1:1", "nyand: ")] as [(String?, String)] {
            let program = try run(name.map { [$0] } ?? [])
            try await house.until("it is there") { program.errors.contains("is ready") }
            #expect(program.errors.split(separator: "\n").allSatisfy { $0.hasPrefix(prefix) }, "\(program.errors)")
            let second = try await run(name.map { [$0] } ?? []).outcome()
            let hasPrefix = second.errors.hasPrefix("<3>nyand is already running")
            #expect(second.status == 4 && hasPrefix == (name == nil), "\(second.errors)")
            program.send(SIGTERM)
            #expect(await program.status() == 0)
        }
    }

    @Test("the manager hears of readiness, reloads and the end, though VK, network and sound answer nothing")
    func notices() async throws {
        let house = try await House(settings: "[audio]\nsink=auto\n")
        house.server?.send(SIGSTOP)
        house.environment["PULSE_SERVER"] = "unix:/nonexistent"
        let manager = try NoticeSocket(house.home + "/notify")
        house.environment["NOTIFY_SOCKET"] = manager.path
        let began = ContinuousClock.now
        let daemon = try Program([House.programs + "/nyand"], environment: house.environment)
        try await house.until("READY=1") { manager.heard().contains { $0.hasPrefix("READY=1\nSTATUS=") } }
        #expect(ContinuousClock.now - began < .seconds(10))
        // Ready means that the names are there.
        #expect(try await house.connection.owner(of: Names.mpris) != nil)
        daemon.send(SIGHUP)
        try await house.until("it has read them") { manager.heard().last == "READY=1" }
        #expect(manager.heard().contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
        daemon.send(SIGTERM)
        #expect(await daemon.status() == 0)
        #expect(manager.heard().last?.hasPrefix("STOPPING=1") == true)
        house.server?.send(SIGCONT)
    }

    @Test("the calendar jumps back a year and ahead ten: tracks play, syncs come, the token is renewed once")
    func calendar() async throws {
        let house = try await House()
        let calendar = try await Calendar(in: house.home)
        let own = house.environment
        house.environment.merge(calendar.environment) { $1 }
        try await house.startDaemon()
        house.environment = own
        let login = try await house.ctl("login", "--cookies", input: house.ready["cookies"] ?? "")
        try #require(login.status == 0, "\(login.errors)")
        try await house.ctl("sync")
        // Its forty seconds may be over before the last jump.
        try await house.ctl("repeat", "track")
        try await house.ctl("play", "123456_456239965")
        for (days, tokens) in [(-365, 0...0), (3650, 1...1), (0, 0...1)] {
            let before = try await house.sounds(beyond: 0.1)
            let asked = try await tokensAsked(house)
            try calendar.turn(by: days)
            for _ in 0..<(days > 0 ? 2 : 1) { #expect(try await house.ctl("sync").status == 0, "\(days)") }
            let after = try await house.sounds(beyond: before.position)
            #expect(after.position < before.position + 60, "\(days)")
            let more = try await tokensAsked(house) - asked
            #expect(tokens.contains(more), "\(days): \(more)")
        }
    }

    /// How often a token was asked for.
    private func tokensAsked(_ house: House) async throws -> Int {
        try await house.requests().filter { $0.kind == "login" }.count
    }
}

/// A service manager's ear (sd_notify(3)).
private final class NoticeSocket {
    let path: String
    private let socket: Int32
    private var all: [String] = []

    init(_ path: String) throws {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    isolated deinit { close(socket) }

    /// Everything it was told so far.
    func heard() -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return all }
            all.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }
}

extension House {
    /// From here on the bus is found in a runtime directory alone.
    func hideBusAddress() throws {
        let path = home + "/run"
        let socket = bus.address.split(separator: ",")[0].dropFirst("unix:path=".count)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o700)
        symlink(String(socket), path + "/bus")
        environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        environment["XDG_RUNTIME_DIR"] = path
    }
}
