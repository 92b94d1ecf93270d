import Dispatch
import Glibc
import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// Life of a connection: calls, limits, names, signals, and the end of the bus.
    struct ConnectionBusTests {
        static let silent = Interface("test.Silent", methods: [Method("Wait")])

        /// A server whose `Wait` is never answered while the handler is kept.
        private func silentServer(_ peers: TwoPeers) throws -> KeptCalls {
            let handler = KeptCalls()
            try peers.server.export(ExportedObject(at: "/silent", [(Self.silent, handler)]))
            return handler
        }

        @Test("A silent peer ends in timedOut, in time")
        func timeLimit() async throws {
            let peers = try TwoPeers()
            let kept = try silentServer(peers)
            let clock = ContinuousClock()
            var outcome: BusError.Kind?
            let took = await clock.measure {
                outcome = await kind { () throws(BusError) in
                    _ = try await peers.call("/silent", "test.Silent", "Wait", timeout: .milliseconds(150))
                }
            }
            #expect(outcome == .timedOut)
            #expect(took >= .milliseconds(140) && took < .seconds(10))
            #expect(kept.contexts.count == 1)
        }

        @Test("A shorter limit ends first, whatever was asked before")
        func limitsInOrder() async throws {
            let peers = try TwoPeers()
            let kept = try silentServer(peers)
            var ends: [Int] = []
            let all = Happening()
            for (number, limit) in [(1, 400), (2, 50), (3, 200)] {
                peers.client.begin(
                    MethodCall(peers.server.uniqueName, "/silent", "test.Silent", "Wait", timeout: .milliseconds(limit))
                ) { _ in
                    ends.append(number)
                    if ends.count == 3 { all.happen() }
                }
            }
            #expect(await all.wait())
            #expect(ends == [2, 3, 1])
            #expect(kept.contexts.count == 3)
        }

        @Test("A peer that leaves without answering ends in noReply, an unknown name in noOwner")
        func absentPeers() async throws {
            let peers = try TwoPeers()
            let kept = try silentServer(peers)
            let server = peers.server
            kept.onCall = { server.close() }
            let left = await kind { () throws(BusError) in _ = try await peers.call("/silent", "test.Silent", "Wait") }
            #expect(left == .noReply)
            for name in ["test.nobody", ":1.99999"] {
                let nobody = await kind { () throws(BusError) in
                    _ = try await peers.client.call(
                        destination: name, path: "/", interface: "a.b", member: "C", autoStart: name.hasPrefix(":"))
                }
                #expect(nobody == .noOwner)
            }
        }

        @Test("Cancelling the task ends the call at once; cancelling before it is made makes none")
        func cancelling() async throws {
            let peers = try TwoPeers()
            let kept = try silentServer(peers)
            let arrived = Happening()
            kept.onCall = { arrived.happen() }
            let call = Task {
                await kind { () throws(BusError) in _ = try await peers.call("/silent", "test.Silent", "Wait") }
            }
            #expect(await arrived.wait())
            call.cancel()
            #expect(await call.value == .cancelled)
            let early = Task {
                await kind { () throws(BusError) in _ = try await peers.call("/silent", "test.Silent", "Wait") }
            }
            early.cancel()
            #expect(await early.value == .cancelled)
            #expect(kept.contexts.count == 1)
        }

        @Test("1000 calls at once are all answered, each with its own answer")
        func manyCalls() async throws {
            let peers = try MessageBusTests.echo()
            let calls = (0..<1000).map { number in
                Task {
                    try await peers.call(
                        "/echo", "test.Echo", "Echo", [.variant(.int32(Int32(number)))], timeout: .seconds(60))[0]
                        .integer
                }
            }
            var numbers: [Int?] = []
            for call in calls { numbers.append(try await call.value) }
            #expect(numbers == Array(0..<1000))
        }

        @Test("The bus dies: calls under way fail, streams end, onDisconnect comes once, and the process lives")
        func busDies() async throws {
            let peers = try TwoPeers()
            let kept = try silentServer(peers)
            let gone = Happening()
            var times = 0
            peers.client.onDisconnect = {
                times += 1
                gone.happen()
            }
            let stream = try peers.client.signals(MatchRule(member: "Never"))
            let underWay = Task {
                await kind { () throws(BusError) in _ = try await peers.call("/silent", "test.Silent", "Wait") }
            }
            let arrived = Happening()
            kept.onCall = { arrived.happen() }
            #expect(await arrived.wait())
            peers.bus.kill()
            #expect(await gone.wait())
            #expect(await underWay.value == .disconnected)
            var signals = 0
            for await _ in stream { signals += 1 }
            #expect(signals == 0 && times == 1)
            #expect(!peers.client.isConnected)
            let after = await kind { () throws(BusError) in _ = try await peers.call("/silent", "test.Silent", "Wait") }
            #expect(after == .disconnected)
            #expect(throws: BusError.self) { try peers.client.emit("/a", "a.b", "C") }
            #expect(throws: BusError.self) { try peers.client.requestName("a.b") }
        }

        @Test("Keeping more received bytes than libdbus likes stops reading only until they are given back")
        func keptMessages() async throws {
            let peers = try MessageBusTests.echo()
            let bytes = BusValue.variant(.bytes([UInt8](repeating: 7, count: 24_000_000)))
            var kept: [Message] = []
            let call = MethodCall(
                peers.server.uniqueName, "/echo", "test.Echo", "Echo", [bytes], timeout: .seconds(30))
            for _ in 0..<3 { kept.append(try await peers.client.call(call)) }
            // 72 MB are kept, over the limit of 63: the next answer waits in the socket.
            let next = Task { try await peers.client.owner(of: "org.freedesktop.DBus") }
            await Task.yield()
            kept = []
            #expect(try await next.value == "org.freedesktop.DBus")
        }

        @Test("Flushing to a bus that does not read gives up in time, and nothing is lost when it reads again")
        func flushing() async throws {
            let peers = try TwoPeers()
            let arrived = Happening()
            let subscription = try peers.client.subscribe(MatchRule(member: "Big")) { _ in arrived.happen() }
            _ = try await peers.client.owner(of: "org.freedesktop.DBus")
            peers.bus.freeze()
            try peers.server.emit("/a", "a.b", "Big", [.bytes([UInt8](repeating: 0, count: 4_000_000))])
            let took = ContinuousClock().measure { peers.server.flush(atMost: .milliseconds(100)) }
            #expect(took >= .milliseconds(80) && took < .seconds(10))
            peers.bus.resume()
            #expect(await arrived.wait())
            subscription.cancel()
        }

        @Test("Closing ends calls under way and does not call onDisconnect")
        func closing() async throws {
            let peers = try TwoPeers()
            let kept = try silentServer(peers)
            let client = peers.client
            client.onDisconnect = { Issue.record("called") }
            kept.onCall = { client.close() }
            let outcome = await kind { () throws(BusError) in _ = try await peers.call("/silent", "test.Silent", "Wait")
            }
            #expect(outcome == .disconnected)
            client.close()
        }

        @Test("An idle attached connection uses no processor time and wakes nothing")
        func noSpin() async throws {
            let peers = try MessageBusTests.echo()
            _ = try await peers.call(
                "/echo", "test.Echo", "Echo", [.variant(.bytes(.init(repeating: 1, count: 1 << 20)))])
            // Other suites share the process, so the quietest of several windows counts.
            var least = Duration.seconds(9)
            for _ in 0..<40 where least > .milliseconds(5) {
                let before = Self.processorTime()
                await Self.timer(.milliseconds(250))
                least = min(least, Self.processorTime() - before)
            }
            #expect(least <= .milliseconds(5))
        }

        private static func timer(_ time: DispatchTimeInterval) async {
            await withCheckedContinuation { continuation in
                DispatchQueue.main.asyncAfter(deadline: .now() + time) { continuation.resume() }
            }
        }

        private static func processorTime() -> Duration {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            let spent = [usage.ru_utime, usage.ru_stime].map {
                Duration.seconds($0.tv_sec) + .microseconds($0.tv_usec)
            }
            return spent[0] + spent[1]
        }
    }
}

/// Keeps every call it gets unanswered.
final class KeptCalls: InterfaceHandler {
    var contexts: [CallContext] = []
    var onCall: () -> Void = {}

    func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        contexts.append(context)
        onCall()
        return .taken
    }
}
