import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// `org.freedesktop.DBus.Properties` as clients see it.
    struct PropertyBusTests {
        static let properties = "org.freedesktop.DBus.Properties"
        let radio: ObjectBusTests

        init() throws { radio = try ObjectBusTests() }

        private func ask(_ member: String, _ arguments: BusValue...) async throws(BusError) -> [BusValue] {
            try await radio.peers.call("/test/radio", Self.properties, member, arguments)
        }

        private func errorName(_ member: String, _ arguments: BusValue...) async -> String {
            do throws(BusError) {
                _ = try await radio.peers.call("/test/radio", Self.properties, member, arguments)
                return ""
            } catch {
                return String(error.name.split(separator: ".").last ?? "")
            }
        }

        @Test("GetAll serves exactly the declared properties, with the values and types of Get")
        func getAll() async throws {
            let all = try #require(try await ask("GetAll", .string("test.Radio1"))[0].dict)
            #expect(all.entries.compactMap(\.key.string) == ObjectBusTests.interface.properties.map(\.name))
            for entry in all.entries {
                let one = try await ask("Get", .string("test.Radio1"), entry.key)
                #expect(one == [entry.value])
            }
        }

        @Test("A property that has no value, or one of another type, is reported and left out")
        func brokenHandler() async throws {
            var faults: [String] = []
            radio.peers.server.onFault = { faults.append($0) }
            radio.handler.values["Volume"] = .int32(1)
            radio.handler.values["Model"] = nil
            let all = try await ask("GetAll", .string("test.Radio1"))[0].dictionary
            #expect(all?.keys.sorted() == ["Position", "Presets", "Station"])
            #expect(faults.count == 2)
            #expect(await errorName("Get", .string("test.Radio1"), .string("Volume")) == "Failed")
        }

        @Test("Set is answered when Get already gives the new value")
        func setIsVisible() async throws {
            _ = try await ask("Set", .string("test.Radio1"), .string("Volume"), .variant(.double(0.25)))
            #expect(try await ask("Get", .string("test.Radio1"), .string("Volume"))[0].double == 0.25)
        }

        @Test("Bad property calls are answered by name, and change nothing")
        func refusals() async throws {
            let radio1 = BusValue.string("test.Radio1")
            #expect(await errorName("Get", radio1, .string("No")) == "UnknownProperty")
            #expect(await errorName("Get", .string("test.No"), .string("Volume")) == "UnknownInterface")
            #expect(await errorName("GetAll", .string("test.No")) == "UnknownInterface")
            #expect(await errorName("Get", .string(""), .string("Volume")) == "UnknownInterface")
            #expect(await errorName("Set", radio1, .string("Model"), .variant(.string("x"))) == "PropertyReadOnly")
            #expect(await errorName("Set", radio1, .string("No"), .variant(.string("x"))) == "UnknownProperty")
            #expect(await errorName("Set", radio1, .string("Volume"), .variant(.int32(1))) == "InvalidArgs")
            #expect(await errorName("Set", radio1, .string("Volume"), .double(1)) == "InvalidArgs")
            #expect(await errorName("Set", radio1, .string("Volume"), .variant(.variant(.double(1)))) == "InvalidArgs")
            #expect(radio.handler.values == ObjectBusTests.values)
        }

        @Test("A handler's refusal of a value arrives, and the value stays")
        func handlerRefuses() async throws {
            radio.handler.onSet = { _, _ throws(BusError) in throw .invalidArguments("too loud") }
            #expect(
                await errorName("Set", .string("test.Radio1"), .string("Volume"), .variant(.double(9))) == "InvalidArgs"
            )
            #expect(radio.handler.values["Volume"] == .double(0.5))
        }

        @Test(
            "PropertiesChanged carries values, names the invalidating, leaves out the silent, the constant and the unknown"
        )
        func changes() async throws {
            let server = radio.peers.server
            var faults = 0
            server.onFault = { _ in faults += 1 }
            let arrived = Happening()
            var signals: [[BusValue]] = []
            let subscription = try radio.peers.client.subscribe(
                MatchRule(sender: server.uniqueName, interface: Self.properties, arg0: "test.Radio1")
            ) { message in
                signals.append((try? message.values()) ?? [])
                if signals.count == 2 { arrived.happen() }
            }
            // The subscription is with the bus once a later call is answered.
            _ = try await radio.peers.client.owner(of: "org.freedesktop.DBus")
            try server.emitPropertiesChanged(
                "/test/radio", "test.Radio1",
                [
                    "Volume": .double(1), "Presets": .strings([]), "Position": .int64(9), "Model": .string("R2"),
                    "No": .byte(1), "Station": .int32(1),
                ])
            try server.emitPropertiesChanged("/test/radio", "test.Radio1", ["Position": .int64(10)])
            try server.emitPropertiesChanged("/test/radio", "test.Radio1", ["Station": .string("x")])
            #expect(await arrived.wait())
            #expect(
                signals == [
                    [.string("test.Radio1"), .dictionary(["Volume": .double(1)]), .strings(["Presets"])],
                    [.string("test.Radio1"), .dictionary(["Station": .string("x")]), .strings([])],
                ])
            #expect(faults == 2)
            subscription.cancel()
        }
    }
}
