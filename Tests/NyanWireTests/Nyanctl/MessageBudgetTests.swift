import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What nyanctl costs the bus: messages are counted, because times on a busy machine say nothing.
@Suite("Messages of nyanctl", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct MessageBudgetTests {
    /// `dbus-monitor`, and how to know that it has told everything.
    private struct Monitor {
        private let program: Program
        private let daemon: ScriptedDaemon

        /// Started while nobody else is on the bus but the daemon.
        init(_ desk: Desk, _ daemon: ScriptedDaemon) async throws {
            self.daemon = daemon
            var environment = desk.environment
            environment["PATH"] = "/usr/bin:/bin"
            program = try Program(["/usr/bin/env", "dbus-monitor", "--profile"], environment: environment)
            // The monitor loses its name when it becomes one: from now on everything is told.
            while let line = await program.line(), !line.contains("NameLost") {}
        }

        /// The members that were called or signalled since, of everybody but the daemon and the bus: by connection.
        func clients() async throws -> [[String]] {
            try daemon.connection.emit("/end", "org.example.Monitor", "End", [])
            var members: [String: [String]] = [:]
            var order: [String] = []
            while let line = await program.line() {
                // Kind, time, serial, sender, destination, path, interface, member.
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard fields.count == 8 else { continue }
                if fields[7] == "End" { break }
                let sender = fields[3]
                guard sender.hasPrefix(":"), sender != daemon.connection.uniqueName else { continue }
                if members[sender] == nil { order.append(sender) }
                members[sender, default: []].append(fields[7])
            }
            return order.compactMap { members[$0] }
        }
    }

    @Test(
        "What asks or does one thing says Hello and sends one call",
        arguments: [
            (["status"], ["Hello", "GetStatus"]), (["status", "--json"], ["Hello", "GetStatus"]),
            (["status", "--format", "{title}"], ["Hello", "GetStatus"]), (["toggle"], ["Hello", "Toggle"]),
            (["next"], ["Hello", "Next"]), (["volume", "50"], ["Hello", "SetVolume"]),
        ])
    func oneCall(words: [String], members: [String]) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Player.SetVolume", .double(0.5))
        let monitor = try await Monitor(desk, daemon)
        let outcome = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await monitor.clients() == [members])
    }

    @Test("A listing is asked for once, over one connection", arguments: ["profile", "music"])
    func listing(command: String) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let tracks = (1...300 as ClosedRange<Int64>).map { number in
            let id = TrackID(owner: 1, audio: number)
            return ListedTrack(track: Track(id: id, artist: "A", title: "T\(number)", duration: 1), isAdded: true)
        }
        daemon.answers("Library.Profile", TrackCoding.list(tracks))
        daemon.answers("Library.Music", TrackCoding.list(tracks))
        let monitor = try await Monitor(desk, daemon)
        let outcome = try await desk.ctl(command)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 300)
        let clients = try await monitor.clients()
        #expect(clients.count == 1)
        #expect(clients[0].filter { $0 == "Sheet" }.count == 1)
        #expect(clients[0].count <= 5, "\(clients[0])")
    }

    @Test("A follower sends nothing for a change it is told")
    func following() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let follower = try desk.start("status", "--follow")
        #expect(await follower.line() == "stopped")
        let monitor = try await Monitor(desk, daemon)
        for state in [StatusReport.State.playing, .paused, .playing, .stopped] {
            try daemon.emit(StatusReport(state: state))
            #expect(await follower.line() == state.rawValue)
        }
        #expect(try await monitor.clients() == [])
    }
}
