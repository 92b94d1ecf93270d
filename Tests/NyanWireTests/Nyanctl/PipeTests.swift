import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// Listings in pipes and on terminals, when their words come from strangers.
@Suite("nyanctl: listings in pipes", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct PipeTests {
    nonisolated static let hostile = [
        "\u{1B}]0;owned\u{7}", "\u{1B}[2Jgone", "over\rwritten", "next\u{85}line", "\u{9B}31mred",
        "\u{202E}reversed\u{202C}",
        "line\u{2028}and\u{2029}paragraph", "tab\tand\u{B}more\u{C}", "two\nlines\r\nthree", "\u{2066}isolate\u{2069}",
        "\u{FFFD}lone", "%s%n$(reboot)`x`", "日本語 é \u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1F1F7}\u{1F1FA}", "",
        " ",
        "فرقة שלום", "a\u{300}\n\u{301}b",
    ]
    /// Each command, and how many lines it has for `hostile`; nil = does not matter.
    nonisolated static let listings: [(words: [String], lines: Int)] = [
        (["profile"], 17), (["music"], 17), (["search", "x"], 17), (["queue"], 17), (["history"], 17),
        (["playlist", "1_17"], 17), (["playlists"], 17), (["recommendations"], 17), (["friends"], 17), (["groups"], 17),
        (["downloads"], 17), (["lyrics", "1_2"], 17), (["status"], 3),
    ]

    private func desk() throws -> (Desk, ScriptedDaemon) {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let tracks = Self.hostile.enumerated().map { place, text in
            ListedTrack(
                track: Track(
                    id: TrackID(owner: 1, audio: Int64(place + 1)), artist: text, title: text, duration: 4000,
                    isAvailable: place % 2 == 0, unavailableReason: place % 2 == 0 ? nil : text))
        }
        let list = TrackCoding.list(tracks)
        for name in ["Profile", "Music", "Search"] { daemon.answers("Library.\(name)", list) }
        daemon.answers("Queue.List", list, .uint32(3))
        let moment = BusValue.structure([.int64(1_764_000_000), .double(3)])
        daemon.answers("History.List", list, .array(tracks.map { _ in moment }, of: "(xd)"))
        daemon.answers("Playlists.Tracks", list, .string(""))
        daemon.answers("Playlists.Recommendations", list)
        let playlists = Self.hostile.enumerated().map { place, text in
            ListedPlaylist(
                playlist: Playlist(id: PlaylistID(owner: 1, number: Int64(place + 1)), title: text, count: 123_456))
        }
        daemon.answers("Playlists.List", PlaylistCoding.list(playlists), .string(""))
        let people = Self.hostile.enumerated().map { place, text in
            Person(id: Int64(place + 1), name: text, screenName: text, canListen: place > 3, obstacle: text)
        }
        for name in ["Friends", "Groups"] { daemon.answers("People.\(name)", PersonCoding.list(people)) }
        let rows = tracks.map { listed in
            DownloadReport(
                id: listed.track.id, artist: listed.track.artist, title: listed.track.title, state: .failed,
                received: 1_234_567, total: 12_345_678, problem: .init(code: "network", message: listed.track.title))
        }
        daemon.answers("Downloads.List", DownloadCoding.list(rows))
        let lyrics = Lyrics(lines: Self.hostile.map { Lyrics.Line(text: $0) })
        daemon.answers("Lyrics.Get", .string("1_2"), LyricsCoding.values(lyrics)[0], .string(""))
        daemon.answers("Player.GetStatus", StatusReport(state: .playing, track: tracks[0], volume: 0.5).busValue)
        return (desk, daemon)
    }

    @Test("One line a row, its words whole, the same bytes whatever the locale is, also without an environment")
    func bytes() async throws {
        let (desk, daemon) = try desk()
        for (words, lines) in Self.listings {
            let plain = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
            #expect(plain.status == 0 && plain.errors.isEmpty, "\(words): \(plain.errors)")
            #expect(
                plain.output.utf8.split(separator: 10, omittingEmptySubsequences: false).count == lines + 1, "\(words)")
            #expect(
                !plain.output.unicodeScalars.contains {
                    "\r\u{85}\u{2028}\u{2029}\u{B}\u{C}".unicodeScalars.contains($0)
                })
            if lines == 17 {
                for text in Self.hostile where !text.contains(where: \.isNewline) && !text.utf8.contains(11) {
                    #expect(plain.output.contains(text), "\(words): \(text.debugDescription)")
                }
                #expect(plain.output.contains("a\u{300} \u{301}b"), "\(words)")
            }
            let numbers = words == ["playlists"] ? "123456" : words == ["downloads"] ? "1.2/12.3 MB" : ""
            #expect(numbers.isEmpty || plain.output.contains(numbers), "\(words)")
            for locale in ["C", "POSIX", "tr_TR.UTF-8", "ru_RU.KOI8-R", "xx_XX", "en_US.ISO-8859-1", nil] {
                var environment = desk.environment
                environment["LANG"] = nil
                environment["LC_ALL"] = locale
                if locale == nil { environment = environment.filter { $0.key == "DBUS_SESSION_BUS_ADDRESS" } }
                let other = try await Program([Desk.programPath] + words, environment: environment).outcome()
                #expect(other == plain, "\(words) with \(locale ?? "nothing")")
            }
        }
        _ = daemon
    }

    @Test("In Russian only our own words are others")
    func russian() async throws {
        let (desk, daemon) = try desk()
        desk.environment["LC_ALL"] = "ru_RU.UTF-8"
        for (words, lines) in Self.listings where lines == 17 {
            let outcome = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
            for text in Self.hostile where !text.contains(where: \.isNewline) && !text.utf8.contains(11) {
                #expect(outcome.output.contains(text), "\(words): \(text.debugDescription)")
            }
        }
        let json = try await desk.ctl("--json", "profile")
        desk.environment["LC_ALL"] = "C"
        #expect(try await desk.ctl("--json", "profile") == json)
        _ = daemon
    }

    @Test("On a terminal nothing but text and line ends arrives, and no row is wider than it")
    func terminal() async throws {
        let (desk, daemon) = try desk()
        desk.environment["SHELL"] = "/bin/sh"
        desk.environment["TERM"] = "xterm"
        desk.environment["PAGER"] = "cat"
        for (words, lines) in Self.listings {
            let script = "stty cols 70 rows 40; '\(Desk.programPath)' \(words.joined(separator: " "))"
            let output = try await Program(
                ["/usr/bin/script", "-qec", script, "/dev/null"], environment: desk.environment
            ).outcome().output
            let rows = output.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(rows.count >= lines + 1, "\(words): \(output)")
            for row in rows {
                #expect(DisplayText.escaped(String(row)) == row, "\(words): \(row.debugDescription)")
                if words != ["status"], words[0] != "lyrics" {
                    #expect(DisplayText.columns(row) <= 70, "\(words): \(row)")
                }
            }
            #expect(words == ["status"] || output.contains(#"\x1B"#), "\(words)")
        }
        _ = daemon
    }

    @Test("A reader that has seen enough ends it silently")
    func closed() async throws {
        let (desk, daemon) = try desk()
        let many = (1...5000).map {
            ListedTrack(track: Track(id: TrackID(owner: 1, audio: $0), artist: "A", title: "T"))
        }
        daemon.answers("Library.Profile", TrackCoding.list(many))
        desk.environment["PATH"] = "/usr/bin:/bin"
        for words in ["profile", "profile --json"] {
            let script = "{ \"$0\" \(words); echo \"ended $?\" >&2; } | head -c 5"
            let outcome = try await Program(
                ["/bin/sh", "-c", script, Desk.programPath], environment: desk.environment
            ).outcome()
            #expect(outcome.output.utf8.count == 5 && outcome.errors == "ended 141\n")
        }
        for (words, _) in Self.listings {
            let script = "\"$0\" \(words.joined(separator: " ")) | head -n 1"
            let outcome = try await Program(
                ["/bin/sh", "-c", script, Desk.programPath], environment: desk.environment
            ).outcome()
            #expect(outcome.errors.isEmpty && outcome.output.utf8.last == 10, "\(words)")
        }
    }
}
