import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// What a served object answers: dispatch, properties, errors.
    struct ObjectBusTests {
        static let interface = Interface(
            "test.Radio1",
            methods: [
                Method("Tune", in: [Argument("station", "s"), Argument("volume", "d")], out: [Argument("ok", "b")]),
                Method("Off"),
            ],
            properties: [
                Property("Station", "s", .readWrite), Property("Volume", "d", .readWrite),
                Property("Position", "x", emitsChanged: .silent), Property("Presets", "as", emitsChanged: .invalidates),
                Property("Model", "s", emitsChanged: .const),
            ],
            signals: [Signal("Tuned", [Argument("station", "s"), Argument("at", "x")])])

        static let values: [String: BusValue] = [
            "Station": .string("Маяк"), "Volume": .double(0.5), "Position": .int64(3), "Presets": .strings(["a"]),
            "Model": .string("R1"),
        ]

        let peers: TwoPeers
        let handler = ScriptedHandler()

        init() throws {
            peers = try TwoPeers()
            handler.values = Self.values
            try peers.server.export(ExportedObject(at: "/test/radio", [(Self.interface, handler)]))
        }

        @Test("A method gets its arguments and its answer goes back", arguments: [true, false])
        func answers(later: Bool) async throws {
            let caller = peers.client.uniqueName
            handler.onCall = { member, arguments, context in
                let answer: [BusValue] = [.bool(arguments == [.string("x"), .double(0.5)] && member == "Tune")]
                #expect(context.sender == caller)
                #expect(context.wantsReply)
                return later
                    ? .later { () throws(BusError) in
                        await Task.yield(); return answer
                    } : .reply(answer)
            }
            let answer = try await peers.call("/test/radio", "test.Radio1", "Tune", [.string("x"), .double(0.5)])
            #expect(answer == [.bool(true)])
        }

        @Test("A kept call can be answered after others were, and only once")
        func answersOutOfOrder() async throws {
            var kept: [String: CallContext] = [:]
            let twoAreHere = Happening()
            handler.onCall = { _, arguments, context in
                kept[arguments[0].string ?? ""] = context
                if kept.count == 2 { twoAreHere.happen() }
                return .taken
            }
            async let first = peers.call("/test/radio", "test.Radio1", "Tune", [.string("1"), .double(0)])
            async let second = peers.call("/test/radio", "test.Radio1", "Tune", [.string("2"), .double(0)])
            #expect(await twoAreHere.wait())
            kept["2"]?.reply([.bool(true)])
            kept["2"]?.fail(.failed("too late"))
            kept["1"]?.fail(BusError(name: "test.Error.Broken", message: "no"))
            let answer = try await second
            #expect(answer == [.bool(true)])
            do {
                _ = try await first
                Issue.record("answered")
            } catch let error as BusError {
                #expect(error == BusError(name: "test.Error.Broken", message: "no"))
            }
        }

        @Test("A kept call that is dropped is answered with an error")
        func dropped() async throws {
            handler.onCall = { _, _, _ in .taken }
            let outcome = await kind { () throws(BusError) in
                _ = try await peers.call("/test/radio", "test.Radio1", "Off")
            }
            #expect(outcome == .other)
        }

        @Test("An error from a handler, at once or later, arrives with its name and text", arguments: [true, false])
        func errors(later: Bool) async throws {
            let error = BusError(name: "test.Error.NoStation", message: "нет такой")
            handler.onCall = { _, _, _ throws(BusError) in
                if later { return .later { () throws(BusError) in throw error } }
                throw error
            }
            await #expect(throws: error) { try await peers.call("/test/radio", "test.Radio1", "Off") }
        }

        @Test("An error name D-Bus does not allow becomes Failed, and a NUL in the text does not hurt")
        func badErrorName() async throws {
            handler.onCall = { _, _, _ throws(BusError) in throw BusError(name: "not a name", message: "a\0b") }
            await #expect(throws: BusError.failed("a")) { try await peers.call("/test/radio", "test.Radio1", "Off") }
        }

        @Test("An answer of the wrong type is reported as our fault and answered as an error")
        func wrongAnswer() async throws {
            var fault = ""
            peers.server.onFault = { fault = $0 }
            handler.onCall = { _, _, _ in .reply([.string("yes")]) }
            let outcome = await kind { () throws(BusError) in
                _ = try await peers.call("/test/radio", "test.Radio1", "Tune", [.string(""), .double(0)])
            }
            #expect(outcome == .other)
            #expect(fault.hasPrefix("Tune"))
        }

        @Test(
            "What does not exist is answered by name",
            arguments: [
                ("/nowhere", "test.Radio1", "Off", "", "UnknownObject"),
                ("/test/radio", "test.No", "Off", "", "UnknownInterface"),
                ("/test/radio", "test.Radio1", "No", "", "UnknownMethod"),
                ("/test/radio", "test.Radio1", "Tune", "", "InvalidArgs"),
                ("/test/radio", "test.Radio1", "Off", "s", "InvalidArgs"),
                ("/test", "test.Radio1", "Off", "", "UnknownObject"),
                ("/test/radio", "org.freedesktop.DBus.Properties", "Get", "s", "InvalidArgs"),
                ("/test/radio", "org.freedesktop.DBus.Properties", "No", "", "UnknownMethod"),
                ("/test/radio", "org.freedesktop.DBus.Introspectable", "No", "", "UnknownMethod"),
            ])
        func unknowns(path: String, interface: String, member: String, types: String, error: String) async throws {
            handler.onCall = { _, _, _ in .done }
            let path = try #require(ObjectPath(path))
            let arguments: [BusValue] = types.map { _ in .string("x") }
            var found = ""
            do throws(BusError) { _ = try await peers.call(path, interface, member, arguments) } catch {
                found = error.name
            }
            #expect(found == "org.freedesktop.DBus.Error." + error)
        }

        @Test("A call that names no interface finds its member")
        func withoutInterface() async throws {
            handler.onCall = { _, _, _ in .done }
            for (member, answers) in [("Off", 0), ("Introspect", 1)] {
                let answer = try await peers.client.call(
                    MethodCall(peers.server.uniqueName, "/test/radio", nil, member)
                ).values()
                #expect(answer.count == answers)
            }
            let all = try await peers.client.call(
                MethodCall(peers.server.uniqueName, "/test/radio", nil, "GetAll", [.string("test.Radio1")]))
            #expect(try all.values()[0].dictionary?.count == 5)
            let unknown = await kind { () throws(BusError) in
                _ = try await peers.client.call(MethodCall(peers.server.uniqueName, "/test/radio", nil, "No"))
            }
            #expect(unknown == .unknownMember)
        }

        @Test("A caller that wants no answer gets none, and the call is carried out")
        func noReply() async throws {
            let called = Happening()
            handler.onCall = { _, _, context in
                #expect(!context.wantsReply)
                called.happen()
                return .done
            }
            try peers.client.send(MethodCall(peers.server.uniqueName, "/test/radio", "test.Radio1", "Off"))
            #expect(await called.wait())
        }
    }
}
