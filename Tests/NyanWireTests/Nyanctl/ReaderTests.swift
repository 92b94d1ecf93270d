import Dispatch
import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// Followers and whoever reads them: asleep, slow, gone.
@Suite("Readers of followers", .serialized, .enabled(if: Desk.hasProgram), .timeLimit(.minutes(2)))
struct ReaderTests {
    private func playing(_ volume: Int) -> StatusReport {
        StatusReport(
            state: .playing,
            track: ListedTrack(
                track: Track(
                    id: TrackID(owner: 1, audio: 2), artist: "Кот", title: String(repeating: "мяу ", count: 60))),
            volume: Double(volume) / 10_000)
    }

    /// Until it has done what it had to do, and longer than a busy reader leaves a line unread.
    private func idle(_ process: pid_t) async throws {
        func work() throws -> [Substring] {
            let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return Array(stat.split(separator: " ")[13...14])
        }
        var before: [Substring]
        repeat {
            before = try work()
            await asleep()
        } while try work() != before
    }

    /// Longer than a busy reader leaves a line unread.
    private func asleep() async {
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + 1.2) { done.resume() }
        }
    }

    @Test("A reader that sleeps finds the newest state when it wakes")
    func sleeps() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let program = try desk.start("status", "--follow", "--json")
        #expect(try #require(await program.line()).contains(#""state":"stopped""#))
        for volume in 1...3000 {
            try daemon.emit(playing(volume))
            if volume.isMultiple(of: 100) { await settle() }
        }
        try await idle(program.processID)
        try daemon.emit(playing(9999))
        try await idle(program.processID)
        var lines: [String] = []
        while lines.last?.contains(#""volume":0.9999"#) != true, let line = await program.line() { lines.append(line) }
        // What the pipe had when it fell asleep, and the newest.
        #expect(lines.count <= 10, "\(lines.count)")
        try daemon.emit(playing(1))
        #expect(try #require(await program.line()).contains(#""volume":0.0001"#))
    }

    @Test("A terminal held by Ctrl-S shows the newest state afterwards")
    func held() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let program = try desk.terminal("status", "--follow", "--format", "<{state} {volume}>")
        try await program.until(contains: "<stopped 100>\r\n")
        program.type("\u{13}")
        await asleep()
        for number in 1...99 { try daemon.emit(playing(number * 100)) }
        await asleep()
        let mark = program.mark
        program.type("\u{11}")
        let shown = try await program.until(contains: "<playing 99>", since: mark)
        #expect(shown.count { $0 == "<" } <= 3, "\(shown)")
    }

    @Test("A busy reader gets every change, a slow one too; what a format does not show is no change")
    func busy() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let program = try desk.start("status", "--follow", "--format", "{volume}{?title} {title}{/}")
        #expect(await program.line() == "100")
        for number in 1...60 {
            try daemon.emit(playing(number * 100))
            var same = playing(number * 100)
            same.position = 1
            same.queueLength = number
            try daemon.emit(same)
        }
        for number in 1...60 { #expect(await program.line()?.hasPrefix("\(number) мяу") == true) }
    }

    @Test("A socket whose reader is gone ends a follower; a file ends none")
    func gone() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let script = """
            import socket, subprocess, sys
            ours, theirs = socket.socketpair()
            child = subprocess.Popen(sys.argv[1:], stdout=theirs)
            theirs.close()
            print(ours.makefile().readline().strip())
            ours.close()
            print(child.wait(10))
            """
        let outcome = try await Program(
            ["/usr/bin/python3", "-c", script, Desk.programPath, "status", "--follow"], environment: desk.environment
        ).outcome()
        #expect(outcome.output == "stopped\n141\n", "\(outcome.errors)")
        let file = desk.home + "/now"
        let program = try desk.terminal("status", "--follow", output: .file(file))
        func written() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        while written() != "stopped\n" { await settle() }
        try daemon.emit(StatusReport(state: .paused))
        while written() != "stopped\npaused\n" { await settle() }
        program.send(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM)
    }

    @Test("Of downloads that change while nobody reads it is told what became of them")
    func downloads() async throws {
        func row(_ audio: Int64, _ state: Download.State, _ why: String? = nil) -> DownloadReport {
            DownloadReport(
                id: TrackID(owner: 1, audio: audio), artist: "Кот", title: String(repeating: "T\(audio)", count: 50),
                state: state, problem: why.map { .init(code: "network", message: $0) })
        }
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Downloads.List", DownloadCoding.list((1...800).map { row($0, .waiting) }))
        let program = try desk.start("downloads", "--follow")
        #expect(await program.line()?.hasPrefix("waiting  Кот – T1") == true)
        for round in 1...20 { try daemon.emit(row(800, .waiting, "no network, try \(round)")) }
        try daemon.connection.emit(Names.nyandPath, NyandInterfaces.downloads.name, "Removed", [.strings(["1_799"])])
        try daemon.emit(row(800, .done))
        await asleep()
        // 800 rows are more than a pipe holds.
        var lines: [String] = []
        while lines.last?.hasPrefix("done") != true, let line = await program.line() { lines.append(line) }
        #expect(lines.count < 802 && !lines.contains { $0.contains("no network, try 20") }, "\(lines.count)")
        #expect(lines.count { $0.hasPrefix("waiting") } >= 797)
    }
}
