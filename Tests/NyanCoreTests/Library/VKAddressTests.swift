import NyanCore
import Testing

@Suite("Addresses of VK's site")
struct VKAddressTests {
    @Test(
        "A track's address is read in every form people paste",
        arguments: [
            ("https://vk.com/audio-2001550144_92550144", "-2001550144_92550144"),
            ("https://vk.com/audio123456_456239321_3fa1c0ffee", "123456_456239321_3fa1c0ffee"),
            ("vk.ru/audio1_2", "1_2"), ("http://m.vk.com/audio1_2?from=x#y", "1_2"), ("//www.vk.com/audio1_2/", "1_2"),
            ("  <https://VK.com/audio1_2>\n", "1_2"), ("\"https://vk.com/audio1_2\"", "1_2"), ("audio1_2", "1_2"),
        ])
    func tracks(text: String, reference: String) {
        #expect(VKAddress.track(text)?.description == reference)
    }

    @Test(
        "Nothing else is taken for a track",
        arguments: [
            "", "audio", "https://vk.com/audios1", "https://vk.com/durov", "https://example.org/audio1_2",
            "https://vk.com.example.org/audio1_2", "https://vk.com", "https://evil.org/?x=vk.com/audio1_2",
            "https://vk.com@evil.org/audio1_2", "audiobook", "my audio1_2", "https://vk.com/wall1_2", "1_2",
        ])
    func noTracks(text: String) { #expect(VKAddress.track(text) == nil) }

    @Test(
        "An owner is an id, a numbered name, the address of a page or of its music, or a name to ask for",
        arguments: [
            ("123", .id(123)), ("-88", .id(-88)), ("id123", .id(123)), ("club123", .id(-123)),
            ("public123", .id(-123)), ("event5", .id(-5)), ("https://vk.com/id77", .id(77)),
            ("https://vk.ru/audios-123", .id(-123)), ("m.vk.com/audios123?section=all", .id(123)),
            ("https://vk.com/audio_playlists-5", .id(-5)), ("http://www.vk.com/club88/", .id(-88)),
            ("durov", .screenName("durov")), ("@durov", .screenName("durov")),
            ("https://vk.com/durov", .screenName("durov")), ("vk.com/some.name_1?w=x", .screenName("some.name_1")),
            ("clubbing", .screenName("clubbing")), ("id", .screenName("id")), ("idol7", .screenName("idol7")),
        ] as [(String, VKAddress.Owner)])
    func owners(text: String, owner: VKAddress.Owner) { #expect(VKAddress.owner(text) == owner) }

    @Test(
        "What is none is none",
        arguments: [
            "", " ", "0", "-", "--5", "https://example.org/durov", "https://vk.com", "https://vk.com/", "a b",
            "имя", "99999999999999999999", "vk.com/", "x?y",
        ])
    func noOwners(text: String) { #expect(VKAddress.owner(text) == nil) }
}
