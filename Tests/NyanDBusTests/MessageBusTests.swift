import Glibc
import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// Values over a real bus: what is sent is what arrives.
    struct MessageBusTests {
        /// A server that answers `Echo` with whatever it was given, in a variant.
        static func echo() throws -> TwoPeers {
            let peers = try TwoPeers()
            let handler = ScriptedHandler()
            handler.onCall = { _, arguments, _ in .reply(arguments) }
            let interface = Interface(
                "test.Echo", methods: [Method("Echo", in: [Argument("in", "v")], out: [Argument("out", "v")])])
            try peers.server.export(ExportedObject(at: "/echo", [(interface, handler)]))
            return peers
        }

        /// U+FFFF and U+FDD0, which older checkers of UTF-8 refuse.
        static let nonCharacters = BusValue.string(
            String(decoding: [0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self))

        static let values: [BusValue] = [
            .byte(0), .byte(255), .bool(true), .bool(false), .int16(.min), .int16(.max), .uint16(.max), .int32(.min),
            .int32(.max), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max), .double(-0.5), .double(.infinity),
            .double(.leastNonzeroMagnitude), .string(""), .string("Привет, 世界 🎵 e\u{301}"),
            nonCharacters, .string(String(repeating: "x", count: 70_000)), .objectPath("/"),
            .objectPath("/a/b_2"), .signature(""), .signature("a{sv}(ii)"), .variant(.variant(.int32(1))),
            .bytes([]), .bytes([0, 1, 255]), .strings([]), .strings(["a", ""]), .objectPaths(["/a"]),
            .array([.bool(true), .bool(false)], of: "b"), .array([], of: "(sa{sv})"),
            .array([.bytes([1]), .bytes([])], of: "ay"), .array([.strings(["x"]), .strings([])], of: "as"),
            .structure([.int32(1), .string("x"), .structure([.byte(1), .double(2)])]),
            .array([.structure([.string("a"), .int64(1)]), .structure([.string("b"), .int64(2)])], of: "(sx)"),
            .dictionary([:]),
            .dictionary(["b": .int32(1), "a": .strings(["x"]), "c": .dictionary(["d": .bool(true)])]),
            .dictionaries([["a": .byte(1)], [:]]), .array([.variant(.byte(1)), .variant(.string("x"))], of: "v"),
        ]

        @Test("Every type comes back as it was sent, nested ones too")
        func roundTrips() async throws {
            let peers = try Self.echo()
            for value in Self.values {
                let answer = try await peers.call("/echo", "test.Echo", "Echo", [.variant(value)])
                #expect(answer == [.variant(value)])
            }
        }

        @Test("Dictionaries with every kind of basic key come back")
        func dictionaryKeys() async throws {
            let peers = try Self.echo()
            let keys: [BusValue] = [
                .byte(1), .bool(true), .int16(-1), .uint16(1), .int32(-1), .uint32(1), .int64(-1), .uint64(1),
                .double(0.5),
                .string("k"), .objectPath("/k"), .signature("s"),
            ]
            for key in keys {
                let entry = BusDict.Entry(key: key, value: .string("v"))
                let dict = try #require(BusDict(key: key.signatureOfValue, value: "s", entries: [entry]))
                let answer = try await peers.call("/echo", "test.Echo", "Echo", [.variant(.dict(dict))])
                #expect(answer[0].dict == dict)
            }
        }

        @Test("A string is cut at its first NUL, and bytes that are not UTF-8 are replaced")
        func dangerousStrings() async throws {
            let peers = try Self.echo()
            let cut = try await peers.call("/echo", "test.Echo", "Echo", [.variant(.string("abc\0def"))])
            #expect(cut == [.variant(.string("abc"))])
            let broken = String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self)
            let kept = try await peers.call("/echo", "test.Echo", "Echo", [.variant(.string(broken))])
            #expect(kept[0].string == broken)
            #expect(broken.unicodeScalars.contains("\u{FFFD}"))
        }

        @Test(
            "What D-Bus cannot carry is refused before it reaches libdbus, and the connection lives",
            arguments: [
                BusValue.array([.string("a"), .int32(1)], of: "s"), .array([.string("a")], of: "i"), .structure([]),
                .array([.strings([]), .bytes([])], of: "as"), .array([.structure([.byte(1)])], of: "(yy)"),
                .array([.structure([.byte(1), .byte(2)])], of: "(y)"), .array([], of: "ss"), .array([], of: ""),
                .structure(Array(repeating: .byte(0), count: 260)), .array([.dictionary([:])], of: "a{ss}"),
                .array([], of: Signature(String(repeating: "a", count: 32) + "i") ?? "i"),
            ])
        func refusals(value: BusValue) async throws {
            let peers = try Self.echo()
            for argument in [value, .variant(value)] {
                let refused = await kind { () throws(BusError) in
                    _ = try await peers.call("/echo", "test.Echo", "Echo", [argument])
                }
                #expect(refused == .invalidArguments)
            }
            #expect(try await peers.call("/echo", "test.Echo", "Echo", [.variant(.byte(1))]) == [.variant(.byte(1))])
        }

        @Test("64 nested containers travel, 65 are refused here")
        func depth() async throws {
            let peers = try Self.echo()
            func nested(_ depth: Int) -> BusValue { (0..<depth).reduce(.byte(7)) { value, _ in .variant(value) } }
            #expect(try await peers.call("/echo", "test.Echo", "Echo", [nested(64)]) == [nested(64)])
            let refused = await kind { () throws(BusError) in
                _ = try await peers.call("/echo", "test.Echo", "Echo", [nested(65)])
            }
            #expect(refused == .invalidArguments)
            #expect(peers.client.isConnected)
        }

        @Test(
            "Names that libdbus would abort on are refused",
            arguments: [
                ("bad", "i.f", "M"), ("a.b", "noDot", "M"), ("a.b", "i.f", "has space"), ("a.b", "i.f", ""),
                ("", "i.f", "M"),
                ("a.b\0c", "i.f", "M"), ("a.b", "i.f\0", "M"), ("a.b", "i.1f", "M"), ("a.b", "i.f", "М"),
            ])
        func badNames(destination: String, interface: String, member: String) async throws {
            let peers = try TwoPeers()
            let refused = await kind { () throws(BusError) in
                _ = try await peers.client.call(
                    destination: destination, path: "/", interface: interface, member: member)
            }
            #expect(refused == .invalidArguments)
        }

        @Test(
            "A file descriptor arrives as a duplicate; the sender's stays open and the receiver's closes with its owner"
        )
        func fileDescriptors() async throws {
            let peers = try Self.echo()
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let mine = OwnedFD(owning: ends[1])
            let answer = try await peers.call("/echo", "test.Echo", "Echo", [.variant(.unixFD(mine))])
            var received = answer[0].unixFD
            let number = try #require(received?.descriptor)
            #expect(number != ends[1])
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            #expect(write(number, "x", 1) == 1)
            var byte: UInt8 = 0
            #expect(read(ends[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))
            #expect(fcntl(ends[1], F_GETFD) >= 0)
            received = nil
            _ = mine.take()
            close(ends[1])
            // The answer's own copy is the last writer.
            #expect(answer[0].unixFD?.descriptor == number)
            #expect(close(ends[0]) == 0)
        }

        @Test("A descriptor closes with the last reference to its owner, and not when it was taken")
        func descriptorLife() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { close(ends[0]) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            var byte: UInt8 = 0
            var owner = OwnedFD(duplicating: ends[1])
            #expect(OwnedFD(owning: ends[1]).take() == ends[1])
            close(ends[1])
            // Nothing to read yet, but a writer is there; then the end of the file.
            #expect(read(ends[0], &byte, 1) == -1)
            #expect(owner != nil)
            owner = nil
            #expect(read(ends[0], &byte, 1) == 0)
            #expect(OwnedFD(duplicating: -1) == nil)
        }

        @Test("A descriptor that was given away is refused")
        func spentDescriptor() async throws {
            let peers = try Self.echo()
            let spent = OwnedFD(owning: dup(1))
            close(spent.take())
            #expect(spent.descriptor == -1)
            let refused = await kind { () throws(BusError) in
                _ = try await peers.call("/echo", "test.Echo", "Echo", [.variant(.unixFD(spent))])
            }
            #expect(refused == .invalidArguments)
        }

        @Test("12 MB there and back, more than a socket takes at once")
        func bigMessages() async throws {
            let peers = try Self.echo()
            var bytes = [UInt8](repeating: 7, count: 12_000_000)
            for place in stride(from: 0, to: bytes.count, by: 4099) { bytes[place] = UInt8(truncatingIfNeeded: place) }
            let answer = try await peers.call(
                "/echo", "test.Echo", "Echo", [.variant(.bytes(bytes))], timeout: .seconds(60))
            #expect(answer[0].bytes == bytes)
        }

        @Test("A body beyond 64 MiB is refused and the connection lives")
        func tooBig() async throws {
            let peers = try Self.echo()
            let bytes = [UInt8](repeating: 0, count: (64 << 20) + 1)
            let refused = await kind { () throws(BusError) in
                _ = try await peers.call("/echo", "test.Echo", "Echo", [.variant(.bytes(bytes))])
            }
            #expect(refused == .invalidArguments)
            #expect(try await peers.call("/echo", "test.Echo", "Echo", [.variant(.byte(1))]) == [.variant(.byte(1))])
        }
    }
}
