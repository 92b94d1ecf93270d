import NyanCore
import Testing

@Suite("How a playlist is named")
struct PlaylistReferenceTests {
    @Test(
        "ids and VK's addresses are read whole",
        arguments: [
            ("123456_17", 123456, 17, nil),
            ("-2000550144_4550144_77aa", -2_000_550_144, 4_550_144, "77aa"),
            ("123456_-21", 123456, -21, nil),
            ("https://vk.com/music/playlist/123456_17_3fa1c0ffee", 123456, 17, "3fa1c0ffee"),
            ("https://vk.ru/music/album/-2000550144_4550144_77aa", -2_000_550_144, 4_550_144, "77aa"),
            ("m.vk.com/music/playlist/123456_17", 123456, 17, nil),
            ("http://m.vk.ru/music/playlist/-5_17?from=x#y", -5, 17, nil),
            ("https://www.vk.com/music/playlist/1_2?access_key=ab12", 1, 2, "ab12"),
            (
                "https://vk.com/audios123456?z=audio_playlist-2000550144_4550144%2F77aa", -2_000_550_144, 4_550_144,
                "77aa"
            ),
            ("https://vk.com/audios123456?section=all&z=audio_playlist123456_17/77aa", 123456, 17, "77aa"),
            ("https://vk.ru/feed?z=audio_playlist123456_17", 123456, 17, nil),
            ("https://m.vk.com/audio?act=audio_playlist-5_17&access_hash=c0ffee", -5, 17, "c0ffee"),
            ("VK.com/music/playlist/1_2", 1, 2, nil),
            ("https://vk.com/audio_playlist1_2", 1, 2, nil),
        ] as [(String, Int64, Int64, String?)])
    func reads(text: String, owner: Int64, number: Int64, key: String?) throws {
        let reference = try #require(PlaylistReference(text))
        #expect(reference.id == PlaylistID(owner: owner, number: number))
        #expect(reference.accessKey == key)
        #expect(PlaylistReference(reference.description) == reference)
    }

    @Test(
        "anything else is no playlist",
        arguments: [
            "", "17", "create", "rename", "delete", "add", "remove", "0_17", "17_0", "1_2_", "1_2_a-b", "+1_2", "1_2_é",
            "https://example.org/music/playlist/1_2", "https://vk.com.evil.org/music/playlist/1_2",
            "https://vk.com/music/playlist/", "https://vk.com/music/curator/1_2", "https://vk.com/audios1?z=video1_2",
            "file:///music/playlist/1_2", "99999999999999999999_1",
        ])
    func refuses(text: String) { #expect(PlaylistReference(text) == nil) }
}

@Suite("Reading the list of playlists")
struct PlaylistsReadingTests {
    private func list(_ numbers: ClosedRange<Int64>) -> [Playlist] {
        numbers.map { Playlist(id: PlaylistID(owner: 1, number: $0), title: "P\($0)") }
    }

    /// Answers each page of the lists in turn: a list for a pass.
    private func read(stored: [Int64] = [], _ passes: [[Playlist]], cap: Int = 100) -> (PlaylistsReading.Step, Int) {
        var reading = PlaylistsReading(stored: stored.map { PlaylistID(owner: 1, number: $0) })
        var pass = -1
        var requests = 0
        while case .page(let offset, let count) = reading.next, requests < 500 {
            if offset == 0 { pass += 1 }
            requests += 1
            let now = passes[min(pass, passes.count - 1)]
            let items = Array(now.dropFirst(offset).prefix(min(count, cap)))
            reading.received(PlaylistPage(count: now.count, playlists: items, itemCount: items.count))
        }
        return (reading.next, requests)
    }

    @Test("250 come in pages of 100 and of a smaller cap, once each, in order", arguments: [100, 50])
    func paging(cap: Int) {
        let (end, requests) = read([list(1...250)], cap: cap)
        #expect(end == .done(list(1...250)))
        #expect(requests == 250 / cap + (250 % cap == 0 ? 0 : 1))
    }

