import Dispatch
import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Queues of tracks that cannot be played (field-issues.md B9): one round at most, one reason, and nothing is lost.
@Suite("Bad tracks", .serialized, .timeLimit(.minutes(4)))
struct BadTrackTests {
    /// New tracks of one second at the head of the profile, and their ids.
    static func shortTracks(_ count: Int, in house: House, named title: String = "Short") async throws -> [String] {
        struct Added: Decodable { let ids: [String] }
        let answer = try await house.fetch(
            "/_control",
            post: """
                {"cmd":"library-add","artist":"A","title":"\(title)","media":"second","hls":false,"count":\(count)}
                """)
        try #require(try await house.ctl("sync").status == 0)
        return try JSONDecoder().decode(Added.self, from: Data(answer.utf8)).ids
    }

    /// Media requests since the look-alike's log was cleared.
    private func requests(_ house: House) async throws -> Int {
        struct Stats: Decodable { let requests: [String: Int] }
        let stats = try JSONDecoder().decode(Stats.self, from: Data(try await house.fetch("/_stats").utf8))
        return stats.requests["mp3"] ?? 0
    }

    nonisolated private static let garbage =
        #""fault":"flip","at":[\#(stride(from: 0, to: 24_000, by: 2).map { "\($0)" }.joined(separator: ","))]"#

