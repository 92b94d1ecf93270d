import CDBus
import Dispatch
import Testing

@testable import NyanDBus

extension BusTests {
    /// What must not be kept, and what must not be given back just anywhere.
    struct LastReferenceTests {
        private let peers: TwoPeers
        private let handler = ScriptedHandler()

        init() throws {
            peers = try TwoPeers()
            handler.values = ObjectBusTests.values
            try peers.server.export(ExportedObject(at: "/test/radio", [(ObjectBusTests.interface, handler)]))
        }

        private let get: [BusValue] = [.string("test.Radio1"), .string("Station")]
        private let properties = "org.freedesktop.DBus.Properties"

        private func station() async throws(BusError) -> String? {
            try await peers.call("/test/radio", properties, "Get", get).first?.string
        }

        @Test(
            "The last reference to a message may be dropped on any queue, also where reading waits for it",
            arguments: [1, 2 << 20])
        func anyQueue(size: Int) async throws {
            dbus_connection_set_max_received_size(peers.client.raw, 1 << 20)
            handler.values["Station"] = .string(String(repeating: "a", count: size))
            let kept = KeptMessage()
            peers.client.begin(
                MethodCall(peers.server.uniqueName, "/test/radio", properties, "Get", .values(get))
            ) { kept.message = try? $0.get() }
            #expect(await happens { kept.message != nil })
            let queue = DispatchQueue(label: "test.drop")
            await withCheckedContinuation { done in
                queue.async { @Sendable in
                    kept.message = nil
                    done.resume()
                }
            }
            handler.values["Station"] = .string("Маяк")
            #expect(try await station() == "Маяк")
        }

        @Test("A path that is served no more is unknown at once, and the next object there answers")
        func nextObject() async throws {
            #expect(try await station() == "Маяк")
            peers.server.unexport("/test/radio")
            #expect(await kind { () throws(BusError) in _ = try await station() } == .unknownMember)
            let next = ScriptedHandler()
            next.values = ["Station": .string("Юность")]
            try peers.server.export(ExportedObject(at: "/test/radio", [(ObjectBusTests.interface, next)]))
            #expect(try await station() == "Юность")
        }

        @Test("A call still under way keeps nothing of what waited behind it once everything was dropped")
        func allDropped() throws {
            let turns = CallerTurns()
            let server = peers.server
            weak var watch: Subscription?
            turns.watch = { _ in
                let made = try? server.watchOwner(of: ":1.1") { _ in }
                watch = made
                return made
            }
            let address = ReturnAddress(to: ":1.1", 1)
            weak var waiting: ScriptedHandler?
            do {
                let handler = ScriptedHandler()
                waiting = handler
                #expect(turns.add(WaitingCall(address: address, weight: 2 << 20, work: { _, _ in })))
                #expect(turns.add(WaitingCall(address: address, weight: 1, work: { _, _ in handler.values = [:] })))
            }
            let (_, load) = try #require(turns.next())
            #expect(waiting != nil && watch != nil)
            turns.removeAll()
            #expect(waiting == nil && watch == nil)
            load.release()
        }

        @Test("An error's words are its first argument, whatever comes behind it")
        func firstOnly() throws {
            let more = BusValue.array([BusValue](repeating: .variant(.byte(7)), count: 1000), of: "v")
            let bodies: [([BusValue], String)] = [
                ([], ""), ([.string("no")], "no"), ([.string("no"), more], "no"), ([more, .string("no")], ""),
            ]
            for (body, words) in bodies {
                let message = Message(owning: try #require(dbus_message_new(3)))
                #expect(dbus_message_set_error_name(message.raw, "a.b") != 0)
                try message.write(.values(body))
                #expect(message.error?.message == words && message.error?.name == "a.b")
            }
        }
    }
}

// unchecked: written on the main queue first, then on the other one only.
nonisolated private final class KeptMessage: @unchecked Sendable {
    var message: Message?
}
