import Glibc
import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Scrobble`: keys come, and the page of consent goes, through file descriptors: both hold what
/// nobody else on the bus is to read.
public final class ScrobbleFrontend: InterfaceHandler {
    private let scrobbles: ScrobbleService

    public init(scrobbles: ScrobbleService) { self.scrobbles = scrobbles }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        .working { [scrobbles] () throws(Failure) in
            switch member {
            case "Status": return [ScrobbleCoding.list(try await scrobbles.reports())]
            case "Login":
                let token = try await SecretReader.read(try Self.descriptor(arguments[0]), of: context.sender)
                return [.string(try await scrobbles.signIn(token: token))]
            case "Begin":
                let text = try await SecretReader.read(try Self.descriptor(arguments[0]), of: context.sender)
                let lines = text.revealed.split(whereSeparator: \.isNewline)
                    .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
                let page = try await scrobbles.beginConsent(
                    apiKey: Secret(lines.first.map { String($0) } ?? ""),
                    sharedSecret: Secret(lines.count == 2 ? String(lines[1]) : ""))
                return [.unixFD(try Self.pipe(holding: page))]
            case "Finish": return [.string(try await scrobbles.finishConsent())]
            case "Logout":
                let name = arguments[0].string ?? ""
                guard let site = ScrobbleSite(rawValue: name) else {
                    throw Failure(.badArgument, "“\(name.prefix(80))” is neither listenbrainz nor lastfm")
                }
                return [.uint32(UInt32(clamping: try await scrobbles.signOut(site)))]
            default: throw Failure(.internal, "no such call: \(member)")
            }
        }
    }

    private static func descriptor(_ value: BusValue) throws(Failure) -> OwnedFD {
        guard let descriptor = value.unixFD else { throw Failure(.badArgument, "no secret was handed over") }
        return descriptor
    }

    /// A pipe holds 64 KiB, more than any address: this does not wait for the reader.
    private static func pipe(holding secret: Secret) throws(Failure) -> OwnedFD {
        var ends: [Int32] = [0, 0]
        let bytes = Array(secret.revealed.utf8)
        guard bytes.count < 16_384, Glibc.pipe(&ends) == 0 else {
            throw Failure(.internal, "the page's address could not be handed over")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reading = OwnedFD(owning: ends[0])
        defer { close(ends[1]) }
        guard bytes.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == bytes.count else {
            throw Failure(.internal, "the page's address could not be handed over")
        }
        return reading
    }
}
