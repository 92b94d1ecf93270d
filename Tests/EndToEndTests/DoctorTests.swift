import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import Testing

/// `nyanctl doctor` with the real programs: what is wrong, in words a person can act on.
@Suite("The doctor", .serialized, .timeLimit(.minutes(3)))
struct DoctorTests {
    private struct Line: Decodable {
        let check: String, state: String, message: String, advice: String?
        let packages: [String], elements: [String]
    }

    private struct Report {
        let status: Int32
        let lines: [Line]

        /// The line of a check.
        subscript(check: String) -> Line? { lines.first { $0.check == check } }
        var problems: [String] { lines.filter { $0.state == "problem" }.map(\.check) }
    }

    private func examine(_ house: House) async throws -> Report {
        let outcome = try await house.ctl("--json", "doctor")
        let lines = try outcome.decoded([Line].self)
        for line in lines where line.state == "problem" {
            #expect(line.advice?.isEmpty == false, "nothing to do about \(line)")
        }
        return Report(status: outcome.status, lines: lines)
    }

    private func write(_ text: String, to path: String) throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/\(folder)", withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test("a whole house has no problem and ends with 0; what is missing for comfort is a note")
    func whole() async throws {
        let house = try await House()
        try write("[Service]\nExecStart=\(House.programs)/nyand\n", to: house.home + "/data/systemd/user/nyand.service")
        try write("[D-BUS Service]\n", to: house.home + "/data/dbus-1/services/org.nyantunes.Nyand.service")
        try await house.startDaemon()
        try await house.signIn()
        let report = try await examine(house)
        #expect(report.status == 0 && report.problems.isEmpty, "\(report.lines)")
        for check in ["daemon", "bus-names", "gstreamer", "decoder-mp3", "decoder-flac", "sink", "account", "network"] {
            #expect(report[check]?.state == "ok", "\(report[check] as Any)")
        }
        #expect(report["account"]?.message.contains("tracks") == true)
        #expect(report["unit"]?.message.contains("started by hand") == true)
        #expect(report["activation"]?.state == "ok")
        let shown = try await house.ctl("doctor")
        #expect(shown.status == 0 && shown.errors.isEmpty)
        #expect(shown.output.hasSuffix("all well\n"))
        #expect(shown.output.contains("ok       MP3 decoder"), "\(shown.output)")
    }

    @Test("signed out, VK away, offline mode, settings that are wrong or were changed: a line each")
    func account() async throws {
        let house = try await House()
        try await house.startDaemon()
        var report = try await examine(house)
        #expect(report.status == 1 && report.problems == ["account"])
        #expect(report["account"]?.advice?.contains("nyanctl login") == true)
        try house.writeSettings("[audio]\nreplaygain=track\n")
        #expect(try await examine(house)["settings"]?.advice?.contains("nyanctl reload") == true)
        try house.writeSettings("[audio]\nnonsense=1\n")
        report = try await examine(house)
        #expect(report["settings"]?.message.contains("line ") == true)
        #expect(report["settings"]?.message.contains("audio.nonsense") == true)
        try FileManager.default.removeItem(atPath: house.home + "/config/nyand/nyand.conf")
        #expect(try await examine(house)["settings"]?.state == "note")
        await house.stopServer()
        report = try await examine(house)
        #expect(report.problems == ["account", "network"])
        try await house.ctl("offline", "on")
        report = try await examine(house)
        #expect(report["network"]?.state == "skipped" && report["network"]?.message == "offline mode is on")
    }

    @Test("without decoders and without the element for the sound server their packages are named")
    func pieces() async throws {
        let house = try await House(server: nil)
        house.environment["GST_PLUGIN_FEATURE_RANK"] =
            "mpg123audiodec:NONE,avdec_mp3:NONE,avdec_mp3float:NONE,flacdec:NONE,avdec_flac:NONE,avdec_aac:NONE,faad:NONE,fdkaacdec:NONE"
        try await house.startDaemon()
        let report = try await examine(house)
        #expect(report.status == 1)
        #expect(report["decoder-mp3"]?.packages == ["gstreamer1.0-plugins-good"])
        #expect(report["decoder-mp3"]?.elements == ["mpg123audiodec"])
        #expect(report["decoder-flac"]?.elements == ["flacdec"])
        #expect(report["decoder-aac"]?.packages == ["gstreamer1.0-libav"] && report["decoder-aac"]?.state == "note")
        let shown = try await house.ctl("doctor")
        #expect(shown.output.contains("→ install gstreamer1.0-plugins-good"), "\(shown.output)")
    }

