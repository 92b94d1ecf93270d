import Dispatch
import Glibc
import NyanDBus
import NyanTestKit
import Testing

extension BusTests {
    /// The short-lived client's way: no loop, and what becomes of a bus that is not there.
    @Suite struct BlockingBusTests {
        @Test("A blocking call answers without being attached, with the same errors")
        func blocking() throws {
            let bus = try PrivateBus()
            let client = try Connection.open(.address(bus.address))
            let names = try client.callBlocking(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "ListNames")
            #expect(names[0].strings?.contains(client.uniqueName) == true)
            #expect(try client.processIDBlocking(of: client.uniqueName) == getpid())
            #expect(!client.isAttached)
            let other = try Connection.open(.address(bus.address))
            var kinds: [BusError.Kind] = []
            for (name, path) in [("test.nobody", "/"), (other.uniqueName, "/x")] as [(String, ObjectPath)] {
                do throws(BusError) {
                    _ = try client.callBlocking(
                        destination: name, path: path, interface: "a.b", member: "C", timeout: .milliseconds(100))
                } catch {
                    kinds.append(error.kind)
                }
            }
            #expect(kinds == [.noOwner, .timedOut])
        }

        @Test("A signal read in passing by a blocking call is delivered afterwards")
        func readInPassing() async throws {
            let peers = try TwoPeers()
            let arrived = Happening()
            let subscription = try peers.client.subscribe(MatchRule(member: "A")) { _ in arrived.happen() }
            _ = try await peers.client.owner(of: "org.freedesktop.DBus")
            try peers.server.emit("/a", "a.b", "A")
            // The bus has passed the signal on when it answers its sender.
            _ = try peers.server.processIDBlocking(of: peers.client.uniqueName)
            _ = try peers.client.processIDBlocking(of: peers.client.uniqueName)
            #expect(!arrived.happened)
            #expect(await arrived.wait(atMost: .seconds(5)))
            subscription.cancel()
        }

        @Test("A service is started unless the call says not to")
        func autoStart() async throws {
            let folder = "/tmp/nyan-services-\(getpid())"
            try #require(mkdir(folder, 0o700) == 0)
            let file = folder + "/test.Started.service"
            defer {
                unlink(file)
                rmdir(folder)
            }
            let text = "[D-BUS Service]\nName=test.Started\nExec=/bin/false\n"
            let descriptor = creat(file, 0o600)
            try #require(write(descriptor, text, text.utf8.count) == text.utf8.count)
            close(descriptor)
            let bus = try PrivateBus(services: folder)
            let client = try Connection.open(.address(bus.address))
            var kinds: [BusError.Kind] = []
            for autoStart in [true, false] {
                do throws(BusError) {
                    _ = try client.callBlocking(
                        destination: "test.Started", path: "/", interface: "a.b", member: "C", autoStart: autoStart)
                } catch {
                    kinds.append(error.kind)
                }
            }
            #expect(kinds == [.cannotStart, .noOwner])
        }

        @Test("A call that is not attached fails instead of waiting for ever")
        func notAttached() async throws {
            let bus = try PrivateBus()
            let client = try Connection.open(.address(bus.address))
            let outcome = await kind { () throws(BusError) in _ = try await client.owner(of: "org.freedesktop.DBus") }
            #expect(outcome == .other)
        }

        @Test("No bus is an error", arguments: ["unix:path=/nonexistent/bus", "nonsense", "", "unix:path=/a\0b"])
        func noBus(address: String) {
            #expect(throws: BusError.self) { try Connection.open(.address(address)) }
            do throws(BusError) { _ = try Connection.open(.address(address)) } catch { #expect(error.kind == .noBus) }
        }
    }
}
