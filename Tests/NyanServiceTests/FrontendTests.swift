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

    private static let transport: [(String, [BusValue])] = [
        ("SetVolume", [.double(0.3)]), ("ChangeVolume", [.double(-0.1)]), ("SetShuffle", [.bool(true)]),
        ("SetRepeat", [.string("queue")]), ("Next", []), ("Previous", []), ("SeekTo", [.int64(1_000_000)]),
        ("SeekBy", [.int64(1_000_000)]), ("Stop", []),
    ]

    @Test("Transport is on disk once it is answered; what cannot be kept is answered as that failure")
    func durableTransport() async throws {
        let rig = Rig()
        try await rig.play([track(1), track(2), track(3)])
        let frontend = PlayerFrontend(player: rig.player, library: rig.librarian, snapshot: { rig.snapshot() })
        let line = try Line(NyandInterfaces.player, frontend)
        for (member, arguments) in Self.transport where member != "Stop" {
            let saves = rig.playback.saves
            rig.playback.latch.shut()
            var isAnswered = false
            let pending = Task {
                _ = try await line.call(member, arguments)
                isAnswered = true
            }
            #expect(await until { rig.playback.latch.held > 0 }, "\(member) saves nothing")
            await settle()
            #expect(!isAnswered, "\(member) is answered before it is kept")
            rig.playback.latch.open()
            try await pending.value
            #expect(rig.playback.saves > saves, "\(member)")
        }
        rig.playback.fail(Failure(.diskFull, "no room"))
        for (member, arguments) in Self.transport {
            let error = await #expect(throws: BusError.self) { _ = try await line.call(member, arguments) }
            #expect(error.flatMap { FailureCoding.failure($0) }?.code == .diskFull, "\(member)")
        }
        rig.playback.fail(nil)
        rig.player.perform(.clear)
    }

    @Test("Whoever queues a list is told under which ids what is not there comes")
    func coming() async throws {
        let rig = Rig()
        await rig.account.ready()
        rig.library.put(profile: [track(1), track(2, available: false), track(3), track(4)])
        try await rig.library.addCopy(FinishedCopy(id: track(3).id, path: "/no such folder/3", bytes: 1))
        await rig.downloads.restore()
        _ = try await rig.downloads.add([track(9)])
        let frontend = DownloadsFrontend(downloads: rig.downloads, library: rig.librarian)
        let line = try Line(NyandInterfaces.downloads, frontend)
        for queued: UInt32 in [2, 0] {
            let answer = try await line.call("AddProfile", [.string("")])
            #expect(answer[0] == .uint32(queued) && answer[2].strings.map(Set.init) == ["7_1", "7_4"])
        }
    }

    @Test("Of tracks that were named those that cannot be had are told, and the others are queued")
    func refusedDownloads() async throws {
        let rig = Rig()
        await rig.account.ready()
        rig.library.put(profile: [track(1), track(2, available: false), track(3), track(4, available: false)])
        await rig.downloads.restore()
        let frontend = DownloadsFrontend(downloads: rig.downloads, library: rig.librarian)
        let line = try Line(NyandInterfaces.downloads, frontend)
        let answer = try await line.call("Add", [.strings(["7_1", "7_2", "7_3", "7_4"])])
        #expect(answer[0] == .uint32(2))
        #expect(answer[1].elements?.map { $0[0]?.string } == ["7_2", "7_4"])
        #expect(answer[1].elements?.first?[1]?.string == "taken away")
        #expect(rig.downloads.list.map(\.id) == [track(1).id, track(3).id])
        #expect(try await line.call("Add", [.strings(["7_2", "7_4"])])[0] == .uint32(0))
        let alone = await #expect(throws: BusError.self) { _ = try await line.call("Add", [.strings(["7_2"])]) }
        #expect(alone.flatMap { FailureCoding.failure($0) }?.code == .unavailableTrack)
    }
}
