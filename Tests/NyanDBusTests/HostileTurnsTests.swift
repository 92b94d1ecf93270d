import CDBus
import Testing

@testable import NyanDBus

extension BusTests {
    /// Whose turn it is, and what is kept meanwhile, where callers have much.
    struct HostileTurnsTests {
        private let turns = CallerTurns()

        private func call(_ caller: String, weight: Int = 0) -> WaitingCall {
            WaitingCall(address: ReturnAddress(to: caller, 1), weight: weight, work: { _, _ in })
        }

        @Test("Callers that filled the line keep nobody out who has little, and what waits goes with its caller")
        func filled() {
            let greedy = [":1.1", ":1.2", ":1.3", ":1.4", ":1.5"]
            for caller in greedy {
                while turns.add(call(caller, weight: 1 << 20)) {}
                while turns.add(call(caller)) {}
            }
            #expect(((127 << 20)...(128 << 20) + (64 << 10)).contains(turns.weight))
            #expect(!turns.add(call(":1.6", weight: 1 << 20)))
            #expect(turns.add(call(":1.6", weight: 1 << 10)))
            let full = turns.weight
            turns.forget(":1.1")
            #expect(full - turns.weight >= 30 << 20)
            #expect(turns.add(call(":1.6", weight: 1 << 20)))
            var served: Set<String> = []
            while let (call, load) = turns.next() {
                served.insert(call.address.sender ?? "")
                load.release()
            }
            #expect(served == Set(greedy.dropFirst() + [":1.6"]))
            #expect(turns.weight == 0 && turns.isEmpty)
        }

        @Test("A caller with 64 unanswered calls goes on when one is answered, and its turn is told once")
        func onReady() {
            var told = 0
            turns.onReady = { told += 1 }
            for _ in 0..<70 { #expect(turns.add(call(":1.1"))) }
            var loads: [CallLoad] = []
            while let (_, load) = turns.next() { loads.append(load) }
            #expect(loads.count == 64 && told == 0 && turns.isEmpty)
            loads.removeFirst().release()
            #expect(told == 1 && !turns.isEmpty)
            loads.removeFirst().release()
            #expect(told == 1)
        }

        @Test("An answer after everything was dropped counts for nothing")
        func late() throws {
            #expect(turns.add(call(":1.1", weight: 100)))
            let (_, load) = try #require(turns.next())
            turns.removeAll()
            load.release()
            #expect(turns.weight == 0 && turns.isEmpty)
            #expect(turns.add(call(":1.1", weight: 100)))
            #expect(turns.weight > 100 && !turns.isEmpty)
        }

        @Test("Callers that come and go are served each time, also one that left the bus meanwhile")
        func comingAndGoing() throws {
            for name in [":1.1", ":1.1", ":1.2", ":1.1", ":1.2", ":1.2"] {
                #expect(turns.add(call(name, weight: 100)) && !turns.isEmpty)
                let (call, load) = try #require(turns.next())
                #expect(call.address.sender == name && turns.weight > 100)
                if name == ":1.2" { turns.forget(":1.1") }
                load.release()
                turns.forget(name)
                #expect(turns.weight == 0 && turns.isEmpty)
            }
        }

        @Test("A call that is dropped unanswered lets its caller go on, and weighs nothing any more")
        func dropped() async throws {
            let peers = try TwoPeers()
            let handler = ScriptedHandler()
            var kept: [CallContext] = []
            handler.onCall = { _, _, context in
                kept.append(context)
                return .taken
            }
            try peers.server.export(ExportedObject(at: "/test/radio", [(ObjectBusTests.interface, handler)]))
            for _ in 0..<70 {
                peers.client.begin(MethodCall(peers.server.uniqueName, "/test/radio", "test.Radio1", "Off")) { _ in }
            }
            #expect(await happens { kept.count == 64 })
            kept = []
            #expect(await happens { kept.count == 6 })
            kept = []
            #expect(await happens { peers.server.line.weight == 0 })
        }

        @Test("A caller that has much is watched, and no longer when it is done")
        func watched() {
            var names: [String] = []
            turns.watch = {
                names.append($0)
                return nil
            }
            #expect(turns.add(call(":1.1", weight: 1000)))
            #expect(names.isEmpty)
            #expect(turns.add(call(":1.1", weight: 2 << 20)))
            #expect(names == [":1.1"])
        }

        @Test("What waits of a caller that leaves the bus is dropped")
        func leaving() async throws {
            let peers = try TwoPeers()
            let handler = ScriptedHandler()
            var kept: [CallContext] = []
            handler.onCall = { _, _, context in
                kept.append(context)
                return .taken
            }
            try peers.server.export(ExportedObject(at: "/test/radio", [(ObjectBusTests.interface, handler)]))
            for _ in 0..<2000 {
                peers.client.begin(MethodCall(peers.server.uniqueName, "/test/radio", "test.Radio1", "Off")) { _ in }
            }
            #expect(await happens { peers.server.line.weight > 1900 << 10 && kept.count == 64 })
            peers.client.close()
            // The 64 under way stay.
            #expect(await happens { peers.server.line.weight <= 80 << 10 })
            #expect(kept.count == 64)
        }

        @Test("A wrong call keeps no more than a short error, and a value of the wrong type is not read")
        func wrongCalls() throws {
            let peers = try TwoPeers()
            let handler = ScriptedHandler()
            try peers.server.export(ExportedObject(at: "/test/radio", [(ObjectBusTests.interface, handler)]))
            let path = try #require(ObjectPath("/" + String(repeating: "a", count: 2 << 20)))
            let nowhere = try waiting(MethodCall("a.b", path, "test.Radio1", "Off"), on: peers.server)
            #expect((1000...10_000).contains(nowhere.weight))
            let many = [BusValue](repeating: .variant(.byte(7)), count: 50_000)
            let set = MethodCall(
                "a.b", "/test/radio", "org.freedesktop.DBus.Properties", "Set",
                .values([.string("test.Radio1"), .string("Station"), .variant(.array(many, of: "v"))]))
            let wrong = try waiting(set, on: peers.server)
            #expect(wrong.weight < 10_000)
            for (call, kind) in [(nowhere, BusError.Kind.unknownMember), (wrong, .invalidArguments)] {
                #expect(turns.add(call))
                let (_, load) = try #require(turns.next())
                do throws(BusError) {
                    try call.work(load, peers.server)
                    Issue.record("it was done")
                } catch {
                    #expect(error.kind == kind && error.message.utf8.count < 10_000)
                }
            }
        }

        private func waiting(_ call: MethodCall, on server: Connection) throws(BusError) -> WaitingCall {
            let message = try Message.call(call)
            dbus_message_set_serial(message.raw, 1)
            return server.objects.waitingCall(message, on: server)
        }
    }
}

/// Whether something comes true within twenty seconds.
func happens(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        await Task.yield()
    }
    return true
}
