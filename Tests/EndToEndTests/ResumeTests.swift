import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// What a server may do between two runs, with the real programs and kill -9 in between: the bytes it has now, or no file
/// and a reason (field-issues.md C1–C6, C13, C14, C17).
@Suite("Resuming, whole", .serialized, .timeLimit(.minutes(3)))
struct ResumeTests {
    private static func id(_ position: Int) -> String { "123456_\(456_240_000 - position)" }

    /// A house whose tracks at these positions are 40 seconds of MP3, 960 KB.
    private func house(_ positions: ClosedRange<Int>, settings: String = "") async throws -> House {
        let house = try await House(settings: settings)
        for position in positions {
            try await house.control(
                #"{"cmd":"track","id":"\#(Self.id(position))","media":"long","hls":false,"duration":40}"#)
        }
        return house
    }

    private func rows(_ house: House) async throws -> [DownloadRow] {
        try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
    }

    @Test("each row of the resume matrix ends with the server's bytes after kill -9 in the middle")
    func matrix() async throws {
        /// What the server does on going on: a fault, or another recording.
        let plans: [String?] = [
            nil, #""fault":"ignore-range""#, #""fault":"wrong-content-range""#, #""fault":"etag-change""#,
            #""fault":"chunked""#, #""fault":"wrong-length","times":1"#, #""fault":"other-body","value":"long-hls""#,
            #""fault":"truncate","at":100000,"times":1"#, #""fault":"redirect","times":1"#,
            #""fault":"content-type","value":"application/octet-stream""#,
        ]
        let ids = plans.indices.map { Self.id(50 + $0) }
        let house = try await house(50...60, settings: "parallel=16")
        let daemon = try await house.startDaemon()
        try await house.signIn()
        for id in ids { try await house.fault(#""track":"\#(id)","fault":"stall","at":400000"#) }
        let words = [House.programs + "/nyanctl", "download"] + ids
        #expect(try await Program(words, environment: house.environment).outcome().status == 0)
        try await house.until("a part of each is there") {
            try await rows(house).count { $0.received >= 400_000 } == ids.count
        }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        try await house.control(#"{"cmd":"media-clear"}"#)
        let before = try await house.mediaRequests().count
        for (id, plan) in zip(ids, plans) {
            guard let plan else { continue }
            if plan.contains("other-body") {
                try await house.control(#"{"cmd":"track","id":"\#(id)","media":"long-hls"}"#)
            } else {
                try await house.fault(#""track":"\#(id)",\#(plan)"#)
            }
        }
        try await house.startDaemon()
        try await house.until("all are there") {
            try await rows(house).allSatisfy { $0.state == "done" }
        }
        let music = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(music.count == ids.count)
        for row in music {
            let isEqual = try await house.soundHash(#require(row.path)) == house.expected(row.id).sha256
            #expect(isEqual, "\(plans[ids.firstIndex(of: row.id) ?? 0] ?? "honoured")")
        }
        // Six each at most: four tries of the machinery, and what was cut.
        let requests = try await house.mediaRequests().count - before
        #expect(requests <= 4 * ids.count, "\(requests)")
        #expect(try house.leftovers().isEmpty)
    }

    @Test(
        "what is not the sound is refused with a reason and leaves no file; a good one is taken whatever it is called")
    func verified() async throws {
        let plans = [
            (#""fault":"shorten","at":480000"#, "cut off"),
            (#""fault":"flip","at":\#(Array(300_000...301_300))"#, "damaged"),
            (#""fault":"size","value":200"#, "no MP3"), (#""fault":"other-body","value":"cbr""#, "cut off"),
            (#""fault":"content-type","value":"application/octet-stream""#, ""),
            (#""fault":"content-type","value":"text/plain""#, ""),
        ]
        let ids = plans.indices.map { Self.id(50 + $0) }
        let house = try await house(50...55, settings: "parallel=16")
        try await house.startDaemon()
        try await house.signIn()
        for (id, plan) in zip(ids, plans) { try await house.fault(#""track":"\#(id)",\#(plan.0)"#) }
        // A page that calls itself sound.
        let page = Self.id(57)
        try await house.fault(#""track":"\#(page)","fault":"html""#)
        try await house.fault(#""track":"\#(page)","fault":"content-type","value":"audio/mpeg""#)
        let words = [House.programs + "/nyanctl", "download"] + ids + [page]
        #expect(try await Program(words, environment: house.environment).outcome().status == 0)
        let good = Set(zip(ids, plans).filter { $0.1.1.isEmpty }.map(\.0))
        try await house.until("all have ended") {
            try await rows(house).allSatisfy { $0.state == "done" || $0.state == "failed" }
        }
        for row in try await rows(house) {
            let word = ids.firstIndex(of: row.id).map { plans[$0].1 } ?? ""
            #expect((row.state == "done") == good.contains(row.id), "\(row)")
            #expect(row.state == "done" || row.error?.message.contains(word) == true, "\(row)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).count == good.count)
        let left = try house.leftovers()
        #expect(left == [], "\(left)")
        // Each was fetched three times at most.
        #expect(try await house.mediaRequests().count <= 3 * (ids.count + 1) + 6)
    }

    @Test("servers that fall silent at 99 % or drip hold no place: a good one behind them arrives, and then they do")
    func silent() async throws {
        let house = try await house(50...53)
        try await house.startDaemon()
        try await house.signIn()
        try await house.fault(#""track":"\#(Self.id(50))","fault":"stall","at":950000,"times":1"#)
        try await house.fault(#""track":"\#(Self.id(51))","fault":"stall","at":0,"times":1"#)
        try await house.fault(#""track":"\#(Self.id(52))","fault":"drip","value":0.2,"times":1"#)
        let words = [House.programs + "/nyanctl", "download"] + (50...53).map(Self.id) + ["--wait"]
        let start = ContinuousClock.now
        let outcome = try await Program(words, environment: house.environment).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Silence is given up after seconds; whoever waits for these for ever needs minutes.
        #expect(ContinuousClock.now - start < .seconds(60))
        for row in try await house.ctl("--json", "music").decoded([TrackRow].self) {
            let isEqual = try await house.soundHash(#require(row.path)) == house.expected(row.id).sha256
            #expect(isEqual, "\(row.id)")
        }
        // What came before the silence is not fetched twice.
        let first = try await house.firstBytes(of: Self.id(50))
        #expect(first.count == 2 && first[1] > 900_000, "\(first)")
    }

    @Test("rubbish where unfinished downloads are kept is in nobody's way")
    func rubbish() async throws {
        let house = try await house(50...55)
        let folder = house.home + "/data/nyand/copies"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = { (position: Int) in "\(folder)/\(Self.id(position))" }
        let write = { (path: String, bytes: [UInt8]) in
            FileManager.default.createFile(atPath: path, contents: Data(bytes))
        }
        #expect(write(path(50) + ".copy", []))
        #expect(write(path(51) + ".copy", [UInt8](repeating: 7, count: 2_000_000)))
        #expect(mkfifo(path(52) + ".copy", 0o600) == 0 && mkfifo(path(52) + ".map", 0o600) == 0)
        #expect(mkdir(path(53) + ".copy", 0o700) == 0)
        #expect(write(path(54) + ".copy", [1, 2, 3]) && write(path(54) + ".map", Array("{\"version\":1".utf8)))
        #expect(chmod(path(54) + ".copy", 0) == 0)
        #expect(write("\(folder)/..copy", [1]) && write("\(folder)/1_x.copy", [1]))
        try await house.startDaemon()
        try await house.signIn()
        let words = [House.programs + "/nyanctl", "download"] + (50...55).map(Self.id) + ["--wait"]
        let outcome = try await Program(words, environment: house.environment).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let music = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(music.map(\.id).sorted() == (50...55).map(Self.id).sorted())
        for row in music {
            let isEqual = try await house.soundHash(#require(row.path)) == house.expected(row.id).sha256
            #expect(isEqual, "\(row.id)")
        }
    }

    @Test(
        "a finished file is on the disk before its name, its name before its row, its row before what was fetched goes")
    func order() async throws {
        guard access("/usr/bin/strace", X_OK) == 0 else { return }
        let house = try await house(50...50)
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let report = house.home + "/calls"
        let calls = "trace=fsync,fdatasync,renameat2,rename,unlink"
        let strace = try Program(
            ["/usr/bin/strace", "-f", "-y", "-e", calls, "-o", report, "-p", "\(daemon.processID)"], environment: [:])
        defer { strace.send(SIGTERM) }
        var isTraced = false
        for _ in 0..<40 where !isTraced {
            let status = try await Program(["/bin/cat", "/proc/\(daemon.processID)/status"], environment: [:]).outcome()
            isTraced = !status.output.contains("TracerPid:\t0")
            _ = try await house.ctl("status")
        }
        // Not allowed here, as in some containers.
        guard isTraced else { return }
        #expect(try await house.ctl("download", Self.id(50), "--wait").status == 0)
        try await house.until("it is tidy") { try house.leftovers().isEmpty }
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        let wanted = [
            ["fsync(", ".part>"], ["rename", ".part\"", ".mp3\""], ["fsync(", house.music + ">"],
            ["fdatasync(", "library.db-wal>"], ["unlink(", ".copy\""],
        ]
        let places = wanted.map { words in lines.firstIndex { line in words.allSatisfy { line.contains($0) } } }
        let found = places.compactMap { $0 }
        #expect(found.count == wanted.count && found == found.sorted(), "\(places)")
    }
}