    @Test("items VK counts but does not show end the reading, not the daemon")
    func countTooGreat() {
        var reading = PlaylistsReading(stored: [])
        var requests = 0
        while case .page(let offset, _) = reading.next, requests < 50 {
            requests += 1
            let items = offset == 0 ? list(1...90) : []
            reading.received(PlaylistPage(count: 150, playlists: items, itemCount: items.count))
        }
        #expect(reading.next == .done(list(1...90)))
        #expect(requests == 2)
    }

    @Test("one that is missing must be missing twice")
    func missing() {
        #expect(read(stored: [1, 2, 3], [list(1...2), list(1...2)]).0 == .done(list(1...2)))
        #expect(read(stored: [1, 2, 3], [list(1...2), list(1...3)]).0 == .done(list(1...3)))
        #expect(read(stored: [1, 2, 3], [list(1...2)]).1 == 2)
    }

    @Test("a list that changes while it is read is read again, and given up in the end")
    func restless() {
        var reading = PlaylistsReading(stored: [])
        var requests = 0
        while case .page = reading.next, requests < 100 {
            requests += 1
            reading.received(PlaylistPage(count: 200 + requests, playlists: list(1...100), itemCount: 100))
        }
        guard case .failed(let failure) = reading.next else {
            Issue.record("\(reading.next)")
            return
        }
        #expect(failure.code == .badAnswer && requests == 8)
    }
}

@Suite("Doubt about a playlist's tracks")
struct PlaylistDoubtTests {
    private func ids(_ numbers: [Int64]) -> [TrackID] { numbers.map { TrackID(owner: 1, audio: $0) } }

    private func verdict(
        number: Int64 = 7, stored: [Int64]?, read: [Int64], before: [Int64]? = nil, described: Int? = nil
    ) -> String {
        let id = PlaylistID(owner: 1, number: number)
        switch PlaylistDoubt.about(
            id, stored: stored.map(ids), read: ids(read), before: before.map(ids), described: described)
        {
        case .believe: return "believe"
        case .readAgain: return "again"
        case .keep: return "keep"
        }
    }

    @Test("nothing is lost by one reading; what two show alike is believed, an empty list only with VK's word for it")
    func table() {
        #expect(verdict(stored: nil, read: []) == "believe")
        #expect(verdict(stored: [], read: []) == "believe")
        #expect(verdict(stored: [1, 2], read: [2, 1, 3]) == "believe")
        #expect(verdict(stored: [1, 2], read: [2]) == "again")
        #expect(verdict(stored: [1, 2], read: [2], before: [2]) == "believe")
        #expect(verdict(stored: [1, 2], read: [2], before: []) == "keep")
        #expect(verdict(stored: [1, 2], read: []) == "again")
        #expect(verdict(stored: [1, 2], read: [], before: [], described: 2) == "keep")
        #expect(verdict(stored: [1, 2], read: [], before: []) == "keep")
        #expect(verdict(stored: [1, 2], read: [], before: [], described: 0) == "believe")
    }

    @Test("a list VK makes anew each day may hold anything but nothing")
    func generated() {
        #expect(verdict(number: -7, stored: [1, 2], read: [8, 9]) == "believe")
        #expect(verdict(number: -7, stored: [1, 2], read: []) == "again")
        #expect(verdict(number: -7, stored: [1, 2], read: [], before: [], described: 30) == "keep")
    }
}

@Suite("Lyrics")
struct LyricsTests {
    @Test("a line is sung from its begin to the next one's")
    func lines() {
        let lyrics = Lyrics(lines: [.init(begin: 1000, text: "a"), .init(begin: 2000, text: "b")])
        #expect([0, 999, 1000, 1999, 2000, 9999].map { lyrics.line(at: $0) } == [nil, nil, 0, 0, 1, 1])
        #expect(lyrics.isTimed && !Lyrics(lines: []).isTimed)
        let plain = Lyrics(lines: [.init(begin: 1, text: "a"), .init(text: "b")])
        #expect(!plain.isTimed && plain.line(at: 5000) == nil)
    }
}
