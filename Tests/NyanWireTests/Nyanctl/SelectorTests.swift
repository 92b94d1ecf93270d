import FoundationEssentials
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// Every form in which a track, a playlist or an owner is named, at every command that takes one.
@Suite("nyanctl: what words name", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct SelectorTests {
    /// As pasted, and the reference that must reach the daemon.
    nonisolated static let tracks = [
        ("123456_456239321", "123456_456239321"), ("-200_9", "-200_9"), ("-200_9_ab12", "-200_9_ab12"),
        ("audio-200_9_ab12", "-200_9_ab12"), ("https://vk.com/audio-200_9_ab12", "-200_9_ab12"),
        ("vk.ru/audio-200_9", "-200_9"), ("https://m.vk.com/audio-200_9_ab12?from=x#y", "-200_9_ab12"),
        ("http://www.vk.com/audio-200_9/", "-200_9"), ("https://vk.com/audio-200%5F9%5Fab12", "-200_9_ab12"),
        ("https://vk.com/audio-200_9_ab12,", "-200_9_ab12"), ("(https://VK.com/audio5_6).", "5_6"),
        ("«vk.com/audio5_6»", "5_6"), ("-200_9;", "-200_9"),
        ("https://vk.com/feed?z=audio-200_9%2Fab12", "-200_9_ab12"),
        ("https://vk.com/audio5_6?access_key=c0ffee", "5_6_c0ffee"), ("2", "-2001550144_92550144_ab12"), ("1,", "1_2"),
    ]
    /// Each track once.
    nonisolated static let once = tracks.map(\.1).reduce(into: [String]()) { known, track in
        if !known.contains(track) { known.append(track) }
    }
    nonisolated static let playlists = [
        ("-5_7", "-5_7"), ("-5_7_ab", "-5_7_ab"), ("https://vk.com/music/playlist/-5_7_ab", "-5_7_ab"),
        ("vk.ru/music/album/-5_7_ab/", "-5_7_ab"), ("music/playlist/-5_7", "-5_7"),
        ("https://m.vk.com/music/playlist/-5_7?access_key=ab#z", "-5_7_ab"), ("audio_playlist-5_7_ab", "-5_7_ab"),
        ("https://vk.ru/audios1?section=all&z=audio_playlist-5_7%2Fab", "-5_7_ab"),
        ("<https://vk.com/music/playlist/-5_7_ab>.", "-5_7_ab"), ("https://vk.com/music/playlist/%2D5_7", "-5_7"),
    ]

    /// Words before and behind the tracks, and the call that must carry them.
    nonisolated struct Verb: Sendable {
        let before: [String], behind: [String], call: String, place: Int
        init(_ before: String, behind: String? = nil, _ call: String, at place: Int = 0) {
            self.before = before.split(separator: " ").map(String.init)
            self.behind = behind.map { [$0] } ?? []
            self.call = call
            self.place = place
        }
    }

    nonisolated static let many = [
        Verb("play", "Player.PlayTracks"), Verb("queue add", "Queue.Add"), Verb("queue add --next", "Queue.Add"),
        Verb("download", "Downloads.Add"), Verb("cancel", "Downloads.Cancel"), Verb("retry", "Downloads.Retry"),
        Verb("downloads pause", "Downloads.Pause"), Verb("downloads resume", "Downloads.Resume"),
        Verb("add", "Profile.Add"), Verb("remove", "Profile.Remove"), Verb("delete", "Library.DeleteCopies"),
        Verb("export", behind: "/tmp", "Files.Export"), Verb("playlist add 1_17", "Playlists.Add", at: 1),
        Verb("playlist remove 1_17", "Playlists.Remove", at: 1),
    ]
    nonisolated static let one = [
        Verb("restore", "Profile.Restore"), Verb("lyrics", "Lyrics.Get"),
        Verb("recommendations", "Playlists.Recommendations"),
    ]
    nonisolated static let lists = [
        Verb("playlist", "Playlists.Tracks"), Verb("playlist rename", behind: "T", "Playlists.Rename"),
        Verb("playlist delete", "Playlists.Delete"), Verb("playlist add", behind: "1_2", "Playlists.Add"),
        Verb("playlist remove", behind: "1_2", "Playlists.Remove"), Verb("keep", "Keep.Keep"),
        Verb("unkeep", "Keep.Unkeep"), Verb("download --playlist", "Downloads.AddPlaylist"),
    ]

    private func listed() async throws -> (Desk, ScriptedDaemon) {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Library.Profile", TrackCoding.list(sampleTracks))
        daemon.answers("Library.Select", TrackCoding.list([sampleTracks[0]]))
        daemon.answers("Playlists.Tracks", TrackCoding.list(sampleTracks), .string(""))
        daemon.answers("Queue.Add", .uint32(2))
        #expect(try await desk.ctl("profile").status == 0)
        return (desk, daemon)
    }

    private func run(_ desk: Desk, _ words: [String]) async throws -> Program.Outcome {
        try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
    }

    @Test("All forms of a track reach every command that takes several", arguments: many)
    func manyTracks(verb: Verb) async throws {
        let (desk, daemon) = try await listed()
        let outcome = try await run(desk, verb.before + Self.tracks.map(\.0) + verb.behind)
        // `add` hands over portions, the last ones first.
        if verb.call == "Profile.Add" {
            return #expect(daemon.arguments[verb.call] == [.strings(Self.once)])
        }
        let wanted = ["play", "queue", "export"].contains(verb.before[0]) ? Self.tracks.map(\.1) : Self.once
        let given = daemon.arguments[verb.call].flatMap { $0.count > verb.place ? $0[verb.place].strings : nil }
        #expect(given == wanted, "\(outcome.errors)")
    }

    @Test("All forms of a track reach every command that takes one", arguments: one)
    func oneTrack(verb: Verb) async throws {
        let (desk, daemon) = try await listed()
        for (word, reference) in Self.tracks {
            let outcome = try await run(desk, verb.before + [word])
            #expect(daemon.arguments[verb.call] == [.string(reference)], "\(word): \(outcome.errors)")
        }
    }

    @Test("All forms of a playlist reach every command that takes one", arguments: lists)
    func playlist(verb: Verb) async throws {
        let (desk, daemon) = try await listed()
        for (word, reference) in Self.playlists {
            let outcome = try await run(desk, verb.before + [word] + verb.behind)
            #expect(daemon.arguments[verb.call]?.first == .string(reference), "\(word): \(outcome.errors)")
        }
    }

    @Test("A playlist's address is played and queued whole", arguments: ["play", "queue add", "queue add --next"])
    func playedPlaylist(command: String) async throws {
        let (desk, daemon) = try await listed()
        let words = command.split(separator: " ").map(String.init)
        for (word, reference) in Self.playlists where TrackReference(word) == nil {
            let outcome = try await run(desk, words + [word])
            #expect(outcome.status == 0, "\(word): \(outcome.errors)")
            #expect(daemon.arguments["Playlists.Tracks"] == [.string(reference), .string("")])
            let call = command == "play" ? "Player.PlayTracks" : "Queue.Add"
            #expect(daemon.arguments[call]?.first == .strings(["1_2", "-2001550144_92550144_ab12"]))
        }
        daemon.answers("Playlists.Tracks", TrackCoding.list([]), .string(""))
        #expect(try await run(desk, words + ["audio_playlist1_2"]).status == 5)
    }

    @Test(
        "An owner is named by id, name, page and the address of their music",
        arguments: [
            ("123", 123), ("-88", -88), ("id123", 123), ("club88", -88), ("audios123", 123), ("@durov", 7),
            ("durov", 7), ("https://vk.com/durov", 7), ("https://m.vk.com/durov?z=x#y", 7), ("vk.ru/id77/", 77),
            ("https://vk.com/audios-88?section=all", -88), ("vk.com/audio?id=5", 5), ("(https://vk.com/durov),", 7),
            ("https://vk.com/%69d77", 77), ("vk.com/@durov", 7),
        ] as [(String, Int64)])
    func owner(word: String, id: Int64) async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("People.Resolve", .int64(7))
        let outcome = try await run(desk, ["profile", "--owner", word])
        #expect(daemon.arguments["Library.Profile"]?.last == .int64(id), "\(outcome.errors)")
        #expect(daemon.arguments["People.Resolve"] == (id == 7 ? [.string("durov")] : nil))
    }

    @Test(
        "A text selects where tracks are only played or read; commands that change or remove refuse it and ask nobody")
    func texts() async throws {
        let (desk, daemon) = try await listed()
        for verb in Self.many + Self.one {
            let before = daemon.calls.count
            let outcome = try await run(desk, verb.before + ["группа крови"] + verb.behind)
            let calls = daemon.calls.dropFirst(before)
            if ["play", "queue", "export", "lyrics", "recommendations"].contains(verb.before[0]) {
                #expect(
                    calls.first == "Library.Select" && calls.contains(verb.call), "\(verb.before): \(outcome.errors)")
            } else {
                #expect(outcome.status == 2 && calls.isEmpty, "\(verb.before)")
                #expect(outcome.errors.contains("“группа крови” is neither a track id nor a row number"))
            }
        }
        daemon.answers("Library.Select", TrackCoding.list([]))
        let none = try await run(desk, ["play", "такой нет"])
        #expect(none.status == 5 && none.errors == "nyanctl: no track of the library matches “такой нет”\n")
        #expect(try await run(desk, ["play", " "]).status == 2)
    }

    @Test(
        "A page of VK's that is no track's is not fetched as a sound: the person is told what it is",
        arguments: [
            ("https://vk.com/durov", "profile --owner durov`"),
            ("https://vk.com/id7?x=1&y=;reboot", "profile --owner 7`"), ("vk.com/club7;reboot", "no track's"),
            ("https://vk.com/", "that page of VK is no track's"), ("https://login.vk.com/x", "no track's"),
            ("https://vk.com/music", "that page of VK is no track's"),
        ])
    func pages(word: String, told: String) async throws {
        let (desk, daemon) = try await listed()
        let before = daemon.calls.count
        for verb in Self.many + Self.one {
            let outcome = try await run(desk, verb.before + [word] + verb.behind)
            #expect(outcome.status == 2 && outcome.errors.contains(told), "\(verb.before): \(outcome.errors)")
        }
        #expect(daemon.calls.count == before)
        let other = try await run(desk, ["play", "https://example.org/vk.com/durov"])
        #expect(other.status == 0 && daemon.arguments["Player.PlayTracks"]?.first?.strings?.count == 1)
    }

    @Test("Of several tracks none is restored, for one is at a time")
    func restored() async throws {
        let (desk, daemon) = try await listed()
        let before = daemon.calls.count
        let outcome = try await run(desk, ["restore", "1-2"])
        #expect(outcome.status == 2 && outcome.errors.contains("one track is restored at a time, and these are 2"))
        #expect(daemon.calls.count == before)
    }

    @Test("Where tracks are wanted a playlist's address is refused, with the command that lists it")
    func playlistRefused() async throws {
        let (desk, daemon) = try await listed()
        let before = daemon.calls.count
        for command in ["download", "remove", "delete", "lyrics", "restore"] {
            let outcome = try await run(desk, [command, "https://vk.com/music/playlist/-5_7_ab"])
            #expect(outcome.status == 2 && outcome.errors.contains("`nyanctl playlist -5_7_ab` lists"), "\(command)")
        }
        #expect(daemon.calls.count == before)
    }
}
