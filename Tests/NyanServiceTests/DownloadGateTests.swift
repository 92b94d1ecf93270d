import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Trouble that concerns every download fails none of them.
@Suite(.timeLimit(.minutes(1)))
struct DownloadGateTests {
    let rig = Rig()

    private func states() -> [Download.State] { rig.downloads.list.map(\.state) }

    private func add(_ numbers: ClosedRange<Int64>) async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add(numbers.map { track($0) })
    }

    @Test("Offline mode lets everything wait, and all goes on afterwards")
    func offlineMode() async throws {
        try await add(1...3)
        let running = try #require(await rig.transfer(of: track(1).id))
        rig.connectivity.setOfflineMode(true)
        rig.transfers.endAttempts(Failure(.offline, "offline mode is on"))
        await settle()
        #expect(states() == [.waiting, .waiting, .waiting] && running.isCancelled && rig.time.waits.isEmpty)
        rig.connectivity.setOfflineMode(false)
        #expect(await until { rig.fetcher.running.count == 2 })
        #expect(states() == [.running, .running, .waiting])
    }

    @Test("Signed out, nothing is tried; a login starts what waits")
    func signedOut() async throws {
        let rig = Rig(signedIn: false)
        await rig.account.ready()
        #expect(try await rig.downloads.add([track(1)]) == 1)
        await settle()
        #expect(rig.source.resolved.isEmpty && rig.downloads.list.map(\.state) == [.waiting])
        _ = try await rig.account.login(token: Secret("t"), profileName: nil)
        #expect(await rig.transfer(of: track(1).id) != nil)
    }

    @Test("A logout stops what runs and fails nothing")
    func logout() async throws {
        try await add(1...3)
        let running = try #require(await rig.transfer(of: track(1).id))
        try await rig.account.logout()
        await settle()
        #expect(running.isCancelled && states() == [.waiting, .waiting, .waiting])
    }

    @Test(
        "An account that VK refuses lets the whole list wait after one try, until a call succeeds",
        arguments: [Failure.Code.notSignedIn, .clientRefused, .challengeNeeded])
    func refused(_ code: Failure.Code) async throws {
        rig.source.failures = [Failure(code, "refused")]
        try await add(1...9)
        #expect(await until { rig.account.problem?.code == code })
        await settle()
        #expect(Set(states()) == [.waiting] && rig.source.resolves.count == 1)
        #expect(rig.time.waits.isEmpty)
        rig.source.profile = [track(1)]
        _ = try await rig.librarian.search("x", count: 1, byArtist: false)
        #expect(await until { rig.fetcher.running.count == 2 })
    }

    @Test("While VK cannot be reached the list waits as long as it takes, and looks again ever more rarely")
    func outage() async throws {
        rig.source.failures = Array(repeating: .noNetwork, count: 1000)
        try await add(1...9)
        #expect(await until { !rig.connectivity.isOnline })
        var pauses: [Duration] = []
        for _ in 0..<8 {
            await settle()
            #expect(Set(states()) == [.waiting])
            let longest = try #require(rig.time.waits.last)
            pauses.append(longest)
            rig.time.advance(by: longest)
        }
        #expect(pauses == [5, 10, 20, 40, 60, 60, 60, 60].map { .seconds($0) })
        rig.source.failures = []
        await settle()
        rig.time.advance(by: .seconds(60))
        #expect(await until { rig.fetcher.running.count == 2 })
        #expect(rig.connectivity.isOnline)
    }

    @Test("The network's return, seen by anybody, starts the list at once")
    func networkReturns() async throws {
        rig.source.failures = [.noNetwork]
        try await add(1...2)
        #expect(await until { !rig.connectivity.isOnline })
        await settle()
        #expect(rig.fetcher.running.isEmpty)
        rig.source.profile = [track(1)]
        _ = try await rig.librarian.search("x", count: 1, byArtist: false)
        #expect(await until { rig.fetcher.running.count == 2 })
    }

    @Test("A media server that does not answer is one download's trouble, not the network's")
    func mediaServer() async throws {
        try await add(1...2)
        let first = try #require(await rig.transfer(of: track(1).id))
        let second = try #require(await rig.transfer(of: track(2).id))
        first.fail(.noNetwork)
        await settle()
        #expect(!second.isCancelled && states() == [.waiting, .running])
        #expect(rig.downloads.list[0].failure?.code == .network)
    }

    @Test("A download that VK has no sound for fails alone, with its reason")
    func unavailable() async throws {
        rig.source.silent = [track(1).id]
        try await add(1...2)
        #expect(await until { states().first == .failed })
        #expect(rig.downloads.list[0].failure?.code == .unavailableTrack && states()[1] == .running)
    }

    @Test("A new wish is worth a try whatever was wrong before")
    func newWish() async throws {
        rig.source.failures = [.refused, .refused]
        try await add(1...1)
        #expect(await until { rig.account.problem != nil })
        await settle()
        rig.source.failures = []
        _ = try await rig.downloads.add([track(2)])
        #expect(await until { rig.fetcher.running.count == 2 })
        #expect(rig.account.problem == nil)
    }
}
