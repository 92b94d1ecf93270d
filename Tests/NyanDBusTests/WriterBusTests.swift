import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// Rows written and read part by part, without a value per field.
    struct WriterBusTests {
        static let rowType: Signature = "a(xsssuubbasa{sv}td)"
        static let interface = Interface(
            "test.Rows", methods: [Method("List", in: [Argument("count", "u")], out: [Argument("rows", rowType)])])

        /// A row as its fields.
        static func row(_ number: Int) -> BusValue {
            .structure([
                .int64(Int64(number)), .string("Исполнитель \(number)"), .string("Title \(number)"), .string(""),
                .uint32(UInt32(number)), .uint32(7), .bool(number % 2 == 0), .bool(false), .strings(["a", "b"]),
                .dictionary(["cover": .string("/tmp/\(number)")]), .uint64(9), .double(0.5),
            ])
        }

        static func write(_ number: Int, to rows: inout MessageWriter) throws(BusError) {
            try rows.structure { row throws(BusError) in
                try row.int64(Int64(number))
                try row.string("Исполнитель \(number)")
                try row.string("Title \(number)")
                try row.string("")
                try row.uint32(UInt32(number))
                try row.uint32(7)
                try row.bool(number % 2 == 0)
                try row.bool(false)
                try row.array { names throws(BusError) in
                    try names.string("a")
                    try names.string("b")
                }
                try row.dict { more throws(BusError) in
                    try more.entry { entry throws(BusError) in
                        try entry.string("cover")
                        try entry.variant(of: "s") { value throws(BusError) in try value.string("/tmp/\(number)") }
                    }
                }
                try row.uint64(9)
                try row.double(0.5)
            }
        }

        @Test("Rows written by hand are the same message as rows made of values, and can be read by hand")
        func writtenRows() async throws {
            let peers = try TwoPeers()
            let handler = ScriptedHandler()
            handler.onCall = { _, arguments, _ in
                let count = arguments[0].integer ?? 0
                return .written { writer throws(BusError) in
                    try writer.array { rows throws(BusError) in
                        for number in 0..<count { try Self.write(number, to: &rows) }
                    }
                }
            }
            try peers.server.export(ExportedObject(at: "/rows", [(Self.interface, handler)]))
            let message = try await peers.client.call(
                MethodCall(peers.server.uniqueName, "/rows", "test.Rows", "List", [.uint32(50)]))
            let expected = BusValue.array((0..<50).map(Self.row), of: "(xsssuubbasa{sv}td)")
            #expect(try message.values() == [expected])

            var titles: [String] = []
            var reader = MessageReader(message)
            try reader.array { rows throws(BusError) in
                try rows.structure { row throws(BusError) in
                    _ = try row.int64()
                    _ = try row.string()
                    titles.append(try row.string())
                }
            }
            #expect(titles == (0..<50).map { "Title \($0)" })
            let isAtEnd = reader.isAtEnd
            #expect(isAtEnd)
        }

        /// Ways to write something else than the announced array of structs.
        enum Fault: CaseIterable {
            case string, nothing, halfStruct, entryInArray, dict, bytes, tooMuch

            func write(to writer: inout MessageWriter) throws(BusError) {
                switch self {
                case .string: try writer.string("x")
                case .nothing: break
                case .halfStruct:
                    try writer.array { rows throws(BusError) in
                        try rows.structure { row throws(BusError) in try row.int64(1) }
                    }
                case .entryInArray:
                    try writer.array { rows throws(BusError) in
                        try rows.entry { entry throws(BusError) in try entry.int64(1) }
                    }
                case .dict: try writer.dict { dict throws(BusError) in try dict.string("x") }
                case .bytes: try writer.bytes([1])
                case .tooMuch:
                    try writer.append(.array([], of: "(xsssuubbasa{sv}td)"))
                    try writer.byte(1)
                }
            }
        }

        @Test("Writing another type than announced, too few or too many is refused and answered as an error")
        func wrongWriting() async throws {
            let peers = try TwoPeers()
            let handler = ScriptedHandler()
            var faults = 0
            peers.server.onFault = { _ in faults += 1 }
            try peers.server.export(ExportedObject(at: "/rows", [(Self.interface, handler)]))
            for fault in Fault.allCases {
                handler.onCall = { _, _, _ in .written { writer throws(BusError) in try fault.write(to: &writer) } }
                let outcome = await kind { () throws(BusError) in
                    _ = try await peers.call("/rows", "test.Rows", "List", [.uint32(1)])
                }
                #expect(outcome == .other)
            }
            #expect(faults == Fault.allCases.count)
            #expect(peers.server.isConnected)
        }

        @Test("Reading another type than is there throws and goes no further")
        func wrongReading() async throws {
            let peers = try TwoPeers()
            let message = try await peers.client.call(
                MethodCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames"))
            var reader = MessageReader(message)
            #expect(throws: BusError.self) { try reader.string() }
            #expect(throws: BusError.self) { try reader.structure { _ throws(BusError) in } }
            #expect(throws: BusError.self) { try reader.bytes() }
            #expect(throws: BusError.self) { try reader.array { _ throws(BusError) in } }
            #expect(throws: BusError.self) { try reader.dict { _ throws(BusError) in } }
        }
    }
}
