import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Addresses of tracks' pages at VK, such as the `xesam:url` we give out.
@Suite(.timeLimit(.minutes(1)))
struct PageAddressTests {
    let rig = Rig()

    @Test(
        "Opening a track's page plays the track, known or not, and fetches no page",
        arguments: ["https://vk.com/audio7_1", "https://m.vk.ru/audio7_99_key?x=y"])
    func opens(uri: String) async throws {
        rig.library.put(profile: [track(1)])
        await rig.account.ready()
        try await rig.player.open(uri)
        let id = try #require(VKAddress.track(uri)?.id)
        #expect(rig.player.state.currentEntry?.track.id == id)
        #expect(rig.player.state.currentEntry?.track.title == (id == track(1).id ? "Title 1" : ""))
        #expect(await until { rig.source.resolved == [id] }, "VK is asked for its sound")
    }

    @Test("Words of a call may be such addresses, too")
    func words() async throws {
        rig.library.put(profile: [track(1)])
        let found = try await rig.player.tracks(["https://vk.com/audio7_1", "7_1"], knownTo: rig.librarian)
        #expect(found.map(\.track.id) == [track(1).id, track(1).id])
    }
}
