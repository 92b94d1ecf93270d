import NyanCore
import NyanWire
import Testing

@testable import nyanctl

@Suite("Playlists and lyrics")
struct PlaylistOutputTests {
    private let rows = [
        ListedPlaylist(playlist: Playlist(id: PlaylistID(owner: 123456, number: 17), title: "Ёлки 🎄", count: 12)),
        ListedPlaylist(
            playlist: Playlist(
                id: PlaylistID(owner: -2_000_550_144, number: 4_550_144), title: "Album\u{202e}", count: 1,
                isFollowed: true), isKept: true),
        ListedPlaylist(playlist: Playlist(id: PlaylistID(owner: 123456, number: -21), title: "", count: 0)),
    ]

    @Test("The list is in columns, cut to the terminal, the id last")
    func table() {
        #expect(
            PlaylistTable.lines(rows, columns: nil) == [
                " 1  Ёлki 🎄   12 tracks  123456_17".replacing("ki", with: "ки"),
                " 2  Album\u{202e}      1 track   -2000550144_4550144  followed kept",
                " 3  Untitled   0 tracks  123456_-21",
            ])
        for line in PlaylistTable.lines(rows, columns: 40) { #expect(DisplayText.columns(line) <= 40) }
    }

    @Test("A playlist's document has the contract's four keys")
    func documents() {
        #expect(
            JSONText.encode(rows.map { PlaylistDocument($0) })
                == #"[{"count":12,"id":"123456_17","kept":false,"title":"Ёлки 🎄"},"#
                + #"{"count":1,"id":"-2000550144_4550144","kept":true,"title":"Album"#
                + "\u{202e}" + #""},{"count":0,"id":"123456_-21","kept":false,"title":""}]"#)
        let words = Lyrics(lines: [.init(begin: 500, text: "а"), .init(begin: 900, text: "")], credits: nil)
        #expect(
            JSONText.encode(LyricsDocument(TrackID(owner: 1, audio: 2), words))
                == #"{"credits":null,"id":"1_2","lines":[{"begin":500,"text":"а"},{"begin":900,"text":""}],"timed":true}"#
        )
        let plain = Lyrics(lines: [.init(text: "а")], credits: "me")
        #expect(
            JSONText.encode(LyricsDocument(TrackID(owner: 1, audio: 2), plain))
                == #"{"credits":"me","id":"1_2","lines":[{"begin":null,"text":"а"}],"timed":false}"#)
    }

    @Test("What travels over the bus comes back the same")
    func coding() throws {
        #expect(PlaylistCoding.listed(PlaylistCoding.list(rows)) == rows)
        let words = Lyrics(lines: [.init(begin: 0, text: "a"), .init(text: "b")], credits: "c")
        let values = LyricsCoding.values(words)
        #expect(LyricsCoding.lyrics(lines: values[0], credits: values[1]) == words)
    }
}

/// The lines in a place where `#expect` may change them.
private final class Singer {
    private var lines = SungLines()

    func take(_ report: StatusReport, at now: Double) -> Bool { lines.take(report, at: now) }
    func take(_ words: Lyrics, of id: TrackID) -> [Lyrics.Line] { lines.take(words, of: id) }
    func stop(at now: Double) { lines.stop(at: now) }
    func due(at now: Double) -> [Lyrics.Line] { lines.due(at: now) }
    func pause(at now: Double) -> Double? { lines.pause(at: now) }
}

@Suite("Lines as they are sung")
struct SungLinesTests {
    private let id = TrackID(owner: 1, audio: 2)
    private let words = Lyrics(lines: [
        .init(begin: 1000, text: "a"), .init(begin: 2000, text: "b"), .init(begin: 2000, text: "c"),
        .init(begin: 9000, text: "d"),
    ])

    private func report(_ state: StatusReport.State, _ position: Double, _ audio: Int64 = 2) -> StatusReport {
        StatusReport(
            state: state,
            track: ListedTrack(track: Track(id: TrackID(owner: 1, audio: audio), artist: "A", title: "T")),
            position: position)
    }

