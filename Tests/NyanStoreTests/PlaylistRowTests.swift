import NyanCore
import Testing

@testable import NyanStore

@Suite("Playlists and lyrics on disk")
struct PlaylistRowTests {
    let folder = TemporaryFolder()

    private func open() async throws -> LibraryDatabase { try await LibraryDatabase.open(folder("library.db")) }

    private func playlist(_ number: Int64, _ title: String = "", owner: Int64 = 1, key: String? = nil) -> Playlist {
        Playlist(
            id: PlaylistID(owner: owner, number: number), accessKey: key, title: title.isEmpty ? "P\(number)" : title,
            about: "about", count: 3, isFollowed: owner != 1,
            follow: owner != 1 ? PlaylistID(owner: 1, number: 99) : nil)
    }

    @Test("the list keeps every field and VK's order over a restart, and writes nothing when nothing changed")
    func list() async throws {
        let first = try await open()
        let lists = [playlist(9), playlist(-21, "Mix 🐦"), playlist(4, owner: -2000, key: "ab")]
        #expect(try await first.setPlaylists(lists))
        let written = await first.rowsWritten
        #expect(try await first.setPlaylists(lists) == false)
        #expect(await first.rowsWritten == written)
        let second = try await open()
        #expect(try await second.playlists().map(\.playlist) == lists)
        #expect(try await second.playlists().allSatisfy { !$0.isKept && !$0.isRead })
        #expect(try await second.setPlaylists(lists.reversed()))
        #expect(try await second.playlists().map(\.playlist) == lists.reversed())
        var keyless = lists[2]
        keyless.accessKey = nil
        #expect(try await second.setPlaylists([keyless, lists[1], lists[0]]) == false, "a key that is known stays")
        #expect(try await second.playlist(keyless.id)?.playlist.accessKey == "ab")
    }

    @Test("a playlist's tracks keep their order, are filtered like the profile, and nil means never read")
    func tracks() async throws {
        let first = try await open()
        _ = try await first.setPlaylists([playlist(1), playlist(2)])
        #expect(try await first.tracks(of: playlist(1).id, matching: nil) == nil)
        #expect(try await first.tracks(of: playlist(77).id, matching: nil) == nil)
        let songs = [track(5, "Кино", "Ёлка"), track(3), track(5, "Кино", "Ёлка"), track(4)]
        #expect(try await first.setTracks(songs, of: playlist(1)))
        #expect(try await first.setTracks([], of: playlist(2)))
        let second = try await open()
        let found = try await second.tracks(of: playlist(1).id, matching: nil)
        #expect(found?.map(\.track) == [songs[0], songs[1], songs[3]], "each once")
        #expect(try await second.tracks(of: playlist(1).id, matching: "елк кин")?.map(\.track.id) == [songs[0].id])
        #expect(try await second.tracks(of: playlist(1).id, matching: "%")?.isEmpty == true)
        #expect(try await second.tracks(of: playlist(2).id, matching: nil)?.isEmpty == true)
        #expect(try await second.playlist(playlist(1).id)?.isRead == true)
    }

    @Test("unchanged tracks write nothing, cover addresses signed anew included; another order does")
    func writesLittle() async throws {
        let database = try await open()
        var songs = (1...50).map { track(Int64($0)) }
        for index in songs.indices { songs[index].coverURL = "https://sun1.test/a\(index).jpg?sig=1" }
        _ = try await database.setTracks(songs, of: playlist(1))
        let written = await database.rowsWritten
        for index in songs.indices { songs[index].coverURL = "https://sun2.test/a\(index).jpg?sig=2" }
        #expect(try await database.setTracks(songs, of: playlist(1)) == false)
        #expect(await database.rowsWritten == written)
        songs.swapAt(3, 4)
        #expect(try await database.setTracks(songs, of: playlist(1)))
        #expect(try await database.tracks(of: playlist(1).id, matching: nil)?.map(\.track.id) == songs.map(\.id))
    }

    @Test("one that left the list stays known if it was read; a foreign one that was read is known, but not listed")
    func leaving() async throws {
        let database = try await open()
        _ = try await database.setPlaylists([playlist(1), playlist(2)])
        _ = try await database.setTracks([track(1)], of: playlist(1))
        _ = try await database.setTracks([track(2)], of: playlist(7, owner: -5, key: "k"))
        #expect(try await database.playlists().count == 2)
        _ = try await database.setPlaylists([])
        #expect(try await database.playlists().isEmpty)
        #expect(try await database.playlist(playlist(2).id) == nil)
        #expect(try await database.tracks(of: playlist(1).id, matching: nil)?.count == 1)
        #expect(try await database.playlist(PlaylistID(owner: -5, number: 7))?.playlist.accessKey == "k")
        try await database.forgetPlaylist(playlist(1).id)
        #expect(try await database.tracks(of: playlist(1).id, matching: nil) == nil)
    }

    @Test("a hundred foreign playlists are remembered, the oldest go; a kept one stays")
    func bounded() async throws {
        let database = try await open()
        _ = try await database.setTracks([track(1)], of: playlist(1, owner: -5))
        try await database.writing { connection throws(DatabaseError) in
            try connection.run("UPDATE playlists SET kept = 1")
        }
        for number in Int64(2)...112 { _ = try await database.setTracks([track(1)], of: playlist(number, owner: -5)) }
        var known: [Int64] = []
        for number in Int64(1)...112 where try await database.playlist(PlaylistID(owner: -5, number: number)) != nil {
            known.append(number)
        }
        #expect(known == [1] + Array(13...112))
        #expect(try await database.playlist(PlaylistID(owner: -5, number: 1))?.isKept == true)
    }

    @Test("a new playlist comes to the top; a description alone changes no place")
    func top() async throws {
        let database = try await open()
        _ = try await database.setPlaylists([playlist(1), playlist(2)])
        try await database.setDescription(playlist(3), first: true)
        try await database.setDescription(playlist(2, "renamed"), first: false)
        try await database.setDescription(playlist(4), first: true)
        #expect(try await database.playlists().map(\.playlist.title) == ["P4", "P3", "P1", "renamed"])
    }

    @Test("logging out forgets playlists together with their tracks")
    func forgets() async throws {
        let database = try await open()
        _ = try await database.setPlaylists([playlist(1)])
        _ = try await database.setTracks([track(1), track(2)], of: playlist(1))
        try await database.addCopy(FinishedCopy(id: track(2).id, path: "/m/2.mp3", bytes: 1))
        try await database.forgetProfile()
        #expect(try await database.playlists().isEmpty)
        #expect(try await database.playlist(playlist(1).id) == nil)
        #expect(try await database.tracks([track(1).id, track(2).id]).map(\.track.id) == [track(2).id])
    }

    @Test("lyrics are kept over a restart, and so is that there are none")
    func lyrics() async throws {
        let words = Lyrics(lines: [.init(begin: 0, text: "ла"), .init(text: "")], credits: "me")
        let first = try await open()
        #expect(try await first.lyrics(of: track(1).id) == nil)
        try await first.setLyrics(StoredLyrics(lyrics: words, askedAt: 5), of: track(1).id)
        try await first.setLyrics(StoredLyrics(lyrics: nil, askedAt: 6), of: track(2).id)
        let second = try await open()
        #expect(try await second.lyrics(of: track(1).id) == StoredLyrics(lyrics: words, askedAt: 5))
        #expect(try await second.lyrics(of: track(2).id) == StoredLyrics(lyrics: nil, askedAt: 6))
    }
}
