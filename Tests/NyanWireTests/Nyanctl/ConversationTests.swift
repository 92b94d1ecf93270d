import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What nyanctl says to a daemon and prints of its answers.
@Suite("nyanctl and a daemon", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct ConversationTests {
    private struct State: Decodable, Equatable { let state: String }
    private struct Row: Decodable { let id: String, state: String?, position: Int?, current: Bool? }

    private func state(_ line: String?) throws -> String {
        try JSONDecoder().decode(State.self, from: Data(try #require(line).utf8)).state
    }

    private func row(_ audio: Int64, _ state: Download.State, why: String? = nil) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: audio), artist: "A", title: "T\(audio)", state: state,
            problem: why.map { .init(code: "disk-full", message: $0) })
    }

    @Test("status --follow tells at once, at each change, when the daemon goes, and when it is back")
    func follow() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try desk.daemon()
        let program = try desk.start("status", "--follow", "--json")
        #expect(try state(await program.line()) == "stopped")
        try daemon?.emit(StatusReport(state: .playing))
        #expect(try state(await program.line()) == "playing", "\(program.errors)")
        try daemon?.emit(StatusReport(state: .paused))
        #expect(try state(await program.line()) == "paused")
        daemon?.connection.close()
        daemon = nil
        #expect(await program.line() == #"{"state":"absent"}"#)
        daemon = try desk.daemon()
        #expect(try state(await program.line()) == "stopped")
        program.send(15)
        #expect(await program.status() == 128 + 15)
    }

    @Test("status --follow without a daemon says so at once and waits for it; the end of the bus ends it with 3")
    func followAbsent() async throws {
        let desk = try Desk()
        let program = try desk.start("status", "--follow")
        #expect(await program.line() == "absent")
        let daemon = try desk.daemon()
        #expect(await program.line() == "stopped")
        desk.bus.kill()
        #expect(await program.status() == 3)
        _ = daemon
    }

    @Test("A follower ends with its reader, although nothing changes")
    func readerGone() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        var environment = desk.environment
        environment["PATH"] = "/usr/bin:/bin"
        let script = "{ \"$0\" status --follow; echo \"ended $?\" >&2; } | head -n 1"
        let outcome = try await Program(["/bin/sh", "-c", script, Desk.programPath], environment: environment).outcome()
        #expect(outcome.output == "stopped\n" && outcome.errors == "ended 141\n")
        _ = daemon
    }

    @Test("Row numbers mean the listing last printed; play takes the whole of it, delete the one row")
    func rows() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Library.Profile", TrackCoding.list(sampleTracks))
        daemon.answers("Library.DeleteCopies", .uint32(1), .int64(5))
        #expect(try await desk.ctl("play", "1").status == 5)
        let listing = try await desk.ctl("profile")
        #expect(listing.status == 0 && listing.errors.isEmpty)
        #expect(listing.output.split(separator: "\n").count == 2)
        #expect(try await desk.ctl("play", "2").status == 0)
        let all = ["1_2", "-2001550144_92550144_ab12"]
        #expect(daemon.arguments["Player.PlayTracks"] == [.strings(all), .uint32(1)])
        #expect(try await desk.ctl("delete", "2").status == 0)
        #expect(daemon.arguments["Library.DeleteCopies"] == [.strings([all[1]])])
        #expect(try await desk.ctl("delete", "3").status == 5)
        #expect(try await desk.ctl("play", "-2001550144_92550144").status == 0)
        #expect(daemon.arguments["Player.PlayTracks"] == [.strings(["-2001550144_92550144"]), .uint32(0)])
    }

    @Test("Somebody else's or no runtime directory is left alone: rows go to the state directory")
    func rowsElsewhere() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Library.Profile", TrackCoding.list(sampleTracks))
        for runtime in [nil, "/nowhere/at/all", "relative", "/proc/self"] {
            desk.environment["XDG_RUNTIME_DIR"] = runtime
            #expect(try await desk.ctl("profile").status == 0)
            let kept = desk.home + "/.local/state/nyand/nyanctl-rows"
            #expect(FileManager.default.fileExists(atPath: kept))
            try? FileManager.default.removeItem(atPath: kept)
        }
    }

    @Test("A listing written straight into the answer is the one made of values")
    func written() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Queue.List", TrackCoding.list(sampleTracks), .uint32(0))
        let byValues = try await desk.ctl("queue", "--json")
        daemon.replies["Queue.List"] = { _, _ in
            .written { writer throws(BusError) in
                try TrackCoding.write(sampleTracks, to: &writer)
                try writer.uint32(0)
            }
        }
        let written = try await desk.ctl("queue", "--json")
        #expect(byValues.status == 0 && written.status == 0)
        #expect(written.output == byValues.output && written.output.contains("Группа крови 🩸"))
    }

    @Test("The queue's JSON has positions and the current one")
    func queue() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Queue.List", TrackCoding.list(sampleTracks), .uint32(2))
        let outcome = try await desk.ctl("--json", "queue")
        let rows = try JSONDecoder().decode([Row].self, from: Data(outcome.output.utf8))
        #expect(rows.map(\.position) == [1, 2] && rows.map(\.current) == [false, true])
        #expect(try await desk.ctl("queue").output.contains("\n>2  Кино"))
    }

    @Test("download --wait ends with 0 once the given tracks are done, those in My Music included")
    func waitDone() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Downloads.Add", .uint32(1), .array([], of: "(ss)"))
        daemon.answers("Library.Music", TrackCoding.list([sampleTracks[1]]))
        daemon.answers("Downloads.List", DownloadCoding.list([row(1, .running)]))
        daemon.replies["Library.Music"] = { [weak daemon] _, _ in
            // The waiting has begun: now the other one comes to its end.
            Task { try daemon?.emit(self.row(1, .done)) }
            return .reply([TrackCoding.list([sampleTracks[1]])])
        }
        let outcome = try await desk.ctl("download", "--wait", "1_1", "-2001550144_92550144", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try JSONDecoder().decode([Row].self, from: Data(outcome.output.utf8))
        #expect(rows.map(\.state) == ["done", "done"])
    }

    @Test("download --wait ends with 1 and the reason when one failed")
    func waitFailed() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Downloads.Add", .uint32(0), .array([], of: "(ss)"))
        daemon.answers("Downloads.List", DownloadCoding.list([row(1, .failed, why: "no room"), row(2, .done)]))
        let outcome = try await desk.ctl("download", "1_1", "1_2", "--wait")
        #expect(outcome.status == 1 && outcome.errors.contains("no room"))
        #expect(outcome.output == "failed  A – T1: no room\ndone  A – T2\n")
    }

    @Test("download --all --wait with nothing to wait for ends at once, and with the daemon's end ends with 3")
    func waitAll() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Downloads.AddProfile", .uint32(0), .array([], of: "(ss)"), .strings([]))
        daemon.answers("Downloads.List", DownloadCoding.list([row(1, .failed, why: "old"), row(2, .done)]))
        #expect(try await desk.ctl("download", "--all", "--wait").status == 0)
        daemon.answers("Downloads.AddProfile", .uint32(1), .array([], of: "(ss)"), .strings(["1_1"]))
        var lists = 0
        daemon.replies["Downloads.List"] = { [weak daemon] _, _ in
            lists += 1
            // Goes away once the program follows.
            if lists == 1 { Task { daemon?.connection.close() } }
            return .reply([DownloadCoding.list([self.row(1, .running)])])
        }
        let outcome = try await desk.ctl("download", "--all", "--wait", "--timeout", "1")
        #expect(outcome.status == 3, "\(outcome)")
    }

    @Test("Of named tracks that cannot be had download tells how many and why, and ends with 1; the rest is queued")
    func refusedTracks() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let refused = [("1_2", "taken away"), ("1_3", "not in your country")].map {
            BusValue.structure([.string($0), .string($1)])
        }
        daemon.answers("Downloads.Add", .uint32(1), .array(refused, of: "(ss)"))
        let plain = try await desk.ctl("download", "1_1", "1_2", "1_3")
        #expect(plain.status == 1 && plain.output.isEmpty)
        #expect(plain.errors == "1 queued\nnyanctl: 2 cannot be had: taken away\n")
        let json = try await desk.ctl("--json", "download", "1_1", "1_2", "1_3")
        #expect(json.status == 1 && json.output == #"{"queued":1}"# + "\n")
        #expect(json.errors.contains(#""code":"unavailable-track""#))
    }

    @Test("With --json the number a command is answered with is its one document; others print nothing")
    func counts() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Downloads.Add", .uint32(2), .array([], of: "(ss)"))
        daemon.answers("Downloads.AddProfile", .uint32(450), .array([], of: "(ss)"), .strings([]))
        daemon.answers("Downloads.Cancel", .uint32(3))
        daemon.answers("Downloads.Retry", .uint32(0))
        daemon.answers("Queue.Add", .uint32(7))
        daemon.answers("Queue.Remove", .uint32(6))
        daemon.answers("Player.SetVolume", .double(0.5))
        let documents = [
            ("download 1_1 1_2", #"{"queued":2}"#), ("download --all", #"{"queued":450}"#),
            ("cancel 1_1", #"{"cancelled":3}"#), ("retry --all", #"{"retried":0}"#),
            ("queue add 1_1", #"{"length":7}"#), ("queue remove 1", #"{"length":6}"#),
        ]
        for (command, document) in documents {
            let words = ["--json"] + command.split(separator: " ").map(String.init)
            let outcome = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
            #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output == document + "\n", "\(command)")
        }
        for command in ["next", "pause", "volume 50", "queue clear", "queue move 1 2"] {
            let words = ["--json"] + command.split(separator: " ").map(String.init)
            let outcome = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
            #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.isEmpty, "\(command)")
        }
    }

    @Test("A secret goes through the descriptor, not through the message")
    func login() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        var secret = ""
        daemon.replies["Account.Login"] = { arguments, _ in
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = arguments[1].unixFD.map { read($0.descriptor, &bytes, bytes.count) } ?? 0
            secret = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            return .reply([
                .structure([.int64(9), .string("Кот"), .uint32(3), .string("token"), .string("hls")])
            ])
        }
        let outcome = try await desk.ctl("login", "--token", "--profile", "kate", input: "s3cret")
        #expect(outcome.status == 0)
        #expect(outcome.output == "Кот (9), 3 tracks, signed in by token, sound as HLS\n")
        let arguments = try #require(daemon.arguments["Account.Login"])
        #expect(arguments[0] == .string("token") && arguments[2] == .string("kate"))
        #expect(secret == "s3cret")
    }

    @Test("Numbers reach the daemon with their signs")
    func numbers() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Player.ChangeVolume", .double(0.5))
        _ = try await desk.ctl("seek", "-10")
        #expect(daemon.arguments["Player.SeekBy"] == [.int64(-10_000_000)])
        _ = try await desk.ctl("seek", "1:30")
        #expect(daemon.arguments["Player.SeekTo"] == [.int64(90_000_000)])
        _ = try await desk.ctl("volume", "-10")
        #expect(daemon.arguments["Player.ChangeVolume"] == [.double(-0.1)])
        daemon.answers("Library.Profile", TrackCoding.list([]))
        #expect(try await desk.ctl("profile", "--owner", "-88").errors == "this list is empty\n")
        #expect(daemon.arguments["Library.Profile"] == [.string(""), .int64(-88)])
        let news = SyncNews(changes: [.init(.gone, artist: "A", title: "T")], more: 4)
        let numbers: [BusValue] = [.uint32(450), .uint32(3), .uint32(1), .uint32(0)]
        daemon.replies["Library.Sync"] = { _, _ in .reply(numbers + SyncCoding.values(news)) }
        #expect(try await desk.ctl("sync").errors == "gone from the profile: A – T\nand 4 more\n")
        #expect(try await desk.ctl("sync").output == "450 tracks, 3 new, 1 removed\n")
        #expect(
            try await desk.ctl("sync", "--json").output
                == #"{"added":3,"removed":1,"total":450,"unavailable":0}"# + "\n")
    }
}
