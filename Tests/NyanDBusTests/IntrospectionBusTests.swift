import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// Introspection, and what other programs make of our objects.
    struct IntrospectionBusTests {
        let radio: ObjectBusTests

        init() throws {
            radio = try ObjectBusTests()
            try radio.peers.server.export(ExportedObject(at: "/test/radio/deep/child", []))
        }

        private func introspect(_ path: ObjectPath) async throws -> String {
            let answer = try await radio.peers.call(path, "org.freedesktop.DBus.Introspectable", "Introspect")
            return try #require(answer[0].string)
        }

        @Test("Introspection shows the declaration word for word, and the child nodes")
        func golden() async throws {
            let xml = try await introspect("/test/radio")
            let ours = try #require(xml.split(separator: "  <interface name=\"test.Radio1\">\n").last)
            #expect(
                String(ours) == """
                        <method name="Tune">
                          <arg name="station" type="s" direction="in"/>
                          <arg name="volume" type="d" direction="in"/>
                          <arg name="ok" type="b" direction="out"/>
                        </method>
                        <method name="Off"/>
                        <property name="Station" type="s" access="readwrite"/>
                        <property name="Volume" type="d" access="readwrite"/>
                        <property name="Position" type="x" access="read">
                          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
                        </property>
                        <property name="Presets" type="as" access="read">
                          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>
                        </property>
                        <property name="Model" type="s" access="read">
                          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
                        </property>
                        <signal name="Tuned">
                          <arg name="station" type="s"/>
                          <arg name="at" type="x"/>
                        </signal>
                      </interface>
                      <node name="deep"/>
                    </node>

                    """)
            for name in ["Properties", "Introspectable", "Peer"] {
                #expect(xml.contains("<interface name=\"org.freedesktop.DBus.\(name)\">"))
            }
            #expect(xml.hasPrefix("<!DOCTYPE node PUBLIC"))
        }

        @Test(
            "Paths above an object list their children; a path beside has nothing",
            arguments: ["/", "/test", "/test/radio/deep"])
        func parents(path: String) async throws {
            let child = ["/": "test", "/test": "radio", "/test/radio/deep": "child"][path] ?? ""
            let xml = try await introspect(try #require(ObjectPath(path)))
            #expect(xml.contains("<node name=\"\(child)\"/>"))
            #expect(!xml.contains("test.Radio1"))
            await #expect(throws: BusError.unknownObject("/tes")) { try await introspect("/tes") }
        }

        @Test("Text in the declaration is escaped")
        func escaping() {
            let xml = IntrospectionXML.node([Interface("a.b", methods: [Method("M", in: [Argument("<&\">", "s")])])])
            #expect(xml.contains("<arg name=\"&lt;&amp;&quot;&gt;\" type=\"s\" direction=\"in\"/>"))
        }

        @Test("gdbus reads the introspection and shows the same members and values")
        func gdbus() async throws {
            let outcome = await ChildProcess.run([
                "gdbus", "introspect", "--address", radio.peers.bus.address, "--dest", radio.peers.server.uniqueName,
                "--object-path", "/test/radio",
            ])
            #expect(outcome.status == 0)
            for line in [
                "Tune(in  s station,", "readwrite d Volume = 0.5;", "readonly x Position = 3;",
                "readwrite s Station = 'Маяк';",
                "readonly as Presets = ['a'];", "node deep {",
                "@org.freedesktop.DBus.Property.EmitsChangedSignal(\"false\")",
            ] {
                #expect(outcome.output.contains(line), "\(outcome.output)")
            }
        }

        @Test("dbus-send reads every property, and Peer answers too")
        func dbusSend() async throws {
            let target = [
                "dbus-send", "--bus=" + radio.peers.bus.address, "--print-reply=literal",
                "--dest=" + radio.peers.server.uniqueName, "/test/radio",
            ]
            let all = await ChildProcess.run(target + ["org.freedesktop.DBus.Properties.GetAll", "string:test.Radio1"])
            #expect(all.status == 0)
            let words = all.output.split { $0.isWhitespace || "[](),".contains($0) }.map(String.init)
            #expect(
                words.filter { $0 != "dict" && $0 != "entry" } == [
                    "array", "Station", "variant", "Маяк", "Volume", "variant", "double", "0.5", "Position", "variant",
                    "int64",
                    "3", "Presets", "variant", "array", "a", "Model", "variant", "R1",
                ])
            #expect(await ChildProcess.run(target + ["org.freedesktop.DBus.Peer.Ping"]).status == 0)
            #expect(await ChildProcess.run(target + ["org.freedesktop.DBus.Peer.GetMachineId"]).status == 0)
        }

        @Test("busctl calls a method, and is refused with the wrong types")
        func busctl() async throws {
            radio.handler.onCall = { _, _, _ in .reply([.bool(true)]) }
            let right = await ChildProcess.run([
                "busctl", "--address=" + radio.peers.bus.address, "call", radio.peers.server.uniqueName, "/test/radio",
                "test.Radio1", "Tune", "sd", "x", "0.5",
            ])
            #expect(right.status == 0 && right.output == "b true\n")
            let wrong = await ChildProcess.run([
                "busctl", "--address=" + radio.peers.bus.address, "call", radio.peers.server.uniqueName, "/test/radio",
                "test.Radio1", "Tune", "ss", "x", "y",
            ])
            #expect(wrong.status != 0)
        }

        @Test("A declaration that D-Bus does not allow is refused when it is exported")
        func badDeclarations() {
            let bad = [
                [Interface("noDot")], [Interface("a.b", methods: [Method("has space")])],
                [Interface("a.b", properties: [Property("P", "ss")])], [Interface("a.b"), Interface("a.b")],
                [Interface("org.freedesktop.DBus.Properties")],
                [Interface("a.b", signals: [Signal("S", [Argument("x", "")])])],
            ]
            for interfaces in bad {
                #expect(throws: BusError.self) {
                    try radio.peers.server.export(
                        ExportedObject(at: "/bad", interfaces.map { ($0, ScriptedHandler()) }))
                }
            }
            #expect(throws: BusError.self) { try radio.peers.server.export(ExportedObject(at: "/test/radio", [])) }
            radio.peers.server.unexport("/test/radio")
            #expect(throws: Never.self) { try radio.peers.server.export(ExportedObject(at: "/test/radio", [])) }
        }
    }
}
