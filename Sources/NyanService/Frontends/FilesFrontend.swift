public import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Files`: import and export.
public final class FilesFrontend: InterfaceHandler {
    private let imports: ImportService
    private let exports: ExportService
    private weak var connection: Connection?
    private let time: any TimeSource
    private var told: Duration?

    private static let pause: Duration = .milliseconds(250)

    /// `connection`: hears of the progress, and knows who left.
    public init(imports: ImportService, exports: ExportService, connection: Connection, time: any TimeSource) {
        self.imports = imports
        self.exports = exports
        self.connection = connection
        self.time = time
        imports.onProgress = { [weak self] in self?.tell($0) }
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        let caller = Caller(context, on: connection)
        return switch member {
        case "Import":
            .working { [imports] () throws(Failure) in
                defer { caller.forget() }
                let outcome = try await imports.importFolder(
                    arguments[0].string ?? "", isWanted: { !caller.hasLeft })
                return [Self.count(outcome.imported), Self.count(outcome.known), Self.count(outcome.skipped)]
                    + [Self.rows(outcome.named.map { ($0.path, $0.reason) }), Self.value(outcome.stopped)]
            }
        case "Export":
            .working { [exports] () throws(Failure) in
                defer { caller.forget() }
                let ids = try arguments[0].trackReferences().map(\.id)
                let outcome = try await exports.export(
                    ids, to: arguments[1].string ?? "", isWanted: { !caller.hasLeft })
                return [Self.count(outcome.exported), Self.count(outcome.present), .int64(outcome.bytes)]
                    + [Self.refusals(outcome.refused), Self.value(outcome.stopped)]
            }
        default: throw .unknownMethod(member)
        }
    }

    private func tell(_ progress: (done: Int, total: Int)?) {
        let now = time.now
        if progress != nil, let told, now - told < Self.pause { return }
        told = progress == nil ? nil : now
        let numbers = [progress?.done ?? 0, progress?.total ?? 0].map(Self.count)
        try? connection?.emit(Names.nyandPath, NyandInterfaces.files.name, "ImportProgress", .values(numbers))
    }

    private static func count(_ number: Int) -> BusValue { .uint32(UInt32(clamping: number)) }

    private static func rows(_ rows: [(String, String)]) -> BusValue {
        .array(rows.map { .structure([.string($0.0), .string($0.1)]) }, of: "(ss)")
    }

    private static func refusals(_ rows: [ExportOutcome.Refused]) -> BusValue {
        .array(
            rows.map { .structure([.string("\($0.id)"), .string($0.reason), .string($0.code.rawValue)]) }, of: "(sss)")
    }

    private static func value(_ stopped: Failure?) -> BusValue {
        .structure([.string(stopped?.code.rawValue ?? ""), .string(stopped?.message ?? "")])
    }
}

/// Whoever waits for a long call's answer, as long as they are on the bus.
private final class Caller {
    private(set) var hasLeft = false
    private var watch: Subscription?

    init(_ context: CallContext, on connection: Connection?) {
        watch = try? connection?.watchOwner(of: context.sender) { [weak self] owner in
            guard owner == nil, let self, !hasLeft else { return }
            hasLeft = true
        }
    }

    func forget() {
        watch?.cancel()
        watch = nil
    }
}