    @Test(
        "fifty bad tracks are given up after ten, whatever is wrong with them and whatever is repeated",
        arguments: [
            (#""fault":"status","value":404"#, "queue", "off"), (#""fault":"html""#, "track", "on"),
            (#""fault":"empty""#, "off", "on"), (#""fault":"error-page""#, "queue", "on"), (garbage, "queue", "off"),
            // Two frames: playbin3 aborts the process at the second of these unless it is replaced after the first.
            (#""fault":"shorten","at":900"#, "queue", "off"),
        ])
    func onlyBad(fault: String, repeating: String, shuffled: String) async throws {
        let house = try await House()
        let daemon = try await house.startDaemon(["--log-level", "info"])
        try await house.signIn()
        let ids = try await Self.shortTracks(50, in: house)
        try await house.ctl("repeat", repeating)
        try await house.ctl("shuffle", shuffled)
        try await house.control(#"{"cmd":"media-fault",\#(fault)}"#)
        try await house.control(#"{"cmd":"clear-log"}"#)
        let cpu = house.processorTime(of: daemon)
        let start = ContinuousClock.now
        // Nothing fails before it was seen where it begins.
        house.server?.send(SIGSTOP)
        try #require(try await house.run(["play"] + ids).status == 0)
        let first = try await house.status().queue.position
        house.server?.send(SIGCONT)
        try await house.until("it gives up", within: 60) { try await house.status().state == "stopped" }
        let share = (house.processorTime(of: daemon) - cpu) / ((ContinuousClock.now - start) / .seconds(1))
        #expect(share < 0.05)
        // Each is asked for with its address and with a fresh one.
        #expect(try await requests(house) <= 20)
        let told = daemon.errors.split(separator: "\n").filter { $0.contains(": 123456_") }
        #expect(told.count <= 10)
        let status = try await house.status()
        #expect(status.queue.length == 50)
        #expect(status.queue.position == first, "the place where it began")
        #expect(status.problem?.message.contains("tracks in a row could not be played") == true)
        try await house.control(#"{"cmd":"media-clear"}"#)
        // A second is soon over: what plays first is told line by line.
        let follower = try Program(
            [House.programs + "/nyanctl", "status", "--follow", "--format", "{state} {queue}"],
            environment: house.environment)
        DispatchQueue.main.asyncAfter(deadline: .now() + 60) { follower.send(SIGKILL) }
        #expect(await follower.line()?.hasPrefix("stopped ") == true)
        try #require(try await house.ctl("play").status == 0)
        var line = await follower.line()
        while let told = line, !told.hasPrefix("playing ") { line = await follower.line() }
        #expect(line == "playing \(first ?? 0)/50", "\(line ?? "nothing plays")")
        #expect(try await house.status().problem == nil)
    }

    @Test("stop answers at once while bad tracks are tried, and ends the trying")
    func stops() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let ids = try await Self.shortTracks(20, in: house)
        try await house.ctl("repeat", "queue")
        try await house.control(#"{"cmd":"media-fault","fault":"unreachable"}"#)
        try #require(try await house.run(["play"] + ids).status == 0)
        try await house.until("it tries") { try await requests(house) > 0 }
        #expect(try await house.ctl("--timeout", "5", "stop").status == 0)
        #expect(try await house.status().state == "stopped")
        try await house.control(#"{"cmd":"clear-log"}"#)
        #expect(try await house.ctl("--timeout", "5", "status").status == 0)
        #expect(try await requests(house) == 0)
        #expect(try await house.status().queue.length == 20)
    }

    @Test("good tracks among bad ones all play, one after another, and the bad ones are told once each")
    func mixed() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let ids = try await Self.shortTracks(7, in: house)
        let faults = [
            (1, #""fault":"status","value":404"#), (3, #""fault":"html""#), (4, Self.garbage), (6, #""fault":"empty""#),
        ]
        for (index, fault) in faults {
            try await house.control(#"{"cmd":"media-fault","track":"\#(ids[index])",\#(fault)}"#)
        }
        let follower = try Program(
            [House.programs + "/nyanctl", "status", "--follow", "--format", "{state} {queue}"],
            environment: house.environment)
        try #require(try await house.run(["play"] + ids).status == 0)
        var heard: [String] = []
        // A player that hangs tells nothing more.
        DispatchQueue.main.asyncAfter(deadline: .now() + 90) { follower.send(SIGKILL) }
        while heard.last != "6/7", let line = await follower.line() {
            let words = line.split(separator: " ")
            if words.first == "playing", let place = words.last.map(String.init), place != heard.last {
                heard.append(place)
            }
        }
        #expect(heard == ["1/7", "3/7", "6/7"])
        try await house.until("it ends") { try await house.status().state == "stopped" }
        for (index, _) in faults {
            let told = daemon.errors.split(separator: "\n").filter { $0.contains("nyand: \(ids[index]): ") }
            #expect((1...2).contains(told.count), "\(told)")
        }
    }

    enum Damage: String, CaseIterable { case emptied, text, directory, pipe, link }

    @Test("a damaged file in My Music is played from VK instead, and told; without network the file is the reason")
    func damagedFiles() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let ids = try await Self.shortTracks(Damage.allCases.count + 1, in: house)
        try #require(try await house.run(["download"] + ids + ["--wait"]).status == 0)
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        for (id, damage) in zip(ids, Damage.allCases) {
            let path = try #require(rows.first { $0.id == id }?.path)
            try FileManager.default.removeItem(atPath: path)
            switch damage {
            case .emptied: try Data().write(to: URL(fileURLWithPath: path))
            case .text:
                try String(repeating: "no sound ", count: 3000).write(toFile: path, atomically: true, encoding: .utf8)
            case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .pipe: mkfifo(path, 0o600)
            case .link: symlink("/nowhere", path)
            }
        }
        for id in ids {
            try #require(try await house.ctl("--timeout", "10", "play", id).status == 0)
            try await house.until("it plays") { try await house.status().state != "buffering" }
            let status = try await house.status()
            #expect(status.state == "playing" || status.problem == nil)
        }
        for (id, damage) in zip(ids, Damage.allCases) {
            // What is no file any more may be known as taken away before it is played.
            let isKnown = damage != .emptied && damage != .text && daemon.errors.contains("taken away by hand")
            #expect(isKnown || daemon.errors.contains("\(id): its file "), "\(damage)")
        }
        // What was fetched for playing is in the stream cache; what was not is asked of VK in vain.
        try await house.ctl("stop")
        try FileManager.default.removeItem(atPath: house.home + "/cache/nyand")
        try await house.ctl("offline", "on")
        try await house.ctl("play", ids[0])
        try await house.until("it gives up") { try await house.status().state == "stopped" }
        let problem = try await house.status().problem
        #expect(problem?.message.contains("its file in My Music is empty") == true)
        try await house.ctl("play", try #require(ids.last))
        try await house.until("the whole file plays") { try await house.status().state == "playing" }
    }
}

extension House {
    /// Seconds of processor time a program took so far.
    func processorTime(of program: Program) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(program.processID)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Runs nyanctl to its end.
    func run(_ words: [String]) async throws -> Program.Outcome {
        try await Program([Self.programs + "/nyanctl"] + words, environment: environment).outcome()
    }
}