    private func following(_ state: StatusReport.State = .playing, at position: Double = 0) -> Singer {
        let sung = Singer()
        #expect(sung.take(report(state, position), at: 100))
        #expect(sung.take(words, of: id) == [])
        return sung
    }

    private func texts(_ sung: Singer, at now: Double) -> [String] { sung.due(at: now).map(\.text) }

    @Test("each line comes at its time, once, lines that begin together in one go")
    func inTime() {
        let sung = following()
        #expect(texts(sung, at: 100) == [] && sung.pause(at: 100) == 1)
        #expect(texts(sung, at: 101.01) == ["a"])
        #expect(texts(sung, at: 101.5) == [])
        #expect(texts(sung, at: 102.01) == ["b", "c"])
        #expect(texts(sung, at: 109.01) == ["d"])
        #expect(sung.pause(at: 110) == nil)
    }

    @Test("in the middle of a track only the line that is sung comes")
    func midway() {
        let sung = following(at: 5)
        #expect(texts(sung, at: 100) == ["c"])
        let late = Singer()
        #expect(late.take(report(.playing, 5), at: 100) && !late.take(report(.playing, 5.2), at: 100.2))
        #expect(late.take(words, of: id) == [] && texts(late, at: 100.3) == ["c"])
    }

    @Test("a seek forth or back tells the line at the new place; a late status of the same place nothing")
    func seeks() {
        let sung = following()
        #expect(texts(sung, at: 101.2) == ["a"])
        #expect(!sung.take(report(.playing, 1.3), at: 101.3) && texts(sung, at: 101.3) == [])
        _ = sung.take(report(.playing, 9.5), at: 101.4)
        #expect(texts(sung, at: 101.4) == ["d"])
        _ = sung.take(report(.playing, 1.1), at: 101.5)
        #expect(texts(sung, at: 101.5) == ["a"])
        _ = sung.take(report(.playing, 0), at: 101.6)
        #expect(texts(sung, at: 101.6) == [] && texts(sung, at: 102.65) == ["a"])
    }

    @Test(
        "nothing is sung, nor waited for, while the sound stands still",
        arguments: [.paused, .buffering, .stopped] as [StatusReport.State])
    func pauses(state: StatusReport.State) {
        let sung = following()
        _ = sung.take(report(state, 0.5), at: 100.5)
        #expect(texts(sung, at: 140) == [] && sung.pause(at: 140) == nil)
        _ = sung.take(report(.playing, 0.5), at: 150)
        #expect(texts(sung, at: 150.4) == [] && texts(sung, at: 150.6) == ["a"])
    }

    @Test("another track wants other words; those of the one before are not told any more")
    func nextTrack() {
        let sung = following()
        #expect(sung.take(report(.playing, 0, 3), at: 101))
        #expect(sung.take(words, of: id) == [] && texts(sung, at: 105) == [])
        let plain = Lyrics(lines: [.init(text: "x"), .init(text: "y")])
        #expect(sung.take(plain, of: TrackID(owner: 1, audio: 3)).map(\.text) == ["x", "y"])
        #expect(texts(sung, at: 106) == [] && sung.pause(at: 106) == nil)
        #expect(!sung.take(report(.playing, 6, 3), at: 107))
    }

    @Test("after the daemon's return the track goes on; words that had not come are wanted again")
    func returns() {
        let sung = following()
        sung.stop(at: 100.5)
        #expect(texts(sung, at: 130) == [] && sung.pause(at: 130) == nil)
        #expect(!sung.take(report(.playing, 1), at: 130))
        #expect(texts(sung, at: 130.1) == ["a"])
        let other = Singer()
        #expect(other.take(report(.playing, 0), at: 1))
        other.stop(at: 2)
        #expect(other.take(report(.playing, 0), at: 3))
    }
}
