import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire

@testable import NyanService

/// The session as a desktop sees it.
final class Desk: BusEar {
    enum Heard: Equatable, CustomStringConvertible {
        case changed([String: BusValue], invalidated: [String])
        case seeked(Int64)

        var description: String {
            switch self {
            case .changed(let values, let gone): "changed \(values.keys.sorted()) \(gone)"
            case .seeked(let position): "seeked \(position)"
            }
        }

        /// The names that changed, for rows that are about which and not to what.
        var names: Set<String> {
            if case .changed(let values, _) = self { Set(values.keys) } else { [] }
        }

        subscript(name: String) -> BusValue? {
            if case .changed(let values, _) = self { values[name] } else { nil }
        }
    }

    let bus: PrivateBus
    let server: Connection
    let client: Connection
    private let publisher: PlayerPublisher
    private var subscriptions: [Subscription] = []
    var heard: [Heard] = []

    init(_ rig: Rig) throws {
        bus = try PrivateBus()
        server = try .open(.address(bus.address))
        client = try .open(.address(bus.address))
        try server.attach()
        try client.attach()
        let player = MPRISPlayerFrontend(player: rig.player, snapshot: { rig.snapshot() })
        try server.export(ExportedObject(at: Names.mprisPath, [(PlayerInterface.interface, player)]))
        publisher = PlayerPublisher(
            connection: server, hub: rig.hub, snapshot: { rig.snapshot() }, takeJump: { rig.player.takeJump() })
        subscriptions = [
            try client.subscribe(
                MatchRule(sender: server.uniqueName, path: Names.mprisPath, member: "PropertiesChanged")
            ) { [weak self] in self?.changed($0) },
            try client.subscribe(
                MatchRule(sender: server.uniqueName, path: Names.mprisPath, member: "Seeked")
            ) { [weak self] in self?.seeked($0) },
        ]
    }

    private func changed(_ message: Message) {
        guard let values = try? message.values(), values[0].string == PlayerInterface.name else { return }
        heard.append(.changed(values[1].dictionary ?? [:], invalidated: values[2].strings ?? []))
    }

    private func seeked(_ message: Message) {
        guard let position = (try? message.values())?.first?.int64 else { return }
        heard.append(.seeked(position))
    }

    func player(_ member: String, _ arguments: BusValue...) async throws(BusError) {
        _ = try await client.call(
            destination: server.uniqueName, path: Names.mprisPath, interface: PlayerInterface.name, member: member,
            args: arguments, timeout: .seconds(10))
    }
}
