import Dispatch
import Glibc
import NyanTestKit
import Testing

@testable import NyanDBus

extension BusTests {
    /// Peers that mean no good: they flood, send what is too large, answer for others.
    struct HostileBusTests {
        let peers: TwoPeers
        let handler = ScriptedHandler()

        init() throws {
            peers = try TwoPeers()
            handler.values = ObjectBusTests.values
            peers.server.callLimit = .modest
            try peers.server.export(ExportedObject(at: "/test/radio", [(ObjectBusTests.interface, handler)]))
            let lists = Interface("test.Lists1", methods: [Method("Take", in: [Argument("names", "as")])])
            try peers.server.export(ExportedObject(at: "/test/lists", [(lists, handler)]))
        }

        private func other() throws -> Connection {
            let other = try Connection.open(.address(peers.bus.address))
            try other.attach()
            return other
        }

        private func off(timeout: Duration = .seconds(30)) -> MethodCall {
            MethodCall(peers.server.uniqueName, "/test/radio", "test.Radio1", "Off", timeout: timeout)
        }

        @Test("A caller with thousands of calls holds up nobody with one, and gets every answer in order")
        func fairness() async throws {
            let flooder = peers.client.uniqueName
            var done: [String] = []
            handler.onCall = { _, _, context in
                done.append(context.sender)
                // Slower than the bus, which on a busy machine may bring calls no faster than they are done.
                let end = ContinuousClock.now + .microseconds(200)
                while ContinuousClock.now < end { sched_yield() }
                return .done
            }
            let other = try other()
            var answered = 0
            let all = Happening()
            let many = 3000
            for _ in 0..<many {
                peers.client.begin(off()) { _ in
                    answered += 1
                    if answered == many { all.happen() }
                }
            }
            // In the server's socket before the other's call is made.
            peers.client.flush(atMost: .seconds(10))
            _ = try await other.call(off())
            let place = try #require(done.firstIndex { $0 != flooder })
            #expect(place < many - 500, "it was the call number \(place)")
            #expect(await all.wait(atMost: .seconds(40)))
            #expect(done.count == many + 1)
        }

        @Test("Long calls of one caller wait for its earlier ones; another's are done meanwhile")
        func longCalls() async throws {
            var kept: [CallContext] = []
            let flooder = peers.client.uniqueName
            let many = Happening()
            handler.onCall = { _, _, context in
                guard context.sender == flooder else { return .done }
                kept.append(context)
                if kept.count == 64 { many.happen() }
                return .taken
            }
            var answered = 0
            let all = Happening()
            for _ in 0..<100 {
                peers.client.begin(off()) { _ in
                    answered += 1
                    if answered == 100 { all.happen() }
                }
            }
            #expect(await many.wait())
            _ = try await other().call(off())
            #expect(kept.count == 64)
            while answered < 100 {
                let some = kept
                kept = []
                for context in some { context.reply() }
                _ = try await other().call(off())
            }
            #expect(await all.wait())
        }

        @Test("A caller that has too much waiting is refused by name, and served again afterwards")
        func refused() {
            let line = CallerTurns()
            let address = ReturnAddress(to: ":1.7", 1)
            var taken = 0
            while line.add(WaitingCall(address: address, weight: 1 << 20, work: { _, _ in })) { taken += 1 }
            #expect((16...32).contains(taken))
            while let (_, load) = line.next() { load.release() }
            #expect(line.isEmpty)
            #expect(line.add(WaitingCall(address: address, weight: 31 << 20, work: { _, _ in })))
        }

        @Test(
            "A call that holds too much is refused unread, and so is a value of another type than the property's",
            arguments: ["text", "values", "property"])
        func tooMuch(what: String) async throws {
            var called = false
            handler.onCall = { _, _, _ in
                called = true
                return .reply([.bool(true)])
            }
            let many = [BusValue](repeating: .variant(.byte(7)), count: 300_000)
            let outcome: BusError
            do throws(BusError) {
                switch what {
                case "text":
                    let text = String(repeating: "я", count: 100_000)
                    _ = try await peers.call("/test/radio", "test.Radio1", "Tune", [.string(text), .double(0)])
                case "values":
                    _ = try await peers.call(
                        "/test/lists", "test.Lists1", "Take", [.strings([String](repeating: "", count: 300_000))])
                default:
                    _ = try await peers.call(
                        "/test/radio", "org.freedesktop.DBus.Properties", "Set",
                        [.string("test.Radio1"), .string("Station"), .variant(.array(many, of: "v"))])
                }
                Issue.record("it was taken")
                return
            } catch {
                outcome = error
            }
            let names = ["text": "LimitsExceeded", "values": "LimitsExceeded", "property": "InvalidArgs"]
            #expect(outcome.name == "org.freedesktop.DBus.Error.\(names[what] ?? "")")
            #expect(!called && outcome.message.utf8.count < 5000)
        }

