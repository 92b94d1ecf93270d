import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// What clients hear of the library.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LibrarySignalTests {
    @Test("Many changes of the library are told at once, and again after a rest; others are not told")
    func pace() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try Connection.open(.address(bus.address)), try Connection.open(.address(bus.address)))
        try server.attach()
        try client.attach()
        let hub = EventHub()
        let time = ManualTime()
        let publisher = LibraryPublisher(connection: server, hub: hub, time: time)
        var heard = 0
        let subscription = try client.subscribe(
            MatchRule(sender: server.uniqueName, interface: NyandInterfaces.library.name, member: "Changed")
        ) { _ in heard += 1 }
        _ = try await client.owner(of: "org.freedesktop.DBus")
        hub.changed([.playback, .queue, .downloads, .connectivity])
        hub.flush()
        for _ in 0..<1000 {
            hub.changed(.library)
            hub.flush()
        }
        #expect(await until { heard == 1 && !time.waits.isEmpty })
        time.advance(by: .milliseconds(250))
        #expect(await until { heard == 2 && !time.waits.isEmpty })
        time.advance(by: .milliseconds(250))
        #expect(await until { time.waits.isEmpty })
        hub.changed(.account)
        hub.flush()
        #expect(await until { heard == 3 })
        subscription.cancel()
        _ = publisher
    }
}
