import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire

@testable import NyanService

/// MPRIS' player, track list and playlists on a private bus, with somebody who hears every signal in its order.
final class ListBus: BusEar {
    /// A signal; a PropertiesChanged counts as one of the interface it tells about.
    struct Heard: Equatable {
        var interface: String
        var member: String
        var values: [BusValue]
    }

    let bus: PrivateBus
    let server: Connection
    let client: Connection
    private var publishers: [AnyObject] = []
    private var subscription: Subscription?
    var heard: [Heard] = []

    init(_ rig: Rig, shelf: PlaylistShelf? = nil) throws {
        bus = try PrivateBus()
        (server, client) = (try .open(.address(bus.address)), try .open(.address(bus.address)))
        try server.attach()
        try client.attach()
        let snapshot = { rig.snapshot() }
        let cover = { (id: TrackID) in rig.covers.path(of: id) }
        let state = { rig.player.state }
        var interfaces: [(Interface, any InterfaceHandler)] = [
            (PlayerInterface.interface, MPRISPlayerFrontend(player: rig.player, snapshot: snapshot)),
            (
                TrackListInterface.interface,
                TrackListFrontend(player: rig.player, snapshot: snapshot, coverPath: cover)
            ),
        ]
        if let shelf {
            interfaces.append((PlaylistsInterface.interface, MPRISPlaylistsFrontend(shelf: shelf, state: state)))
        }
        try server.export(ExportedObject(at: Names.mprisPath, interfaces))
        let trackList = TrackListPublisher(connection: server, told: snapshot(), coverPath: cover)
        publishers.append(
            PlayerPublisher(
                connection: server, hub: rig.hub, trackList: trackList, snapshot: snapshot,
                takeJump: { rig.player.takeJump() }))
        if let shelf {
            publishers.append(PlaylistsPublisher(connection: server, hub: rig.hub, shelf: shelf, state: state))
        }
        subscription = try client.subscribe(MatchRule(sender: server.uniqueName, path: Names.mprisPath)) {
            [weak self] in self?.hear($0)
        }
    }

    private func hear(_ message: Message) {
        guard let values = try? message.values() else { return }
        let isProperties = message.member == "PropertiesChanged"
        heard.append(
            Heard(
                interface: isProperties ? values[0].string ?? "" : message.interface ?? "", member: message.member,
                values: values))
    }

    func get(_ interface: String, _ property: String) async throws(BusError) -> BusValue? {
        try await call("org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(property)]).first?
            .unwrapped
    }
}
