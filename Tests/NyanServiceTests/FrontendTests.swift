import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// Doors that do more than pass a call on.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct FrontendTests {
    /// The quickest of several rounds of a thousand reads of every MPRIS property.
    private func timeOfReading(queueOf count: Int64) -> Duration {
        let rig = Rig()
        let tracks = (1...count).map { track($0) }
        rig.player.perform(.playTracks(tracks, startAt: tracks.count - 1))
        let frontend = MPRISPlayerFrontend(player: rig.player, snapshot: { rig.snapshot() })
        let names = PlayerInterface.interface.properties.map(\.name)
        let rounds = (0..<5).map { _ in
            ContinuousClock().measure {
                for _ in 0..<1000 { for name in names { _ = frontend.get(name) } }
            }
        }
        rig.player.perform(.clear)
        return rounds.min() ?? .zero
    }

    @Test("Reading a property takes as long with a hundred thousand tracks queued as with ten")
    func cheapGet() {
        let short = timeOfReading(queueOf: 10)
        let long = timeOfReading(queueOf: 100_000)
        #expect(long < short * 5)
    }

    /// Both ends of a pipe.
    private func pipe() throws -> (reader: OwnedFD, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (OwnedFD(owning: ends[0]), ends[1])
    }

    @Test("A secret comes through a pipe, without what a terminal or an editor put around it")
    func secret() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try Connection.open(.address(bus.address)), try Connection.open(.address(bus.address)))
        try server.attach()
        try client.attach()
        let rig = Rig(signedIn: false)
        var signedIn = 0
        let frontend = AccountFrontend(account: rig.account) { signedIn += 1 }
        try server.export(ExportedObject(at: Names.nyandPath, [(NyandInterfaces.account, frontend)]))
        let (reader, writer) = try pipe()
        let text = Array("  \"topsecret\"\n".utf8)
        #expect(write(writer, text, text.count) == text.count)
        close(writer)
        let answer = try await client.call(
            destination: server.uniqueName, path: Names.nyandPath, interface: NyandInterfaces.account.name,
            member: "Login", args: [.string("token"), .unixFD(reader), .string("")], timeout: .seconds(10))
        #expect(answer[0][1]?.string == rig.source.account.name && signedIn == 1)
        #expect(rig.credentials.stored?.token == Secret("topsecret"))
    }
}
