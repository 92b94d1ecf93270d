import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

@Suite("Lyrics and the VK status", .timeLimit(.minutes(1)))
struct LyricsServiceTests {
    private final class Wall {
        var now: Int64 = 1_000_000
    }

    let rig = Rig()
    let source = ScriptedPlaylists()
    let store = MemoryPlaylists()
    private let wall = Wall()

    private func service() -> LyricsService {
        LyricsService(
            source: source, store: store, account: rig.account, connectivity: rig.connectivity,
            wallClock: { [wall] in wall.now })
    }

    private func code(_ service: LyricsService, _ number: Int64) async -> Failure.Code? {
        do throws(Failure) { _ = try await service.lyrics(of: track(number).reference) } catch { return error.code }
        return nil
    }

    @Test("words are asked for once and known without a network")
    func once() async throws {
        let words = Lyrics(lines: [.init(text: "la")])
        source.words[track(1).id] = words
        let service = service()
        #expect(try await service.lyrics(of: track(1).reference) == words)
        rig.connectivity.setOfflineMode(true)
        #expect(try await service.lyrics(of: track(1).reference) == words)
        #expect(source.calls == ["lyrics"])
        #expect(await code(service, 2) == .offline)
    }

    @Test("that there are none is believed for a week")
    func none() async throws {
        let service = service()
        #expect(await code(service, 1) == .notFound)
        wall.now += 6 * 86_400
        #expect(await code(service, 1) == .notFound)
        #expect(source.calls.count == 1)
        wall.now += 2 * 86_400
        source.failures = ["lyrics": [.noNetwork]]
        #expect(await code(service, 1) == .notFound, "better than a failure")
        source.words[track(1).id] = Lyrics(lines: [.init(text: "la")])
        #expect(await code(service, 1) == nil)
        #expect(source.calls.count == 3)
    }

    @Test("a sound that is not VK's has none, and nobody is asked")
    func foreign() async throws {
        let failure = await #expect(throws: Failure.self) {
            _ = try await service().lyrics(of: TrackReference(id: TrackID(owner: 0, audio: 5)))
        }
        #expect(failure?.code == .notFound && source.calls.isEmpty)
    }

    private func broadcast() -> BroadcastService {
        BroadcastService(
            source: source, player: rig.player, account: rig.account, connectivity: rig.connectivity, hub: rig.hub,
            time: rig.time, log: Log(level: .error))
    }

    @Test("the track that plays is shown, a stop and the end of the program clear it, and nothing wakes up in between")
    func status() async throws {
        let broadcast = broadcast()
        await rig.account.ready()
        broadcast.setOn(true)
        try await rig.play([track(1), track(2)])
        await settle()
        #expect(source.status.isEmpty)
        rig.time.advance(by: .seconds(6))
        #expect(await until { source.status == [track(1).id] })
        rig.player.perform(.stop)
        await settle()
        rig.time.advance(by: .seconds(6))
        #expect(await until { source.status == [track(1).id, nil] })
        await broadcast.shutDown()
        #expect(source.status.count == 2, "there is nothing left to clear")
    }

    @Test("the end of the program clears what is shown")
    func quit() async throws {
        let broadcast = broadcast()
        await rig.account.ready()
        broadcast.setOn(true)
        try await rig.play([track(1)])
        await settle()
        rig.time.advance(by: .seconds(6))
        #expect(await until { source.status == [track(1).id] })
        await broadcast.shutDown()
        #expect(source.status == [track(1).id, nil])
    }

    @Test("a call that hangs is given up as soon as the track changes, and the end does not wait for it")
    func hanging() async throws {
        let broadcast = broadcast()
        await rig.account.ready()
        broadcast.setOn(true)
        try await rig.play([track(1), track(2)])
        await settle()
        source.latch.shut()
        rig.time.advance(by: .seconds(6))
        #expect(await until { source.latch.held == 1 })
        rig.player.perform(.next)
        await settle()
        source.latch.open()
        await settle()
        #expect(source.status.isEmpty, "it was cancelled")
        source.latch.shut()
        let end = Task { @MainActor in await broadcast.shutDown() }
        #expect(await until { rig.time.waits.contains(.seconds(1)) })
        rig.time.advance(by: .seconds(1))
        await end.value
        source.latch.open()
    }

    @Test("while the setting is off nothing is asked and no time is waited for")
    func off() async throws {
        let broadcast = broadcast()
        await rig.account.ready()
        broadcast.setOn(false)
        try await rig.play([track(1)])
        await settle()
        rig.time.advance(by: .seconds(60))
        await settle()
        await broadcast.shutDown()
        #expect(source.status.isEmpty && source.calls.isEmpty)
    }
}
