import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// Finds out why no daemon answers: by the files that would start it, by systemd's word over the bus where it is there,
/// and by what the bus says when it is to start one.
@MainActor enum AbsenceLook {
    private static let limit: Duration = .seconds(2)

    /// What can be seen without a bus.
    static func files() -> MissingDaemon {
        var absence = MissingDaemon()
        let names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS"]
        let pairs = names.compactMap { name in Terminal.environment(name).map { (name, $0) } }
        absence.unit = UnitFacts.look(
            environment: Dictionary(pairs, uniquingKeysWith: { first, _ in first }), entry: entry(at:),
            isProgram: isProgram)
        absence.unit.isRunning = false
        absence.program = program()
        return absence
    }

    /// One line for whoever meets it first: what to do on this machine, by what is installed on it.
    static func sentence() -> String { files().sentence }

    static func whole(_ client: NyanClient) -> MissingDaemon {
        var absence = files()
        absence.unitState = unitState(client.connection)
        // A unit that failed says more than the bus, and one kind of bus would answer nothing.
        if absence.unitState?.active != "failed" { absence.startTrouble = startTrouble(client.connection) }
        return absence
    }

    private static func entry(at path: String) -> UnitFacts.Entry? {
        let files = FileManager.default
        if let target = try? files.destinationOfSymbolicLink(atPath: path) { return .link(to: target) }
        if let names = try? files.contentsOfDirectory(atPath: path) { return .folder(names: names) }
        return (try? String(contentsOfFile: path, encoding: .utf8)).map { .file(text: $0) }
    }

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// nyand beside this program, else in PATH.
    private static func program() -> String? {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = own.lastIndex(of: "/").map { own[..<$0] + "/nyand" }.map(String.init)
        let inPath = (Terminal.environment("PATH") ?? "").split(separator: ":").map { "\($0)/nyand" }
        if let found = inPath.first(where: isProgram) { return found }
        return beside.flatMap { isProgram($0) ? $0 : nil }
    }

    private static func unitState(_ connection: Connection) -> MissingDaemon.UnitState? {
        guard
            let unit = ask(
                connection, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "GetUnit",
                [.string(UnitFacts.unit)])?.objectPath,
            let active = property(connection, unit, "Unit", "ActiveState")?.string
        else { return nil }
        let status = property(connection, unit, "Service", "ExecMainStatus")?.integer ?? 0
        return MissingDaemon.UnitState(active: active, exitStatus: status)
    }

    private static func property(
        _ connection: Connection, _ unit: ObjectPath, _ interface: String, _ name: String
    ) -> BusValue? {
        ask(
            connection, unit, "org.freedesktop.DBus.Properties", "Get",
            [.string("org.freedesktop.systemd1.\(interface)"), .string(name)])
    }

    private static func ask(
        _ connection: Connection, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [BusValue]
    ) -> BusValue? {
        try? connection.callBlocking(
            destination: "org.freedesktop.systemd1", path: path, interface: interface, member: member,
            args: arguments, timeout: limit, autoStart: false
        ).first
    }

    /// What the bus says when it is asked to start nyand; nil where it knows no way to, or has started it.
    private static func startTrouble(_ connection: Connection) -> String? {
        do throws(BusError) {
            _ = try connection.callBlocking(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "StartServiceByName", args: [.string(Names.nyand), .uint32(0)], timeout: .seconds(5))
            return nil
        } catch {
            return error.kind == .noOwner ? nil : error.message
        }
    }
}
