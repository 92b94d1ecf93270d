import NyanCore
import Testing

/// Addresses of sounds that are not VK's.
@Suite("Addresses")
struct SoundAddressTests {
    @Test(
        "one place has one spelling",
        arguments: [
            ("file:///music/a%20b.mp3", "file:///music/a%20b.mp3"), ("FILE:/music/a b.mp3", "file:///music/a%20b.mp3"),
            ("file://localhost/music/a b.mp3", "file:///music/a%20b.mp3"),
            ("file:///m/%D0%9A%D0%BE%D1%82.mp3", "file:///m/%D0%9A%D0%BE%D1%82.mp3"),
            ("file:///m/Кот.mp3", "file:///m/%D0%9A%D0%BE%D1%82.mp3"), ("file:///100%.mp3", "file:///100%25.mp3"),
            ("file:///what?#1.mp3", "file:///what%3F%231.mp3"),
            ("HTTP://host.test", "http://host.test/"),
            ("https://h.test:8000/a/../b.ogg?k=v#t", "https://h.test:8000/b.ogg?k=v"),
            ("http://h.test?x=1", "http://h.test/?x=1"),
            ("http://h.test/Кот и пёс.mp3", "http://h.test/%D0%9A%D0%BE%D1%82%20%D0%B8%20%D0%BF%D1%91%D1%81.mp3"),
            ("http://u:p@h.test/a%2Fb", "http://u:p@h.test/a%2Fb"), ("http://[::1]:80/a", "http://[::1]:80/a"),
        ])
    func spelling(_ given: String, _ text: String) throws {
        let address = try SoundAddress(given)
        #expect(address.text == text)
        #expect(try SoundAddress(address.text) == address)
        #expect(try SoundAddress(address.text).trackID == address.trackID)
    }

    @Test(
        "what is no address, or of another kind, is refused in words without it",
        arguments: [
            ("ftp://h.test/secret", Failure.Code.unsupported), ("spotify:track:secret", .unsupported),
            ("javascript:secret", .unsupported), ("", .badArgument), ("secret", .badArgument),
            ("/secret", .badArgument),
            ("C:\\secret.mp3", .badArgument), ("file:secret.mp3", .badArgument), ("file://other/secret", .badArgument),
            ("file:///a%00secret", .badArgument), ("file:///%FFsecret", .badArgument), ("http:secret", .badArgument),
            ("http:///secret", .badArgument), ("http://a b/secret", .badArgument),
            ("http://a\u{85}b/secret", .badArgument), ("http://a\u{202E}b/secret", .badArgument),
            ("http://h.test/se\ncret", .badArgument),
            ("http://:80/secret", .badArgument),
            ("http://h.test/" + String(repeating: "secret", count: 2_000), .badArgument),
        ])
    func refused(_ given: String, _ code: Failure.Code) {
        let failure = #expect(throws: Failure.self) { try SoundAddress(given) }
        #expect(failure?.code == code)
        #expect(failure?.message.contains("secret") == false)
    }

    @Test(
        "a title is the file's name, else the host",
        arguments: [
            ("file:///m/%D0%9A%D0%BE%D1%82.mp3", "Кот", ""), ("file:///m/a.b.FLAC", "a.b", ""),
            ("file:///m/a.b", "a.b", ""),
            ("file:///m/.mp3", ".mp3", ""), ("file:///m/и\u{306}.ogg", "й", ""),
            ("http://radio.test/", "radio.test", "radio.test"), ("http://radio.test:8000", "radio.test", "radio.test"),
            ("https://u:p@h.test/x/Track%201.mp3?token=1", "Track 1", "h.test"),
            ("http://h.test/a%0Ab.mp3", "ab", "h.test"),
        ])
    func title(_ given: String, _ title: String, _ artist: String) throws {
        let track = try SoundAddress(given).track
        #expect(track.title == title)
        #expect(track.artist == artist)
        #expect(!track.id.isVKs && TrackID("\(track.id)") == track.id)
        #expect(track.soundAddress?.text == track.address)
    }

    @Test("what is shown has neither user nor query")
    func shown() throws {
        #expect(try SoundAddress("https://u:p@h.test:8000/a.mp3?token=1").shown == "https://h.test:8000/a.mp3")
        #expect(try SoundAddress("file:///a b").shown == "file:///a%20b")
        #expect(try SoundAddress(path: "/a b").path == "/a b")
    }

    @Test("addresses have different numbers, and none has a VK track's")
    func numbers() throws {
        let ids = try Set((1...2_000).map { try SoundAddress("http://h.test/\($0)").trackID })
        #expect(ids.count == 2_000)
        #expect(ids.allSatisfy { $0.owner == 0 && $0.audio > 0 })
    }
}
