import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// Many downloads cost few calls (vk-api.md §2.1), and no location is used that may not hold any more.
@Suite(.timeLimit(.minutes(1)))
struct LocationDeskTests {
    let rig = Rig(parallel: 3)

    private func add(_ numbers: ClosedRange<Int64>) async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add(numbers.map { track($0) })
    }

    private func ids(_ numbers: some Sequence<Int64>) -> [TrackID] { numbers.map { track($0).id } }

    /// Brings whatever runs until nothing is left to bring.
    private func bringAll() async throws {
        while !rig.downloads.list.allSatisfy({ $0.state == .done }) {
            #expect(await until { !rig.fetcher.running.isEmpty })
            for transfer in rig.fetcher.running { try transfer.finish() }
            await settle()
        }
    }

    @Test("Fifty downloads take one call, in their order")
    func fifty() async throws {
        try await add(1...50)
        try await bringAll()
        #expect(rig.source.resolves == [ids(1...50)])
        #expect(rig.fetcher.starts.count == 50)
    }

    @Test("A call names fifty at first, and a hundred at most where they are soon used")
    func most() async throws {
        try await add(1...420)
        try await bringAll()
        #expect(rig.source.resolves.map(\.count) == [50, 100, 100, 100, 70])
        #expect(rig.source.resolved == ids(1...420))
    }

    @Test(
        "While files come quickly the next locations are asked for before the last is used, and none is asked for twice"
    )
    func ahead() async throws {
        try await add(1...200)
        #expect(await until { rig.fetcher.running.count == 3 })
        rig.source.latch.shut()
        for transfer in rig.fetcher.running { try transfer.finish() }
        // Nobody waits for this call.
        #expect(await until { rig.source.latch.held == 1 && rig.fetcher.running.count == 3 })
        while rig.fetcher.starts.count < 50 {
            for transfer in rig.fetcher.running { try transfer.finish() }
            await settle()
        }
        for transfer in rig.fetcher.running { try transfer.finish() }
        // Those whose location is under way wait for that call.
        await settle()
        #expect(rig.fetcher.running.isEmpty && rig.source.latch.held == 1)
        rig.source.latch.open()
        try await bringAll()
        #expect(rig.source.resolved == ids(1...200))
    }

    @Test("Where files take their time no more than fifty are asked for, when the last location is used")
    func slow() async throws {
        try await add(1...120)
        while !rig.downloads.list.allSatisfy({ $0.state == .done }) {
            #expect(await until { !rig.fetcher.running.isEmpty })
            rig.time.advance(by: LocationDesk.haste)
            for transfer in rig.fetcher.running { try transfer.finish() }
            await settle()
        }
        #expect(rig.source.resolves.map(\.count) == [50, 50, 20])
    }

    @Test("What is to play is asked for at once and alone, though a call for downloads is under way")
    func playing() async throws {
        rig.source.latch.shut()
        try await add(1...9)
        #expect(await until { rig.source.latch.held == 1 })
        rig.player.perform(.playTracks([track(20)], startAt: 0))
        #expect(await until { rig.source.resolves.count == 2 })
        #expect(rig.source.resolves == [ids(1...9), ids([20])])
        // Also where it is one of those being asked for.
        rig.player.perform(.playTracks([track(2)], startAt: 0))
        #expect(await until { rig.source.resolves.last == ids([2]) })
        rig.source.latch.open()
        #expect(await until { rig.fetcher.running.count == 3 })
        await settle()
        #expect(rig.fetcher.starts.filter { $0.location.url.revealed.contains("7_2.mp3") }.count == 1)
    }

    @Test("A track that VK no longer has fails alone")
    func unknown() async throws {
        rig.source.unknown = [track(2).id, track(5).id]
        rig.source.silent = [track(6).id]
        try await add(1...8)
        #expect(
            await until {
                for transfer in rig.fetcher.running { try? transfer.finish() }
                return rig.downloads.list.allSatisfy { !$0.state.isUnderWay }
            })
        let failed = rig.downloads.list.filter { $0.state == .failed }
        #expect(failed.map(\.id) == ids([2, 5, 6]))
        #expect(failed.allSatisfy { $0.failure?.code == .unavailableTrack })
        // The two of which the first answer did not tell where they are.
        #expect(rig.source.resolves.dropFirst() == [ids([5, 6])])
    }

    @Test("A location is used once, and not after its time")
    func life() async throws {
        try await add(1...9)
        #expect(await until { rig.fetcher.running.count == 3 })
        rig.time.advance(by: LocationDesk.longestLife + .seconds(1))
        for transfer in rig.fetcher.running { try transfer.finish() }
        #expect(await until { rig.source.resolves.count == 2 })
        #expect(rig.source.resolves.dropFirst().first == ids(4...9))
        try await bringAll()
        #expect(rig.source.resolves.count == 2)
    }

    /// What makes locations worthless.
    enum Change: String, CaseIterable { case host, account, offline, sleep }

    @Test(
        "Nothing that was asked along is used after its host failed, by another account, or after a time without network",
        arguments: Change.allCases)
    func forgotten(_ change: Change) async throws {
        try await add(1...9)
        #expect(await until { rig.fetcher.running.count == 3 })
        switch change {
        case .host: rig.fetcher.running[0].fail(Failure(.network, "broken off", retry: .later))
        case .account:
            rig.source.account = Account(id: 2, name: "Another", tracks: 0, login: "token")
            _ = try await rig.account.login(token: Secret("t"), profileName: nil)
        case .offline:
            rig.connectivity.setOfflineMode(true)
            rig.transfers.endAttempts(Failure(.offline, "offline mode is on"))
            await settle()
            rig.connectivity.setOfflineMode(false)
        case .sleep:
            rig.transfers.cutOff()
            rig.transfers.goOn()
        }
        #expect(
            await until {
                for transfer in rig.fetcher.running { try? transfer.finish() }
                return rig.source.resolves.count == 2
            })
        #expect(rig.source.resolves.dropFirst().first?.contains(track(9).id) == true)
    }

    @Test("With locations that live five seconds three hundred downloads all come, for little more than fifty calls")
    func shortLived() async throws {
        try await add(1...300)
        var asked: [String: Duration] = [:]
        var refused = 0
        while !rig.downloads.list.allSatisfy({ $0.state == .done }) {
            #expect(await until { !rig.fetcher.running.isEmpty })
            for transfer in rig.fetcher.running {
                // The number in the address tells the call that gave it.
                let call = String(transfer.location.url.revealed.split(separator: "=").last ?? "")
                let made = asked[call] ?? rig.time.now
                asked[call] = made
                if rig.time.now - made > .seconds(5) {
                    refused += 1
                    transfer.fail(.expired)
                } else {
                    try transfer.finish()
                }
            }
            rig.time.advance(by: .milliseconds(400))
            await settle()
            guard rig.downloads.list.allSatisfy({ $0.state != .failed }) else { break }
        }
        #expect(rig.downloads.list.allSatisfy { $0.state == .done })
        #expect(
            rig.source.resolves.count < 50 && refused < 30, "\(rig.source.resolves.count) calls, \(refused) refused")
    }

    @Test("A call that fails concerns those that needed it, as it did when each asked for itself")
    func callFails() async throws {
        rig.source.failures = [Failure(.badAnswer, "half an answer", retry: .later)]
        try await add(1...9)
        #expect(await until { rig.downloads.list.filter { $0.failure?.code == .badAnswer }.count == 3 })
        // The others go on with a call of their own.
        #expect(await until { rig.fetcher.running.count == 3 })
        #expect(rig.downloads.list.prefix(3).allSatisfy { $0.state == .waiting && $0.attempts == 1 })
        #expect(rig.source.resolves.count == 2)
    }

    @Test("A cancel while VK is asked leaves nothing, and the call ends where nobody waits for it")
    func cancelled() async throws {
        rig.source.latch.shut()
        try await add(1...9)
        #expect(await until { rig.source.latch.held == 1 })
        #expect(try await rig.downloads.cancel(nil) == 9)
        rig.source.latch.open()
        await settle()
        #expect(rig.fetcher.starts.isEmpty && rig.downloads.list.isEmpty && rig.library.rows.isEmpty)
        #expect(rig.copies.growing.isEmpty)
    }

    @Test("A call made ahead that fails costs nothing that was asked before")
    func aheadFails() async throws {
        try await add(1...200)
        #expect(await until { rig.fetcher.running.count == 3 })
        rig.source.latch.shut()
        rig.source.failures = [Failure(.badAnswer, "half an answer", retry: .later)]
        for transfer in rig.fetcher.running { try transfer.finish() }
        #expect(await until { rig.source.latch.held == 1 && rig.fetcher.running.count == 3 })
        rig.source.latch.open()
        try await bringAll()
        #expect(rig.source.resolves.prefix(2).map(\.count) == [50, 100])
        #expect(rig.source.resolves.dropFirst(2).joined().sorted { $0.audio < $1.audio } == ids(51...200))
    }

    @Test("A call that nobody waits for any more takes nothing that was asked before with it")
    func cancelledBatch() async throws {
        let source = ScriptedSource()
        let desk = LocationDesk(source: source) { 0 }
        desk.upcoming = { limit in (Int64(2)...5).map { TrackReference(id: track($0).id) } }
        _ = try await desk.location(of: TrackReference(id: track(1).id), fresh: false)
        source.latch.shut()
        let waiting = Task.onMain { try? await desk.location(of: TrackReference(id: track(9).id), fresh: false) }
        #expect(await until { source.latch.held == 1 })
        desk.leave(track(9).id)
        source.latch.open()
        #expect(await waiting.value == nil)
        await settle()
        _ = try await desk.location(of: TrackReference(id: track(2).id), fresh: false)
        #expect(source.resolves == [ids(1...5), ids([9])])
    }
}
