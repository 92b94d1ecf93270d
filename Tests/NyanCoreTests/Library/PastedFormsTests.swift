import NyanCore
import Testing

@Suite("Addresses as people paste them")
struct PastedFormsTests {
    @Test(
        "What a sentence or a message put around a word is not part of it",
        arguments: [
            ("vk.com/audio1_2,", "vk.com/audio1_2"), ("(vk.com/audio1_2).", "vk.com/audio1_2"), ("«x»!", "x"),
            (" \u{A0}<x>\n", "x"), ("[x]", "x"), ("‘x’…", "x"), ("-5_6;", "-5_6"), ("@x", "@x"), ("...", ""), ("", ""),
        ])
    func bare(word: String, bare: String) { #expect(PastedWord.bare(word) == bare) }

    @Test(
        "A track is found by path, by query and with its key elsewhere",
        arguments: [
            ("https://vk.com/audio-200%5F9%5Fab", "-200_9_ab"), ("https://vk.com/%61udio1_2", "1_2"),
            ("https://vk.com/durov?z=audio1_2%2Fab", "1_2_ab"), ("vk.com/wall-1_2?w=wall-1_2&z=audio1_2_ab", "1_2_ab"),
            ("https://vk.com/audio1_2?access_key=ab", "1_2_ab"), ("https://vk.com/audio1_2_cd?access_key=ab", "1_2_cd"),
            ("https://vk.com/audio1_2?access_key=a-b", "1_2"), ("https://vkontakte.ru/audio1_2", "1_2"),
            ("https://m.vk.com/audio1_2#top", "1_2"), ("HTTPS://M.VK.RU/audio1_2/?a=b", "1_2"),
            ("https://vk.com/audio1_2/ab", "1_2"), ("https://vk.com/?z=audio1_2", "1_2"),
            ("https://vk.com?z=audio1_2", "1_2"), ("vk.com?z=audio1_2", "1_2"), ("https://vk.com:443/audio1_2", "1_2"),
            ("https://vk.com./audio1_2", "1_2"),
        ])
    func tracks(text: String, reference: String) { #expect(VKAddress.track(text)?.description == reference) }

    @Test(
        "A playlist's address, a front page and other sites are no track's",
        arguments: [
            "https://vk.com/audio_playlist1_2", "https://vk.com/audios1?z=audio_playlist1_2",
            "https://vk.com/", "https://login.vk.com/audio1_2", "https://vk.com@evil.org/?z=audio1_2",
            "https://vk.com#audio1_2", "https://xvk.com/audio1_2", "https://vk.com.evil.org/audio1_2",
            "https://m.m.vk.com/audio1_2", "https://user@vk.com/audio1_2", "music/audio1_2",
            "https://vk.com/%zzaudio1_2",
        ])
    func noTracks(text: String) { #expect(VKAddress.track(text) == nil) }

    @Test(
        "Tracks, playlists and VK's own pages are nobody's name",
        arguments: [
            "audio1_2", "https://vk.com/audio-1_2_ab", "audio_playlist1_2", "https://vk.com/music/playlist/1_2",
            "https://vk.com/music", "https://vk.com/audio?id=x", "https://vk.com/audios?id=0",
            "https://vk.com/artist/foo", "https://vk.com/clips", "vk.com/app", "vk.com/app5_-7", "vk.com/app123",
            "https://vk.com/away.php?to=x", "vk.com/photo1_2", "vk.com/Video-1_2", "vk.com/topic-1_2", "vk.com/feed",
            "vk.com/albums-5", "vk.com/durov/photos", "https://login.vk.com/durov", "https://vk.com/", "vk.com/doc1_2",
            "vk.com/album1_2", "clip-1_2",
        ])
    func nobody(text: String) { #expect(VKAddress.owner(text) == nil) }

    @Test(
        "An owner may stand in a field, behind an @, and in any letters",
        arguments: [
            ("https://vk.com/audio?id=-5", .id(-5)), ("vk.com/@durov", .screenName("durov")),
            ("durov,", .screenName("durov")),
            ("https://vk.com/durov?z=audio1_2", .screenName("durov")),
            ("https://vk.com/%64urov/", .screenName("durov")),
            ("audios-5", .id(-5)), ("photographer", .screenName("photographer")), ("appleton", .screenName("appleton")),
            ("video2000", .screenName("video2000")), ("feed_me", .screenName("feed_me")),
            ("https://m.vk.com/audio_playlists5#x", .id(5)),
        ] as [(String, VKAddress.Owner)])
    func owners(text: String, owner: VKAddress.Owner) { #expect(VKAddress.owner(text) == owner) }

    @Test("Any page of VK's is one; ids, words and other sites' pages are none")
    func pages() {
        for page in [
            "https://vk.com/durov", "m.vk.ru/audio1_2", "http://vkontakte.ru/x?y#z", "//vk.com/a",
            "https://vk.com", "https://vk.com/", "https://vk.com?z=audio1_2", "vk.com?x", "https://vk.com:443/audio1_2",
            "https://login.vk.com/?act=x", "https://oauth.vk.ru/authorize", "HTTPS://API.VK.COM/x", "vk.com/",
        ] {
            #expect(VKAddress.isPage(page), "\(page)")
        }
        for word in [
            "1_2", "durov", "@durov", "https://example.org/vk.com/x", "music/playlist/1_2", "a/b",
            "https://evil-vk.com/",
            "https://vk.com.evil.org/", "https://user@vk.com/x", "https://user@m.vk.com/x", "https://vk.com@evil.org/x",
            "https://vk.com:443@evil.org/x", "https://vk.com\\@evil.org/x", "https://cs1.vkuseraudio.net/a.mp3",
            "https://psv4.userapi.com/a.mp3", "vk.com", "mp3?",
        ] {
            #expect(!VKAddress.isPage(word), "\(word)")
        }
    }

    @Test(
        "Columns of what joins and combines",
        arguments: [
            ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1112}\u{D7B0}", 2), ("👍🏽", 2), ("🏳️‍🌈", 2), ("1️⃣", 2), ("🇷🇺", 2), ("🇷", 1),
            ("❤", 1), ("❤️", 2), ("é", 1), ("e\u{301}\u{302}", 1), ("שלום", 4), ("ﷺ", 1), ("नमस्ते", 4), ("\u{200B}", 0),
            ("\u{FEFF}", 0), ("👩‍👩‍👧‍👦", 2), ("ｱ", 1), ("ア", 2), ("Ａ", 2), ("〰️", 2), ("™️", 2), ("👁‍🗨", 2),
            ("\u{1F468}\u{200D}", 2),
        ])
    func columns(text: String, count: Int) { #expect(DisplayText.columns(text) == count, "\(text.debugDescription)") }

    @Test(
        "Signs that turn the order of others are shown, not obeyed",
        arguments: [0x206A, 0x206F, 0x2066, 0x202E, 0x200F])
    func order(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let hex = String(value, radix: 16, uppercase: true)
        #expect(DisplayText.escaped("a\(Character(scalar))b") == "a\\u\(hex)b")
    }
}
