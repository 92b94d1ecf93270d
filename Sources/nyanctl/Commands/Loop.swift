import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// Runs what goes on until something happens (following, waiting, the live player) on the main queue.
@MainActor enum Loop {
    /// Runs `work` to its end, then ends the program with the status it gave.
    static func run(asJSON: Bool, _ work: @escaping @MainActor () async throws(Ending) -> Int32) -> Never {
        Task {
            do throws(Ending) {
                exit(try await work())
            } catch {
                exit(Nyanctl.report(error, asJSON: asJSON))
            }
        }
        dispatchMain()
    }

    /// A connection on the loop; the end of the bus ends the program.
    static func attach(_ daemon: Daemon, asJSON: Bool) throws(Ending) {
        do throws(BusError) {
            try daemon.client.connection.attach()
        } catch {
            throw Daemon.ending(.noBus(error.message))
        }
        daemon.client.connection.onDisconnect = {
            exit(Nyanctl.report(Daemon.ending(.noBus("the session bus went away")), asJSON: asJSON))
        }
    }
}

/// What a follower waits for, in the order it came.
enum Followed: Sendable {
    case status(StatusReport)
    case downloads([DownloadReport])
    case removed([TrackID])
    /// The daemon's unique name, nil = it went away.
    case owner(String?)
    /// A key was pressed, or a moment passed.
    case key(UInt8)
    case tick
    case resized
}

/// Subscriptions of one follower, as one stream.
@MainActor final class Follower {
    let stream: AsyncStream<Followed>
    let yield: (Followed) -> Void
    private var subscriptions: [Subscription] = []

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Followed.self)
        self.stream = stream
        yield = { continuation.yield($0) }
    }

    func follow(_ daemon: Daemon, status: Bool = false, downloads: Bool = false) throws(Ending) {
        let connection = daemon.client.connection
        let yield = yield
        do throws(BusError) {
            if status {
                subscriptions.append(
                    try connection.subscribe(Self.rule(NyandInterfaces.player, "StatusChanged")) { message in
                        if let value = try? message.values().first, let report = StatusReport(value) {
                            yield(.status(report))
                        }
                    })
            }
            if downloads {
                subscriptions.append(
                    try connection.subscribe(Self.rule(NyandInterfaces.downloads, "Changed")) { message in
                        if let value = try? message.values().first, let rows = DownloadCoding.reports(value) {
                            yield(.downloads(rows))
                        }
                    })
                subscriptions.append(
                    try connection.subscribe(Self.rule(NyandInterfaces.downloads, "Removed")) { message in
                        let ids = (try? message.values().first?.strings) ?? []
                        yield(.removed(ids.compactMap { TrackID($0) }))
                    })
            }
            subscriptions.append(try connection.watchOwner(of: Names.nyand) { yield(.owner($0)) })
        } catch {
            throw Daemon.ending(.noBus(error.message))
        }
    }

    private static func rule(_ interface: Interface, _ member: String) -> MatchRule {
        MatchRule(sender: Names.nyand, path: Names.nyandPath, interface: interface.name, member: member)
    }
}