        @Test("A list of more values than any library has is refused")
        func longList() throws {
            let list = BusValue.strings([String](repeating: "", count: 300_000))
            let message = try Message.signal(
                path: "/a", interface: "a.b", member: "C", destination: nil, body: .values([list]))
            var limit = ReadingLimit.modest
            let began = ContinuousClock.now
            #expect(throws: BusError.self) { _ = try message.values(within: &limit) }
            #expect(ContinuousClock.now - began < .seconds(20))
            #expect(limit.spent > 0)
            #expect(try message.values() == [list])
        }

        @Test("What a caller wrote is not repeated at any length in the error it gets")
        func cutErrors() async throws {
            let name = String(repeating: "a", count: 10_000)
            do throws(BusError) {
                _ = try await peers.call(
                    "/test/radio", "org.freedesktop.DBus.Properties", "Get", [.string(name), .string(name)])
                Issue.record("it was answered")
            } catch {
                #expect(error.kind == .unknownMember)
                #expect((100...2010).contains(error.message.unicodeScalars.count))
            }
        }

        @Test("A large call whose answer takes long keeps nothing of its message, and the connection reads on")
        func largeAndLong() async throws {
            var kept: [CallContext] = []
            peers.server.callLimit = .none
            let held = Happening()
            handler.onCall = { member, _, context in
                guard member == "Tune" else { return .done }
                kept.append(context)
                if kept.count == 4 { held.happen() }
                return .taken
            }
            // Together beyond the 63 MiB of received messages at which libdbus stops reading.
            let text = String(repeating: "x", count: 20 << 20)
            for _ in 0..<4 {
                peers.client.begin(
                    MethodCall(
                        peers.server.uniqueName, "/test/radio", "test.Radio1", "Tune", [.string(text), .double(0)])
                ) { _ in }
            }
            #expect(await held.wait(atMost: .seconds(30)))
            _ = try await other().call(off())
            for context in kept { context.reply([.bool(true)]) }
        }

        @Test("An answer with the right number from somebody else is not believed")
        func forgedAnswer() async throws {
            var caught: CallContext?
            let asked = Happening()
            handler.onCall = { _, _, context in
                caught = context
                asked.happen()
                return .taken
            }
            let forger = try other()
            var outcome: Result<Message, BusError>?
            let ended = Happening()
            let ask = off()
            peers.client.begin(ask) {
                outcome = $0
                ended.happen()
            }
            #expect(await asked.wait())
            // The numbers are small and follow each other: all of them are tried.
            for serial in 1..<200 as Range<UInt32> {
                try forger.send(try Message.reply(to: ReturnAddress(to: peers.client.uniqueName, serial), body: []))
            }
            _ = try await forger.call(.bus("GetId"))
            caught?.reply()
            #expect(await ended.wait())
            switch outcome {
            // Only where the bus let none of them through.
            case .success(let answer): #expect(answer.sender == peers.server.uniqueName)
            case .failure(let error): #expect(error == .failed("somebody else answered"))
            case nil: Issue.record("no outcome")
            }
        }

        @Test("A signal from somebody else does not count as the followed name's, not even before the owner is known")
        func earlySignals() async throws {
            let forger = try other()
            #expect(try peers.server.requestName("test.Name") == .owner)
            var senders: [String] = []
            let heard = Happening()
            let subscription = try peers.client.subscribe(MatchRule(sender: "test.Name", member: "Said")) { message in
                senders.append(message.sender ?? "")
                heard.happen()
            }
            // Nothing of the client's has gone through the queue yet: it knows no owner.
            try forger.emit("/a", "a.b", "Said", [], to: peers.client.uniqueName)
            forger.flush()
            try peers.server.emit("/a", "a.b", "Said", [], to: peers.client.uniqueName)
            #expect(await heard.wait())
            _ = try await peers.client.owner(of: "test.Name")
            #expect(senders == [peers.server.uniqueName])
            subscription.cancel()
        }

        @Test("While the bus takes no answers no more are made than a bound")
        func unread() async throws {
            handler.values["Station"] = .string(String(repeating: "x", count: 4 << 20))
            let get = MethodCall(
                peers.server.uniqueName, "/test/radio", "org.freedesktop.DBus.Properties", "Get",
                [.string("test.Radio1"), .string("Station")], timeout: .seconds(40))
            var answered = 0
            let all = Happening()
            for _ in 0..<24 {
                peers.client.begin(get) { _ in
                    answered += 1
                    if answered == 24 { all.happen() }
                }
            }
            // Blocking, so that the calls are in the server's socket and it has answered none when the bus stops reading.
            _ = try peers.client.callBlocking(.bus("GetId"))
            peers.bus.freeze()
            let most = await largestUnsent()
            peers.bus.resume()
            #expect(((32 << 20)..<(45 << 20)).contains(most), "\(most) bytes waited")
            #expect(await all.wait(atMost: .seconds(40)))
        }

        /// The most that waited to be sent until the bound was reached, and during a hundred turns of the queue more.
        private func largestUnsent() async -> Int {
            _ = await happens { peers.server.unsent >= 32 << 20 }
            var most = 0
            for _ in 0..<100 {
                await Task.yield()
                most = max(most, peers.server.unsent)
            }
            return most
        }
    }
}