    @Test("no sound server, and one that takes the call and does not answer; the bus is answered meanwhile")
    func server() async throws {
        let house = try await House(server: nil, settings: "[audio]\nsink=auto\n")
        let path = house.home + "/pulse"
        house.environment["PULSE_SERVER"] = "unix:" + path
        try await house.startDaemon()
        var report = try await examine(house)
        #expect(report["sound-server"]?.message == "no sound server answers")
        #expect(report["sound-server"]?.packages == ["pipewire-pulse", "pulseaudio"])
        // A person without a server but with a card hears something all the same.
        if access("/proc/asound/card0", F_OK) != 0 { #expect(report.problems.contains("sink")) }
        let deaf = try #require(Self.listen(at: path))
        defer { close(deaf) }
        let late = try Program([House.programs + "/nyanctl", "--json", "doctor"], environment: house.environment)
        var isOver = false
        Task {
            _ = await late.status()
            isOver = true
        }
        try await house.until("the server is called") {
            var call = pollfd(fd: deaf, events: Int16(POLLIN), revents: 0)
            return poll(&call, 1, 0) > 0
        }
        #expect(try await house.statusTime() < House.atOnce)
        #expect(!isOver, "the bus is answered meanwhile")
        let outcome = await late.outcome()
        report = Report(status: outcome.status, lines: try outcome.decoded([Line].self))
        #expect(report["sound-server"]?.message.contains("does not answer") == true, "\(report.lines)")
        #expect(report.lines.count == 19)
    }

    @Test("a sound server that answers is ok; one that dies afterwards is seen at the next look")
    func answering() async throws {
        let mixer = try Mixer(.pulse)
        try #require(await mixer.start())
        let house = try await House(server: nil, settings: "[audio]\nsink=auto\n")
        house.environment["PULSE_SERVER"] = mixer.address
        try await house.startDaemon()
        var report = try await examine(house)
        #expect(report["sound-server"]?.state == "ok" && report["sink"]?.message.contains("pulsesink") == true)
        mixer.kill()
        report = try await examine(house)
        #expect(report["sound-server"]?.message == "no sound server answers", "\(report.lines)")
    }

    /// A socket that takes calls and never answers one.
    private static func listen(at path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isBound && Glibc.listen(descriptor, 8) == 0 ? descriptor : nil
    }

    @Test("a music folder without room is told before a download fails")
    func room() async throws {
        let house = try await House(server: nil)
        guard geteuid() == 0 else { return }
        try FileManager.default.createDirectory(atPath: house.music, withIntermediateDirectories: true)
        let words = ["/bin/mount", "-t", "tmpfs", "-o", "size=400k", "none", house.music]
        guard try await Program(words, environment: [:]).outcome().status == 0 else { return }
        defer { umount2(house.music, Int32(MNT_DETACH)) }
        try await house.startDaemon()
        let report = try await examine(house)
        let line = try #require(report["disk-music"])
        #expect(line.state == "problem" && line.message.contains(house.music) && line.message.contains("no room"))
        #expect(report["disk-library"]?.state == "ok")
    }

    @Test("without a daemon: 3, and why as far as can be seen; a bus that cannot start it says so")
    func absent() async throws {
        let house = try await House(server: nil)
        var report = try await examine(house)
        #expect(report.status == 3 && report["daemon"]?.advice?.contains("/nyand &") == true, "\(report.lines)")
        #expect(report["bus"]?.state == "ok")
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        report = try await examine(house)
        #expect(report.status == 3 && report.problems == ["bus"])

        let services = house.home + "/services"
        try write(
            "[D-BUS Service]\nName=org.nyantunes.Nyand\nExec=/bin/sh -c 'exit 2'\n",
            to: services + "/org.nyantunes.Nyand.service")
        let bus = try PrivateBus(services: services)
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        report = try await examine(house)
        #expect(report.status == 3 && report["daemon"]?.message.contains("could not start") == true, "\(report.lines)")
        #expect(report["daemon"]?.advice?.contains("a setting is wrong") == true)
        let shown = try await house.ctl("doctor")
        #expect(shown.status == 3 && shown.output.contains("problem  nyand"), "\(shown)")
    }

    @Test("a bus that waits for nyand, which never comes, is not nyand being slow: 3, and why as far as can be seen")
    func neverComes() async throws {
        let house = try await House(server: nil)
        let services = house.home + "/services"
        try write(
            "[D-BUS Service]\nName=org.nyantunes.Nyand\nExec=/bin/sleep 60\n",
            to: services + "/org.nyantunes.Nyand.service")
        let bus = try PrivateBus(services: services)
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let outcome = try await house.ctl("--timeout", "0.5", "--json", "doctor")
        let lines = try outcome.decoded([Line].self)
        #expect(outcome.status == 3 && lines.contains { $0.check == "daemon" && $0.state == "problem" }, "\(outcome)")
        #expect(outcome.errors.contains("daemon-absent"), "\(outcome.errors)")
    }

    /// systemd's user manager, with nyand's unit as one that failed.
    private final class Systemd: InterfaceHandler {
        func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            .reply([.objectPath("/unit")])
        }

        func get(_ property: String) -> BusValue? { property == "ActiveState" ? .string("failed") : .int32(2) }
    }

    @Test("a unit that failed is told with what its exit status means, without systemctl")
    func failedUnit() async throws {
        let house = try await House(server: nil)
        let name = "org.freedesktop.systemd1"
        let systemd = Systemd()
        let manager = Interface(
            name + ".Manager",
            methods: [Method("GetUnit", in: [Argument("name", "s")], out: [Argument("unit", "o")])])
        let unit = Interface(name + ".Unit", methods: [], properties: [Property("ActiveState", "s")])
        let service = Interface(name + ".Service", methods: [], properties: [Property("ExecMainStatus", "i")])
        try house.connection.export(ExportedObject(at: "/org/freedesktop/systemd1", [(manager, systemd)]))
        try house.connection.export(ExportedObject(at: "/unit", [(unit, systemd), (service, systemd)]))
        _ = try house.connection.requestName(name)
        let report = try await examine(house)
        #expect(report.status == 3)
        #expect(report["daemon"]?.message.contains("its unit failed (exit status 2)") == true, "\(report.lines)")
        #expect(report["daemon"]?.advice?.contains("a setting is wrong") == true)
    }
}
