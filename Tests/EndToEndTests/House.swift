import Dispatch
import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// One private world for a test: a bus, a look-alike of VK, a home, and the real programs in it.
final class House {
    let bus: PrivateBus
    let connection: Connection
    let home: String
    private(set) var server: Program?
    private(set) var ready: [String: String] = [:]
    private(set) var daemon: Program?
    var environment: [String: String]
    /// How many seconds `until` did not look before what it waited for was so: what plays has moved on by so much at most.
    private(set) var blink = 0.0
    private var lastLook = 0.0

    static let programs = String(
        House.executable[..<(House.executable.lastIndex(of: "/") ?? House.executable.endIndex)])
    private static let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    private static let lookAlike = {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(tests)/vkserver/vkserver.py"
    }()

    /// `server` nil = no look-alike: the API address then leads nowhere.
    init(server scenario: String? = "test", settings: String = "") async throws {
        bus = try PrivateBus()
        connection = try Connection.open(.address(bus.address))
        try connection.attach()
        var template = Array("/tmp/nyan-home-XXXXXX".utf8CString)
        mkdtemp(&template)
        home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = [
            "HOME": home, "PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data", "XDG_STATE_HOME": home + "/state",
            "XDG_CACHE_HOME": home + "/cache", "LANG": "C.UTF-8",
            // The machine's own sleep is no part of a test.
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
        ]
        if let registry = getenv("GST_REGISTRY") { environment["GST_REGISTRY"] = String(cString: registry) }
        try FileManager.default.createDirectory(atPath: home + "/config/nyand", withIntermediateDirectories: true)
        if let scenario { try await startServer(scenario) }
        try writeSettings(settings)
    }

    isolated deinit {
        connection.close()
        daemon?.send(SIGKILL)
        server?.send(SIGKILL)
        try? FileManager.default.removeItem(atPath: home)
    }

    var music: String { home + "/Music" }
    var token: String { ready["token"] ?? "" }

    func writeSettings(_ extra: String = "") throws {
        let text = """
            [vk]
            api-url=\(ready["api-url"] ?? "http://127.0.0.1:9/method")
            oauth-url=\(ready["oauth-url"] ?? "http://127.0.0.1:9/oauth")
            login-url=\(ready["login-url"] ?? "http://127.0.0.1:9/login")
            sync-interval=off
            min-interval-ms=400
            [account]
            store=file
            [audio]
            sink=fakesink sync=true
            [downloads]
            directory=\(music)
            \(extra)

            """
        try text.write(toFile: home + "/config/nyand/nyand.conf", atomically: true, encoding: .utf8)
    }

    /// Starts the look-alike again where it was: its links are others, its token is the same.
    func restartServer(_ scenario: String = "test") async throws {
        try await startServer(scenario, port: ready["port"] ?? "0")
    }

    private func startServer(_ scenario: String, port: String = "0") async throws {
        var environment = environment
        environment["XDG_CACHE_HOME"] = "/tmp/nyan-lookalike-\(getuid())"
        let server = try Program(
            ["/usr/bin/python3", Self.lookAlike, "--port", port, "--scenario", scenario, "--die-with-parent"],
            environment: environment)
        self.server = server
        let line = try #require(await server.line(), "the look-alike did not start: \(server.errors)")
        let value = try JSONDecoder().decode([String: Loose].self, from: Data(line.utf8))
        ready = value.compactMapValues(\.text)
    }

    func stopServer() async {
        server?.send(SIGTERM)
        _ = await server?.status()
    }

    /// Starts nyand and returns when the bus has it by both its names. One before it must have ended.
    @discardableResult
    func startDaemon(_ arguments: [String] = []) async throws -> Program {
        let words = [Self.programs + "/nyand", "--log-level", "debug"] + arguments
        // A busy bus learns late of a death: the next one would meet its name, and end.
        if daemon != nil { try await until("the name is free") { try await connection.owner(of: Names.nyand) == nil } }
        let program = try Program(words, environment: environment)
        daemon = program
        for name in [Names.nyand, Names.mpris] {
            try await until("nyand owns \(name)") {
                (try? await connection.processID(of: name)) == program.processID
            }
        }
        return program
    }

    /// Runs nyanctl to its end.
    @discardableResult
    func ctl(_ words: String..., input: String? = nil) async throws -> Program.Outcome {
        try await Program([Self.programs + "/nyanctl"] + words, environment: environment, input: input).outcome()
    }

    /// Signs in with the look-alike's token and reads the profile.
    func signIn() async throws {
        let login = try await ctl("login", "--token", input: token)
        try #require(login.status == 0, "\(login.errors)")
        let sync = try await ctl("sync")
        try #require(sync.status == 0, "\(sync.errors)")
    }

    /// Runs a command at the look-alike, given as JSON.
    func control(_ command: String) async throws {
        let answer = try await fetch("/_control", post: command)
        try #require(answer.contains("\"ok\""), "\(answer)")
    }

    /// A page of the look-alike.
    func fetch(_ page: String, post: String? = nil) async throws -> String {
        let url = (ready["url"] ?? "") + page
        let words = ["/usr/bin/curl", "-sS", "--max-time", "20"] + (post.map { ["-d", $0] } ?? []) + [url]
        return try await Program(words, environment: environment).outcome().output
    }

    /// The status document.
    func status() async throws -> Status {
        let answer = try await ctl("--json", "status")
        try #require(answer.status == 0, "\(answer.errors)")
        return try JSONDecoder().decode(Status.self, from: Data(answer.output.utf8))
    }

    /// Waits until something is so; fails after a time no healthy run needs, however busy the machine is.
    func until(
        _ what: Comment, within seconds: Double = 40, _ isSo: () async throws -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds * Patience.factor)
        var begun = ContinuousClock.now
        while begun < end {
            if try await isSo() {
                blink = (ContinuousClock.now - begun) / .seconds(1) + lastLook
                lastLook = 0
                return
            }
            await Self.moment()
            lastLook = (ContinuousClock.now - begun) / .seconds(1)
            begun = .now
        }
        lastLook = 0
        Issue.record("\(what): not within \(seconds) s; nyand said: \(daemon?.errors ?? "")", sourceLocation: location)
        throw Late()
    }

    struct Late: Error {}

    /// Lets the world go on for 50 ms: what is asked next is asked of another process, which gives no event.
    private static func moment() async {
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { done.resume() }
        }
    }
}

/// A JSON value as text, whatever it is.
struct Loose: Decodable {
    let text: String?
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = (try? container.decode(String.self)) ?? (try? container.decode(Int.self)).map { "\($0)" }
    }
}

/// CONTRACT.md's `status` as a test reads it.
struct Status: Decodable {
    struct Track: Decodable { let id: String, title: String, downloaded: Bool, cover: String? }
    struct Queue: Decodable { let position: Int?, length: Int }
    struct Problem: Decodable { let code: String, message: String }
    let state: String
    let track: Track?
    let position: Double
    let duration: Double?
    let volume: Double
    let shuffle: Bool
    let `repeat`: String
    let queue: Queue
    let buffered: Double?
    let online: Bool
    let signedIn: Bool
    let audioOutput: String
    let problem: Problem?
}

/// CONTRACT.md's Track and a row of `downloads`, as a test reads them.
struct TrackRow: Decodable {
    let id: String, artist: String, title: String, album: String?
    let downloaded: Bool?, path: String?, available: Bool?, position: Int?, current: Bool?
}

struct DownloadRow: Decodable {
    let id: String, state: String, received: Int64, total: Int64?
    let error: Status.Problem?
}

extension Program.Outcome {
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(output.utf8))
    }
}
