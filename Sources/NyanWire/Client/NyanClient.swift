public import NyanCore
public import NyanDBus

/// Why a client's call came to nothing.
public enum ClientFailure: Error, Sendable, Equatable {
    /// The daemon answered with a failure.
    case refused(Failure)
    /// No daemon, and none could be started.
    case absent
    /// No answer within the time limit.
    case silent
    /// No session bus, or it is gone.
    case noBus(String)
    /// A daemon of another version: it does not know the call or answers another shape.
    case misunderstood(String)
}

/// A short-lived client's view of the daemon: typed, blocking calls on a connection that is not on any loop.
public final class NyanClient {
    public let connection: Connection
    /// Overrides every call's own time limit.
    private let timeout: Duration?

    /// - Throws: `.noBus` where there is no session bus.
    public init(timeout: Duration? = nil, bus: BusAddress = .session) throws(ClientFailure) {
        self.timeout = timeout
        do throws(BusError) {
            connection = try Connection.open(bus)
        } catch {
            throw .noBus(error.message)
        }
    }

    /// How long a call may take by itself: at once, as long as VK may take, as long as reading a whole list takes, or as
    /// long as hundreds of changes take.
    public enum Patience: Sendable {
        case quick, network, list, many
        var limit: Duration {
            switch self {
            case .quick: .seconds(5)
            case .network: .seconds(120)
            case .list: .seconds(900)
            case .many: .seconds(1800)
            }
        }
    }

    /// Calls a member of one of `NyandInterfaces` and waits for its answer.
    public func call(
        _ interface: Interface, _ member: String, _ arguments: [BusValue] = [], _ patience: Patience = .quick
    ) throws(ClientFailure) -> [BusValue] {
        let call = methodCall(interface, member, arguments, patience)
        do throws(BusError) {
            return try connection.callBlocking(call).values()
        } catch {
            throw Self.failure(error)
        }
    }

    /// The same without blocking, on an attached connection.
    public func callLater(
        _ interface: Interface, _ member: String, _ arguments: [BusValue] = [], _ patience: Patience = .quick
    ) async throws(ClientFailure) -> [BusValue] {
        let call = methodCall(interface, member, arguments, patience)
        do throws(BusError) {
            return try await connection.call(call).values()
        } catch {
            throw Self.failure(error)
        }
    }

    /// The same with a closure, which is called on the main actor in the order in which the bus delivers: an answer
    /// is neither before a signal that was sent earlier nor behind a later one. `autoStart` = the bus may start the
    /// daemon for this call.
    public func begin(
        _ interface: Interface, _ member: String, _ arguments: [BusValue] = [], _ patience: Patience = .quick,
        autoStart: Bool = true, finish: @escaping (Result<[BusValue], ClientFailure>) -> Void
    ) {
        var call = methodCall(interface, member, arguments, patience)
        call.autoStart = autoStart
        connection.begin(call) { outcome in
            do throws(BusError) {
                finish(.success(try outcome.get().values()))
            } catch {
                finish(.failure(Self.failure(error)))
            }
        }
    }

    /// Calls a member whose first answer is a listing, read without a value per field.
    private func listing(
        _ interface: Interface, _ member: String, _ arguments: [BusValue], _ patience: Patience
    ) throws(ClientFailure) -> (tracks: [ListedTrack], reader: MessageReader) {
        do throws(BusError) {
            let reply = try connection.callBlocking(methodCall(interface, member, arguments, patience))
            var reader = MessageReader(reply)
            guard reply.signatureText.hasPrefix(TrackCoding.listSignature.text) else {
                throw .invalidArguments("\(member) answered \(reply.signatureText)")
            }
            return (try TrackCoding.read(&reader), reader)
        } catch {
            throw Self.failure(error)
        }
    }

    private func methodCall(
        _ interface: Interface, _ member: String, _ arguments: [BusValue], _ patience: Patience
    ) -> MethodCall {
        // An empty array knows no element type by itself, so the declaration's signature goes along.
        let signature = interface.method(member)?.inputSignature ?? .empty
        return MethodCall(
            Names.nyand, Names.nyandPath, interface.name, member, .typed(signature, arguments),
            timeout: timeout ?? patience.limit)
    }

