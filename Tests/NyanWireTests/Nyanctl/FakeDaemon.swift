import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire

/// Answers calls by what a test wrote down for `Interface.Member`; keeps what was called.
final class ScriptedDaemon {
    typealias Reply = ([BusValue], CallContext) throws(BusError) -> Answer

    let connection: Connection
    var replies: [String: Reply] = [:]
    /// `Interface.Member` of each call, in order.
    private(set) var calls: [String] = []
    private(set) var arguments: [String: [BusValue]] = [:]

    /// Exports everything on the bus and takes the daemon's name.
    init(_ address: String) throws {
        connection = try Connection.open(.address(address))
        try connection.attach()
        let handlers = NyandInterfaces.all.map { interface in
            (interface, ScriptedInterface(name: interface.name, daemon: self) as any InterfaceHandler)
        }
        try connection.export(ExportedObject(at: Names.nyandPath, handlers))
        _ = try connection.requestName(Names.nyand)
        replies["Downloads.Standing"] = { arguments, _ in .reply(arguments) }
        replies["Player.GetStatus"] = { _, _ in .reply([StatusReport(state: .stopped).busValue]) }
    }

    func answers(_ member: String, _ values: BusValue...) { replies[member] = { _, _ in .reply(values) } }

    func refuses(_ member: String, _ code: Failure.Code, _ message: String) {
        let error = FailureCoding.busError(Failure(code, message))
        // A function: the compiler crashes on a closure that does nothing but throw.
        func refuse(_ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer { throw error }
        replies[member] = refuse
    }

    func emit(_ report: StatusReport) throws {
        try connection.emit(Names.nyandPath, NyandInterfaces.player.name, "StatusChanged", [report.busValue])
    }

    func emit(_ rows: DownloadReport...) throws {
        try connection.emit(
            Names.nyandPath, NyandInterfaces.downloads.name, "Changed",
            .typed("a(ssssxxssx)", [DownloadCoding.list(rows)]))
    }

    fileprivate func answer(
        _ call: String, _ arguments: [BusValue], _ context: CallContext
    ) throws(BusError) -> Answer {
        if call == "Library.Sheet" { return try sheet(arguments, context) }
        calls.append(call)
        self.arguments[call] = arguments
        guard let reply = replies[call] else { return .done }
        return try reply(arguments, context)
    }
}

extension ScriptedDaemon {
    /// A listing asked for as a sheet is answered by what was written down for the listing itself.
    fileprivate func sheet(_ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        let list = arguments[0].string ?? ""
        var plain = [arguments[1]]
        if list == "Profile" { plain.append(arguments[2]) }
        if list == "Search" { plain += [.uint32(UInt32(arguments[2].int64 ?? 0)), arguments[3]] }
        let answer = try answer("Library.\(list)", plain, context)
        guard case .reply(let values) = answer, let tracks = values.first.flatMap(TrackCoding.listedTracks) else {
            return answer
        }
        return .written { writer throws(BusError) in try writer.bytes(TrackSheet.bytes(tracks)) }
    }
}

private final class ScriptedInterface: InterfaceHandler {
    private let name: String
    private weak var daemon: ScriptedDaemon?

    init(name: String, daemon: ScriptedDaemon) {
        self.name = String(name.split(separator: ".").last ?? "")
        self.daemon = daemon
    }

    func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        guard let daemon else { throw .failed("the test is over") }
        return try daemon.answer("\(name).\(member)", arguments, context)
    }
}

/// A private bus, a home, and the built nyanctl in them.
final class Desk {
    let bus: PrivateBus
    let home: String
    var environment: [String: String]

    private nonisolated static let program = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return executable.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/nyanctl"
    }()

    /// The test program may be run by another one that is elsewhere; then there is nothing to test.
    nonisolated static var hasProgram: Bool { access(programPath, X_OK) == 0 }
    nonisolated static var programPath: String {
        let built = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/.build/debug/nyanctl"
        return access(program, X_OK) == 0 ? program : built
    }

    init(services: String? = nil) throws {
        bus = try PrivateBus(services: services)
        var template = Array("/tmp/nyan-desk-XXXXXX".utf8CString)
        mkdtemp(&template)
        home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = ["HOME": home, "XDG_RUNTIME_DIR": home, "DBUS_SESSION_BUS_ADDRESS": bus.address, "LANG": "C"]
        // Hints come between what is looked at here; they have tests of their own.
        environment["NYANCTL_HINTS"] = "off"
    }

    isolated deinit { try? FileManager.default.removeItem(atPath: home) }

    func daemon() throws -> ScriptedDaemon { try ScriptedDaemon(bus.address) }

    func start(_ words: String..., input: String? = nil) throws -> Program {
        try Program([Self.programPath] + words, environment: environment, input: input)
    }

    func ctl(_ words: String..., input: String? = nil) async throws -> Program.Outcome {
        try await Program([Self.programPath] + words, environment: environment, input: input).outcome()
    }
}
