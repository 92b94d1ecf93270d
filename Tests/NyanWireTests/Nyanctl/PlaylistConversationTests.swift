import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What nyanctl says to a daemon about playlists and lyrics, and prints of its answers.
@Suite("nyanctl: playlists and lyrics", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct PlaylistConversationTests {
    private let lists = [
        ListedPlaylist(playlist: Playlist(id: PlaylistID(owner: 1, number: 17), title: "Mine", count: 2)),
        ListedPlaylist(
            playlist: Playlist(
                id: PlaylistID(owner: -5, number: 7), accessKey: "ab", title: "Theirs", count: 1, isFollowed: true)),
    ]

    @Test("playlists prints rows, `playlist ROW` opens one of them with its key, and its rows play")
    func rows() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Playlists.List", PlaylistCoding.list(lists), .string("shown as it was read last: x"))
        daemon.answers("Playlists.Tracks", TrackCoding.list(sampleTracks), .string(""))
        #expect(try await desk.ctl("playlist", "2").status == 5)
        let listing = try await desk.ctl("playlists")
        #expect(listing.output == " 1  Mine    2 tracks  1_17\n 2  Theirs  1 track   -5_7  followed\n")
        #expect(listing.errors == "shown as it was read last: x\n" && listing.status == 0)
        #expect(try await desk.ctl("playlist", "3").status == 5)
        let tracks = try await desk.ctl("playlist", "2", "some", "filter")
        #expect(tracks.status == 0 && tracks.errors.isEmpty && tracks.output.split(separator: "\n").count == 2)
        #expect(daemon.arguments["Playlists.Tracks"] == [.string("-5_7_ab"), .string("some filter")])
        #expect(try await desk.ctl("play", "1").status == 0)
        #expect(daemon.arguments["Player.PlayTracks"]?.last == .uint32(0))
        let json = try await desk.ctl("--json", "playlists")
        #expect(
            json.output == #"[{"count":2,"id":"1_17","kept":false,"title":"Mine"},"#
                + #"{"count":1,"id":"-5_7","kept":false,"title":"Theirs"}]"# + "\n")
    }

    @Test("an address and an id with a minus sign name a playlist; another word is wrong usage")
    func words() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Playlists.Tracks", TrackCoding.list([]), .string(""))
        for word in ["-5_7_ab", "https://vk.com/music/playlist/-5_7_ab", "https://vk.ru/x?z=audio_playlist-5_7%2Fab"] {
            #expect(try await desk.ctl("playlist", word).status == 0)
            #expect(daemon.arguments["Playlists.Tracks"]?.first == .string("-5_7_ab"))
        }
        for wrong in [
            ["playlist", "my", "list"], ["playlist", "create"], ["playlist", "rename", "1_2"],
            ["playlist", "delete"], ["playlist", "add", "1_2"], ["playlist", "remove", "1_2", "text"],
            ["playlist", "delete", "1_2", "3_4"], ["playlist"],
        ] {
            let outcome = try await Program(
                [Desk.programPath] + wrong, environment: desk.environment
            ).outcome()
            #expect(outcome.status == 2, "\(wrong)")
        }
    }

    @Test("changes say what they did, on standard error, and in JSON")
    func changes() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Playlists.Create", PlaylistCoding.value(lists[0]))
        daemon.answers("Playlists.Add", .uint32(2))
        daemon.answers("Playlists.Remove", .uint32(1))
        daemon.answers("Playlists.Delete", .string("Theirs"), .bool(true))
        #expect(try await desk.ctl("playlist", "create", "My", "list").output == "1_17\n")
        #expect(daemon.arguments["Playlists.Create"] == [.string("My list")])
        #expect(try await desk.ctl("playlist", "rename", "1_17", "New", "name").status == 0)
        #expect(daemon.arguments["Playlists.Rename"] == [.string("1_17"), .string("New name")])
        let added = try await desk.ctl("playlist", "add", "1_17", "1_2", "-5_6_key")
        #expect(added.errors == "2 tracks added\n" && added.output.isEmpty)
        #expect(daemon.arguments["Playlists.Add"] == [.string("1_17"), .strings(["1_2", "-5_6_key"])])
        #expect(try await desk.ctl("--json", "playlist", "remove", "1_17", "1_2").output == #"{"removed":1}"# + "\n")
        let gone = try await desk.ctl("playlist", "delete", "-5_7")
        #expect(gone.errors == "“Theirs” is somebody else's: you follow it no more\n")
        #expect(
            try await desk.ctl("--json", "playlist", "delete", "-5_7").output
                == #"{"id":"-5_7","outcome":"unfollowed","title":"Theirs"}"# + "\n")
        daemon.refuses("Playlists.Delete", .denied, "VK does not open this playlist to you")
        #expect(try await desk.ctl("playlist", "delete", "-5_7").status == 1)
    }

    @Test("recommendations take no track or one")
    func recommendations() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Playlists.Recommendations", TrackCoding.list(sampleTracks))
        #expect(try await desk.ctl("recommendations").output.split(separator: "\n").count == 2)
        #expect(daemon.arguments["Playlists.Recommendations"] == [.string("")])
        #expect(try await desk.ctl("recommendations", "2").status == 0)
        #expect(daemon.arguments["Playlists.Recommendations"] == [.string("-2001550144_92550144_ab12")])
    }

    @Test("lyrics are printed line by line, credits beside them; none is exit status 5")
    func lyrics() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.replies["Lyrics.Get"] = { _, _ in
            .reply(
                [.string("1_2")]
                    + LyricsCoding.values(Lyrics(lines: [.init(text: "a"), .init(text: "b")], credits: "c")))
        }
        let plain = try await desk.ctl("lyrics", "1_2")
        #expect(plain.output == "a\nb\n" && plain.errors == "c\n")
        #expect(try await desk.ctl("lyrics").status == 0)
        #expect(daemon.arguments["Lyrics.Get"] == [.string("")])
        daemon.refuses("Lyrics.Get", .notFound, "there are no lyrics for this track")
        let none = try await desk.ctl("lyrics", "1_2")
        #expect(none.status == 5 && none.errors == "nyanctl: there are no lyrics for this track\n")
        #expect(try await desk.ctl("lyrics", "--follow", "1_2").status == 2)
    }

    @Test("lyrics --follow prints what is sung, survives the daemon's restart and ends with its reader")
    func follow() async throws {
        let desk = try Desk()
        func begin() throws -> ScriptedDaemon {
            let daemon = try desk.daemon()
            daemon.replies["Lyrics.Get"] = { _, _ in
                let lines: [Lyrics.Line] = [.init(begin: 1000, text: "a"), .init(begin: 5000, text: "b")]
                return .reply([.string("1_2")] + LyricsCoding.values(Lyrics(lines: lines)))
            }
            return daemon
        }
        func play(_ position: Double, _ daemon: ScriptedDaemon?) throws {
            let report = StatusReport(state: .playing, track: sampleTracks[0], position: position)
            // Whoever asks is told the same as whoever listens.
            daemon?.answers("Player.GetStatus", report.busValue)
            try daemon?.emit(report)
        }
        var daemon: ScriptedDaemon? = try begin()
        let program = try desk.start("lyrics", "--follow", "--json")
        while daemon?.calls.contains("Player.GetStatus") == false { await settle() }
        try play(0.9, daemon)
        #expect(await program.line() == #"{"begin":1000,"id":"1_2","text":"a"}"#)
        try play(5.5, daemon)
        #expect(await program.line() == #"{"begin":5000,"id":"1_2","text":"b"}"#)
        daemon?.connection.close()
        daemon = nil
        #expect(await program.line() == #"{"state":"absent"}"#)
        daemon = try begin()
        while daemon?.calls.contains("Player.GetStatus") == false { await settle() }
        try play(1.5, daemon)
        #expect(await program.line() == #"{"begin":1000,"id":"1_2","text":"a"}"#)
        program.send(15)
        #expect(await program.status() == 128 + 15)
    }
}
