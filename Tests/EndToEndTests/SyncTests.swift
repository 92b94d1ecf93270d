import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Reading the profile from a VK that behaves as VK does (vk-api.md §7.5).
@Suite("Sync, whole", .serialized, .timeLimit(.minutes(3)))
struct SyncTests {
    /// The list the look-alike shows now, in its order.
    private func truth(_ house: House) async throws -> [String] {
        struct Row: Decodable { let id: String }
        return try JSONDecoder().decode([Row].self, from: Data(try await house.fetch("/_library").utf8)).map(\.id)
    }

    private func profile(_ house: House) async throws -> [String] {
        try await house.ctl("--json", "profile").decoded([TrackRow].self).map(\.id)
    }

    @Test("what changed is told in words beside the one line of numbers; on a terminal one line shows how far it is")
    func words() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        // A hundred tracks are one call.
        let surplus = try await truth(house).dropFirst(100).map { "\"\($0)\"" }.joined(separator: ",")
        try await house.control(#"{"cmd":"library-delete","ids":[\#(surplus)]}"#)
        try await house.signIn()
        let list = try await truth(house)
        try await house.control(#"{"cmd":"library-delete","ids":["\#(list[3])"]}"#)
        try await house.control(#"{"cmd":"library-add","title":"Fresh","artist":"New","count":2}"#)
        try await house.control(#"{"cmd":"track","id":"\#(list[5])","title":"Renamed","artist":"Somebody"}"#)
        let changed = try await house.ctl("sync")
        #expect(changed.output == "\(list.count + 1) tracks, 2 new, 1 removed\n")
        #expect(changed.errors.contains("gone from the profile: "))
        #expect(changed.errors.contains("changed: Somebody – Renamed"))
        #expect(!changed.errors.contains("Fresh") && !changed.errors.contains("reading"))
        #expect(daemon.errors.contains("sync: changed: Somebody – Renamed"))
        #expect(try await profile(house) == truth(house))
        let unchanged = try await house.ctl("--json", "sync")
        #expect(unchanged.output.contains(#""added":0"#) && unchanged.output.contains(#""removed":0"#))
        try await house.control(#"{"cmd":"reset"}"#)
        let seen = try await onTerminal(house, "sync")
        let total = try await truth(house).count
        #expect(seen.contains("\(total) tracks, \(total - list.count + 1) new, 2 removed"), "\(seen)")
        #expect(daemon.errors.contains("sync: back: "))
        #expect(seen.contains("\r\u{1B}[Kreading 1"))
        let cleared = try #require(seen.utf8.lastIndex(of: 0x4B))
        #expect(!seen[cleared...].contains("reading"), "\(seen.debugDescription)")
    }

    /// What nyanctl writes to a terminal.
    private func onTerminal(_ house: House, _ word: String) async throws -> String {
        var environment = house.environment
        environment["TERM"] = "xterm"
        let words = ["/usr/bin/script", "-qec", "\(House.programs)/nyanctl \(word)", "/dev/null"]
        return try await Program(words, environment: environment).outcome().output
    }

    @Test("errors 6 and 10, HTML, a lost line; then the list moves while it is read: each track once, in order")
    func moving() async throws {
        let house = try await House()
        try await house.startDaemon()
        #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
        for fault in [#""code":6"#, #""code":10,"skip":1"#, #""body":"html","skip":2"#, #""reset":"body","skip":3"#] {
            try await house.control(#"{"cmd":"inject","method":"audio.get",\#(fault)}"#)
        }
        let first = try await house.ctl("sync")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try await profile(house) == truth(house))
        let list = try await truth(house)
        try await house.control(
            """
            {"cmd":"after","kind":"audio.get","times":2,"do":[{"cmd":"library-add","title":"Moved in","count":3},
            {"cmd":"library-reorder","id":"\(list[300])","to":5}]}
            """)
        try await house.control(
            """
            {"cmd":"after","kind":"audio.get","times":5,"do":[{"cmd":"library-delete","ids":["\(list[10])"]}]}
            """)
        let sync = try await house.ctl("sync")
        #expect(sync.status == 0, "\(sync.errors)")
        let now = try await truth(house)
        #expect(try await profile(house) == now)
        #expect(sync.output == "\(now.count) tracks, 3 new, 1 removed\n")
    }

    @Test(
        "a profile that reads as nothing, and VK's placeholder, remove nothing and say so",
        arguments: ["empty", "placeholder"])
    func doubts(how: String) async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let list = try await profile(house)
        try await house.control(
            how == "empty"
                ? #"{"cmd":"library-empty"}"# : #"{"cmd":"inject","method":"audio.get","times":9,"body":"placeholder"}"#
        )
        let sync = try await house.ctl("sync")
        #expect(sync.status != 0 && sync.output.isEmpty)
        #expect(how != "empty" || sync.errors.contains("Nothing was removed"), "\(sync.errors)")
        #expect(try await profile(house) == list)
    }

    @Test("with an interval of 0 still never more than three calls in any second")
    func rate() async throws {
        let house = try await House()
        let path = house.home + "/config/nyand/nyand.conf"
        let settings = try String(contentsOfFile: path, encoding: .utf8)
        try settings.replacing("min-interval-ms=400", with: "min-interval-ms=0")
            .write(toFile: path, atomically: true, encoding: .utf8)
        try await house.startDaemon()
        try await house.signIn()
        async let sync = house.ctl("sync")
        async let search = house.ctl("search", "love")
        async let play = house.ctl("play", "123456_456239965")
        async let friend = house.ctl("profile", "--owner", "77")
        for outcome in try await [sync, search, play, friend] { #expect(outcome.status == 0, "\(outcome.errors)") }
        let calls = try await house.requests().filter { $0.kind == "api" }
        #expect(calls.count >= 12 && calls.allSatisfy { $0.outcome != "error 6" })
        let times = calls.map(\.time).sorted()
        for (early, late) in zip(times, times.dropFirst(3)) { #expect(late - early >= 1, "\(times)") }
    }
}
