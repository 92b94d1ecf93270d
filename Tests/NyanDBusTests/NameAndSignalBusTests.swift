import NyanDBus
import NyanTestKit
import Testing
import Glibc

extension BusTests {
    /// Names and their owners, signals and their rules.
    struct NameAndSignalBusTests {
        let peers: TwoPeers

        init() throws { peers = try TwoPeers() }

        /// Returns when the bus has handled everything `connection` sent before.
        private func settled(_ connection: Connection) async throws {
            _ = try await connection.owner(of: "org.freedesktop.DBus")
        }

        @Test("A name is owned once; the second connection is told so and is not queued")
        func requesting() async throws {
            #expect(try peers.server.requestName("test.Name") == .owner)
            #expect(try peers.server.requestName("test.Name") == .alreadyOwner)
            #expect(try peers.client.requestName("test.Name") == .exists)
            #expect(try await peers.client.owner(of: "test.Name") == peers.server.uniqueName)
            #expect(try await peers.client.processID(of: "test.Name") == getpid())
            try peers.server.releaseName("test.Name")
            #expect(try await peers.client.owner(of: "test.Name") == nil)
        }

        @Test("Gaining and losing a name is told to its owner")
        func nameEvents() async throws {
            let lost = Happening()
            var events: [String] = []
            peers.server.onNameAcquired = { events.append("+" + $0) }
            peers.server.onNameLost = {
                events.append("-" + $0)
                lost.happen()
            }
            _ = try peers.server.requestName("test.Name")
            try peers.server.releaseName("test.Name")
            #expect(await lost.wait())
            #expect(events == ["+test.Name", "-test.Name"])
        }

        @Test("Bad names are refused", arguments: ["", "x", ":1.5", "a..b", "a.b\0", "имя.имя"])
        func badNames(name: String) {
            #expect(throws: BusError.self) { try peers.server.requestName(name) }
            #expect(throws: BusError.self) { try peers.server.releaseName(name) }
        }

        @Test("A watched name tells its owner now, at each change, and nothing after cancelling")
        func watching() async throws {
            var owners: [String?] = []
            let three = Happening()
            let subscription = try peers.client.watchOwner(of: "test.Name") { owner in
                owners.append(owner)
                if owners.count == 3 { three.happen() }
            }
            try await settled(peers.client)
            _ = try peers.server.requestName("test.Name")
            _ = try peers.server.requestName("test.Other")
            try peers.server.releaseName("test.Name")
            #expect(await three.wait())
            #expect(owners == [nil, peers.server.uniqueName, nil])
            subscription.cancel()
            _ = try peers.server.requestName("test.Name")
            try await settled(peers.client)
            #expect(owners.count == 3)
        }

        @Test(
            "A rule gets what matches all its fields and nothing else",
            arguments: [
                (MatchRule(), 4), (MatchRule(member: "A"), 3), (MatchRule(path: "/a"), 1),
                (MatchRule(pathNamespace: "/a"), 2),
                (MatchRule(interface: "i.two"), 1), (MatchRule(member: "A", arg0: "it's"), 1),
                (MatchRule(arg0Namespace: "org.x"), 1), (MatchRule(sender: "test.Sender", member: "A"), 3),
                (MatchRule(sender: "test.Nobody"), 0), (MatchRule(sender: ":1.0"), 4), (MatchRule(sender: ":1.77"), 0),
            ])
        func matching(rule: MatchRule, count: Int) async throws {
            // The bus numbers its clients, so the server of a fresh bus is :1.0.
            #expect(peers.server.uniqueName == ":1.0")
            _ = try peers.server.requestName("test.Sender")
            var got = 0
            // A second, wider subscription makes the bus send everything: telling apart is then ours.
            let everything = try peers.client.subscribe(MatchRule()) { _ in }
            let subscription = try peers.client.subscribe(rule) { message in
                if message.interface?.hasPrefix("i.") == true { got += 1 }
            }
            let last = Happening()
            let end = try peers.client.subscribe(MatchRule(member: "End")) { _ in last.happen() }
            try await settled(peers.client)
            try peers.server.emit("/a", "i.one", "A", [.string("it's")])
            try peers.server.emit("/a/b", "i.one", "A", [.string("org.x.y")])
            try peers.server.emit("/ab", "i.two", "A", [.int32(1)])
            try peers.server.emit("/c", "i.one", "B")
            try peers.server.emit("/c", "end.end", "End")
            #expect(await last.wait())
            #expect(got == count)
            for one in [subscription, everything, end] { one.cancel() }
        }

        @Test("Cancelling or dropping a subscription takes its rule from the bus")
        func unsubscribing() async throws {
            #expect(try await matchRules() == 0)
            let kept = try peers.client.subscribe(MatchRule(member: "A")) { _ in }
            var dropped: Subscription? = try peers.client.subscribe(MatchRule(member: "B")) { _ in }
            var stream: AsyncStream<Message>? = try peers.client.signals(MatchRule(member: "C"))
            #expect(try await matchRules() == 3)
            kept.cancel()
            #expect(dropped?.isActive == true && stream != nil)
            dropped = nil
            stream = nil
            // A stream ends through a task of its own.
            await Task.yield()
            #expect(try await matchRules() == 0)
        }

        /// How many rules the bus holds for the client.
        private func matchRules() async throws -> Int? {
            let stats = try await peers.client.call(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus.Debug.Stats", member: "GetConnectionStats",
                args: [.string(peers.client.uniqueName)])
            return stats[0]["MatchRules"]?.integer
        }

        @Test("A stream gives the signals in order")
        func streams() async throws {
            let stream = try peers.client.signals(MatchRule(member: "Count"))
            try await settled(peers.client)
            for number in 0..<300 { try peers.server.emit("/a", "i.one", "Count", [.int32(Int32(number))]) }
            var numbers: [Int] = []
            for await message in stream {
                if let number = try message.values()[0].integer { numbers.append(number) }
                if numbers.count == 300 { break }
            }
            #expect(numbers == Array(0..<300))
        }

        @Test("A declared signal is sent with its declared types only")
        func declaredSignals() throws {
            try peers.server.export(ExportedObject(at: "/r", [(ObjectBusTests.interface, ScriptedHandler())]))
            try peers.server.emit("/r", "test.Radio1", "Tuned", [.string("x"), .int64(1)])
            #expect(throws: BusError.self) { try peers.server.emit("/r", "test.Radio1", "Tuned", [.string("x")]) }
            #expect(throws: BusError.self) { try peers.server.emit("/r", "test.Radio1", "Undeclared") }
        }
    }
}
