import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// What clients hear of downloads.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DownloadSignalTests {
    @Test("Downloads are told at most four times a second however fast bytes come, and always end with the truth")
    func pace() async throws {
        let rig = Rig()
        let bus = try PrivateBus()
        let (server, client) = (try Connection.open(.address(bus.address)), try Connection.open(.address(bus.address)))
        try server.attach()
        try client.attach()
        let publisher = DownloadsPublisher(
            connection: server, downloads: rig.downloads, hub: rig.hub, time: rig.time)
        var heard: [[DownloadReport]] = []
        let subscription = try client.subscribe(
            MatchRule(sender: server.uniqueName, interface: NyandInterfaces.downloads.name, member: "Changed")
        ) { message in
            heard.append((try? message.values())?.first.flatMap(DownloadCoding.reports) ?? [])
        }
        _ = try await client.owner(of: "org.freedesktop.DBus")
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add([track(1)])
        let transfer = try #require(await rig.transfer(of: track(1).id))
        #expect(await until { !heard.isEmpty })
        await settle()
        let before = heard.count
        for _ in 0..<50 {
            try transfer.bring(1, of: 1000)
            await settle()
        }
        #expect(heard.count == before)
        rig.time.advance(by: .milliseconds(250))
        #expect(await until { heard.count == before + 1 })
        #expect(heard.last?.map(\.received) == [50])
        // Nothing more comes, so nobody waits any longer than this pause.
        await settle()
        rig.time.advance(by: .milliseconds(250))
        await settle()
        #expect(heard.count == before + 1 && rig.time.waits.isEmpty)
        subscription.cancel()
        _ = publisher
    }

    @Test("The end of the last download is told at once: people and scripts wait for it")
    func end() async throws {
        let rig = Rig()
        let bus = try PrivateBus()
        let (server, client) = (try Connection.open(.address(bus.address)), try Connection.open(.address(bus.address)))
        try server.attach()
        try client.attach()
        let publisher = DownloadsPublisher(
            connection: server, downloads: rig.downloads, hub: rig.hub, time: rig.time)
        var heard: [DownloadReport] = []
        let subscription = try client.subscribe(
            MatchRule(sender: server.uniqueName, interface: NyandInterfaces.downloads.name, member: "Changed")
        ) { message in
            heard += (try? message.values())?.first.flatMap(DownloadCoding.reports) ?? []
        }
        _ = try await client.owner(of: "org.freedesktop.DBus")
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add([track(1)])
        try await rig.bring(track(1).id)
        // No time passes.
        #expect(await until { heard.last?.state == .done })
        subscription.cancel()
        _ = publisher
    }
}
