import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Listings of the whole program: what VK says of a track, and what a person and a pipe get of it.
@Suite("Listings", .serialized, .timeLimit(.minutes(2)))
struct ListingTests {
    /// Titles as the API gives them, written as JSON.
    nonisolated private static let titles = [
        #"\u001b]0;owned\u0007"#, #"\u001b[2Jgone"#, #"over\rwritten"#, #"next\u0085line"#, #"\u202ereversed"#,
        #"line\u2028and\u2029paragraph"#, #"nul\u0000inside"#, #"lone \ud800 half"#, #"\udc00\ud800 both"#, #"two\nlines"#,
        #"quote \" backslash \\ &amp; <i>d</i>"#,
    ]

    private func open() async throws -> House {
        let house = try await House()
        try await house.startDaemon()
        let rows = Self.titles.map { #"{"cmd":"library-add","artist":"Hostile","title":"\#($0)","media":"cbr"}"# }
        try await house.control("[\(rows.joined(separator: ","))]")
        try await house.signIn()
        return house
    }

    /// The same on a terminal of 60 columns.
    private func onTerminal(_ house: House, _ words: String) async throws -> String {
        var environment = house.environment
        environment["SHELL"] = "/bin/sh"
        environment["TERM"] = "xterm"
        environment["NYANCTL_PAGER"] = ""
        let script = "stty cols 60 rows 24; '\(House.programs)/nyanctl' \(words)"
        return try await Program(["/usr/bin/script", "-qec", script, "/dev/null"], environment: environment).outcome().output
    }

    @Test("titles that attack a terminal or a line are harmless and whole, whatever the locale is")
    func hostile() async throws {
        let house = try await open()
        let plain = try await house.ctl("profile", "hostile")
        #expect(plain.status == 0 && plain.errors.isEmpty)
        let lines = plain.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == Self.titles.count + 1 && lines.dropLast().allSatisfy { $0.contains("Hostile – ") })
        #expect(plain.output.contains("\u{1B}[2Jgone") && plain.output.contains("quote \" backslash \\ & <i>d</i>"))
        #expect(!plain.output.unicodeScalars.contains { "\0\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) })
        for locale in ["C", "POSIX", "tr_TR.UTF-8", "en_US.ISO-8859-1", nil] {
            var environment = house.environment
            environment["LANG"] = nil
            environment["LC_ALL"] = locale
            if locale == nil { environment = environment.filter { $0.key == "DBUS_SESSION_BUS_ADDRESS" } }
            let other = try Program([House.programs + "/nyanctl", "profile", "hostile"], environment: environment)
            #expect(await other.outcome() == plain, "\(locale ?? "no environment")")
        }
        let json = try await house.ctl("--json", "profile", "hostile").decoded([TrackRow].self)
        #expect(json.count == Self.titles.count && json.contains { $0.title == "over\rwritten" })
        for command in ["profile hostile", "search Hostile", "queue", "status"] {
            if command == "queue" { try await house.ctl("queue", "add", "hostile") }
            let shown = try await onTerminal(house, command)
            let isClean = shown.replacing("\r\n", with: "\n").unicodeScalars.allSatisfy { scalar in
                scalar == "\n" || scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
                    && !(0x2028...0x202E).contains(scalar.value)
            }
            #expect(isClean, "\(command): \(shown.debugDescription)")
            #expect(command == "status" || shown.contains(#"\x1B[2Jgone"#), "\(shown.debugDescription)")
        }
    }

    @Test("music tells size, bitrate and form of what is there; profile what plays and is kept; rows outlive the daemon")
    func files() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("download", "--wait", "123456_456239998", "123456_456239997").status == 0)
        let music = try await house.ctl("music")
        let lines = music.output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.contains(" kB  ") && line.contains(" kbit/s  mp3  ↓"), "\(line)")
        }
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        try await house.ctl("play", "123456_456239997")
        let shown = try await onTerminal(house, "profile")
        let marked = shown.split(separator: "\r\n").filter { $0.hasPrefix(">") }
        #expect(marked.count == 1 && marked.first?.contains("↓") == true, "\(shown)")
        house.daemon?.send(SIGTERM)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        // The last listing without a terminal is that of `music`.
        #expect(try await house.ctl("delete", "2").status == 0)
        #expect(try await house.ctl("--json", "music").decoded([TrackRow].self).map(\.id) == [rows[0].id])
        #expect(try await house.ctl("delete", "3").status == 5)
        #expect(try await house.ctl("logout").status == 0)
        let refused = try await house.ctl("play", "1")
        #expect(refused.status == 5 && refused.errors.contains("signed in or out"), "\(refused.errors)")
    }
}
