import Dispatch
import Glibc
import NyanTestKit
import Testing

@testable import NyanDBus

extension BusTests {
    /// Signals and the end of the bus, where somebody means no good or something runs out.
    struct HostileSignalsTests {
        let peers: TwoPeers
        private let forger: Connection

        init() throws {
            peers = try TwoPeers()
            forger = try .open(.address(peers.bus.address))
            #expect(try peers.server.requestName("test.Name") == .owner)
        }

        /// Whether the client hears the owner of `test.Name`, having got in its socket what the forger sent it before.
        private func hears() async throws -> Bool {
            // The bus has passed on all that the forger sent; the client's queue has not run since.
            _ = try forger.callBlocking(.bus("GetId"))
            let heard = Happening()
            var senders: [String?] = []
            let subscription = try peers.client.subscribe(MatchRule(sender: "test.Name", member: "Said")) { message in
                senders.append(message.sender)
                heard.happen()
            }
            try peers.server.emit("/a", "a.b", "Said", [], to: peers.client.uniqueName)
            let didHear = await heard.wait()
            subscription.cancel()
            return didHear && senders == [peers.server.uniqueName]
        }

        @Test("A signal full of descriptors, sent while the owner is unknown, stops nothing")
        func descriptors() async throws {
            let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(null) }
            let filler = BusValue.string(String(repeating: "x", count: 4000))
            let descriptors = try (0..<64).map { _ in BusValue.unixFD(try #require(OwnedFD(duplicating: null))) }
            try forger.emit("/a", "a.b", "Said", .values(descriptors + [filler]), to: peers.client.uniqueName)
            #expect(try await hears())
        }

        @Test("Forged answers to the question for the owner do not lose the owner's signals")
        func forgedOwners() async throws {
            for serial in 1..<200 as Range<UInt32> {
                try forger.send(try Message.reply(to: ReturnAddress(to: peers.client.uniqueName, serial), body: []))
            }
            #expect(try await hears())
        }

        @Test("The end of the bus is noticed, however much waits to be sent")
        func endWhileFull() async throws {
            let gone = Happening()
            peers.server.onDisconnect = { gone.happen() }
            peers.bus.freeze()
            let text = String(repeating: "x", count: 8 << 20)
            for _ in 0..<9 { try peers.server.emit("/a", "a.b", "Said", .values([.string(text)])) }
            #expect(peers.server.unsent >= 64 << 20)
            peers.bus.kill()
            #expect(await gone.wait(atMost: .seconds(20)))
        }

        @Test("A connection put on the queue while no descriptor was to spare is read once one is")
        func noDescriptors() async throws {
            let heard = Happening()
            let subscription = try forger.subscribe(MatchRule(member: "Said")) { _ in heard.happen() }
            _ = try forger.callBlocking(.bus("GetId"))
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var usual = rlimit()
            #expect(getrlimit(files, &usual) == 0)
            var few = rlimit(rlim_cur: 3, rlim_max: usual.rlim_max)
            #expect(setrlimit(files, &few) == 0)
            let attached = Result { try forger.attach() }
            #expect(setrlimit(files, &usual) == 0)
            try attached.get()
            try peers.server.emit("/a", "a.b", "Said", [], to: forger.uniqueName)
            #expect(await heard.wait())
            subscription.cancel()
        }
    }
}