    private static func failure(_ error: BusError) -> ClientFailure {
        if let failure = FailureCoding.failure(error) { return .refused(failure) }
        return switch error.kind {
        case .noOwner, .cannotStart, .noReply: .absent
        case .timedOut: .silent
        case .disconnected, .noBus, .accessDenied: .noBus(error.message)
        case .unknownMember, .invalidArguments: .misunderstood(error.description)
        default: .refused(Failure(.internal, error.description))
        }
    }
}

extension NyanClient {
    public func status() throws(ClientFailure) -> StatusReport {
        let values = try call(NyandInterfaces.player, "GetStatus")
        guard let report = values.first.flatMap(StatusReport.init) else { throw .misunderstood("GetStatus") }
        return report
    }

    /// A listing of the library: `Profile`, `Music`, `Search` or `Select`.
    public func listing(
        _ member: String, _ arguments: [BusValue], _ patience: Patience = .quick
    ) throws(ClientFailure) -> [ListedTrack] {
        guard let sheet = Self.sheetArguments(member, arguments) else {
            return try listing(NyandInterfaces.library, member, arguments, patience).tracks
        }
        do throws(BusError) {
            let reply = try connection.callBlocking(methodCall(NyandInterfaces.library, "Sheet", sheet, patience))
            var reader = MessageReader(reply)
            guard let tracks = try reader.withBytes({ TrackSheet.tracks($0) }) else {
                throw .invalidArguments("\(member) answered no sheet")
            }
            return tracks
        } catch {
            throw Self.failure(error)
        }
    }

    /// The arguments of `Sheet` for a listing that can be had as one; nil for any other.
    private static func sheetArguments(_ member: String, _ arguments: [BusValue]) -> [BusValue]? {
        let number = arguments.dropFirst().first.map { Int64($0.integer ?? 0) } ?? 0
        // No dictionary: the first one of a kind costs a client 0.25 M instructions.
        let expected: Int? =
            switch member {
            case "Profile": 2
            case "Music", "Select": 1
            case "Search": 3
            default: nil
            }
        guard arguments.count == expected, let text = arguments.first?.string else { return nil }
        return [.string(member), .string(text), .int64(number), .bool(arguments.dropFirst(2).first?.bool ?? false)]
    }

    /// The queue, and the current position from 1 (nil = none).
    public func queue() throws(ClientFailure) -> (tracks: [ListedTrack], current: Int?) {
        var (tracks, reader) = try listing(NyandInterfaces.queue, "List", [], .quick)
        guard let current = try? reader.uint32() else { throw .misunderstood("List") }
        return (tracks, current > 0 ? Int(current) : nil)
    }

    /// The newest plays that count, newest first.
    public func history(_ count: Int) throws(ClientFailure) -> [(listed: ListedTrack, playedAt: Int64, heard: Double)] {
        var (tracks, reader) = try listing(
            NyandInterfaces.history, "List", [.uint32(UInt32(clamping: count))], .quick)
        guard let moments = (try? reader.readValue())?.elements, moments.count == tracks.count else {
            throw .misunderstood("List")
        }
        return zip(tracks, moments).map { ($0, $1[0]?.int64 ?? 0, $1[1]?.double ?? 0) }
    }

    public func downloads() throws(ClientFailure) -> [DownloadReport] {
        let values = try call(NyandInterfaces.downloads, "List")
        guard let reports = values.first.flatMap(DownloadCoding.reports) else { throw .misunderstood("List") }
        return reports
    }

    /// `Login` or `WhoAmI`.
    public func account(_ member: String, _ arguments: [BusValue] = []) throws(ClientFailure) -> Account {
        let values = try call(NyandInterfaces.account, member, arguments, .network)
        guard let fields = values.first?.fields, fields.count == 5, let id = fields[0].int64,
            let name = fields[1].string, let tracks = fields[2].integer, let login = fields[3].string,
            let kind = fields[4].string
        else { throw .misunderstood(member) }
        return Account(id: id, name: name, tracks: tracks, login: login, locationKind: kind.isEmpty ? nil : kind)
    }
}
