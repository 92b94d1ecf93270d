import Glibc
import NyanCore
import Testing

@testable import NyanStore

private func listen(_ number: Int64) -> Listen {
    Listen(
        artist: "Артист", title: "T\(number)", album: number.isMultiple(of: 2) ? "A" : nil, seconds: 180,
        began: 1_790_000_000 + number)
}

@Suite("The scrobbling journal")
struct ScrobbleDatabaseTests {
    let folder = TemporaryFolder()
    var path: String { folder("state/scrobbles.db") }

    /// What another run of the program finds.
    private func reopened() -> ScrobbleDatabase { ScrobbleDatabase(path: path) }

    @Test("is not made before somebody signs in")
    func unused() async throws {
        let journal = reopened()
        #expect(try await journal.reports() == [])
        #expect(try await journal.forget(.lastfm) == 0)
        #expect(access(path, F_OK) != 0)
    }

    @Test("keeps what was listened to for each site until that one has it, over restarts")
    func perSite() async throws {
        let journal = reopened()
        try await journal.enrol(.listenbrainz, name: "anna")
        #expect(try await journal.add(listen(1)) == [])
        try await journal.enrol(.lastfm, name: "ann")
        for number: Int64 in 2...4 { _ = try await journal.add(listen(number)) }
        let other = reopened()
        let waiting = try await other.waiting(for: .listenbrainz, atMost: 3)
        #expect(waiting.map(\.listen) == [listen(1), listen(2), listen(3)])
        try await other.settle(JournalSettlement(taken: waiting.map(\.number)), for: .listenbrainz)
        #expect(try await reopened().waiting(for: .listenbrainz, atMost: 9).map(\.listen) == [listen(4)])
        #expect(try await reopened().waiting(for: .lastfm, atMost: 9).count == 3)
        let left = try await other.waiting(for: .lastfm, atMost: 9)
        try await other.settle(
            JournalSettlement(taken: [left[0].number], dropped: [left[1].number], reason: "too old"), for: .lastfm)
        let reports = try await reopened().reports()
        let brainz = try #require(reports.first { $0.site == .listenbrainz })
        #expect(brainz.name == "anna" && brainz.waiting == 1 && brainz.sent == 3 && brainz.last == listen(3))
        let lastfm = try #require(reports.first { $0.site == .lastfm })
        #expect(lastfm.waiting == 1 && lastfm.sent == 1 && lastfm.dropped == 1 && lastfm.reason == "too old")
    }

    @Test("the same login again changes nothing; another account is not sent what the first one listened to")
    func accounts() async throws {
        let journal = reopened()
        try await journal.enrol(.lastfm, name: "anna")
        _ = try await journal.add(listen(1))
        try await journal.enrol(.lastfm, name: "anna")
        #expect(try await journal.reports().first?.waiting == 1)
        try await journal.enrol(.lastfm, name: "boris")
        #expect(try await journal.reports().first?.waiting == 0)
        _ = try await journal.add(listen(2))
        #expect(try await journal.forget(.lastfm) == 1)
        #expect(try await journal.reports() == [])
        #expect(try await journal.add(listen(3)) == [], "nobody is to be told")
    }

    @Test("is bounded: the oldest stay, the newest is not taken, and that is said")
    func bounded() async throws {
        let journal = ScrobbleDatabase(path: path, most: 3)
        try await journal.enrol(.listenbrainz, name: "anna")
        for number: Int64 in 1...3 { #expect(try await journal.add(listen(number)) == []) }
        #expect(try await journal.add(listen(4)) == [.listenbrainz])
        let waiting = try await journal.waiting(for: .listenbrainz, atMost: 9)
        #expect(waiting.map(\.listen.title) == ["T1", "T2", "T3"])
        let report = try #require(try await journal.reports().first)
        #expect(report.dropped == 1 && report.reason?.contains("3 listens wait already") == true)
        try await journal.settle(JournalSettlement(taken: [waiting[0].number]), for: .listenbrainz)
        #expect(try await journal.add(listen(5)) == [])
    }

    @Test("a damaged one is set aside, and the next one works")
    func damaged() async throws {
        mkdir(folder("state"), 0o700)
        try Disk.write(path, Array("no database at all, but long enough to be looked at as one".utf8))
        let journal = reopened()
        #expect(try await journal.reports() == [])
        #expect(await journal.notice != nil)
        try await journal.enrol(.lastfm, name: "anna")
        #expect(try await journal.reports().count == 1)
    }
}

@Suite("The scrobbling keys' file")
struct ScrobbleKeyFileTests {
    let folder = TemporaryFolder()
    var path: String { folder("data/scrobble-keys") }
    private let keys: [ScrobbleSite: ScrobbleKeys] = [
        .listenbrainz: ScrobbleKeys(token: Secret("canary-token")),
        .lastfm: ScrobbleKeys(token: Secret("s"), apiKey: Secret("k"), sharedSecret: Secret("x")),
    ]

    @Test("keeps the keys of both sites, only for its owner, and nothing when there are none")
    func roundTrip() async throws {
        let store = ScrobbleKeyFile(.file, path: path)
        #expect(try await store.load() == [:])
        try await store.save(keys)
        #expect(Disk.mode(path) == 0o600 && Disk.mode(folder("data")) == 0o700)
        #expect(try await ScrobbleKeyFile(.file, path: path).load() == keys)
        #expect("\(try await store.load())".contains("canary") == false)
        chmod(path, 0o644)
        _ = try await store.load()
        #expect(Disk.mode(path) == 0o600)
        try await store.save([:])
        #expect(Folder.names(in: folder("data")).isEmpty)
        #expect(try await store.load() == [:])
    }

    @Test("what cannot be read is told, and not taken for nothing")
    func unreadable() async throws {
        mkdir(folder("data"), 0o700)
        try Disk.write(path, Array("{}".utf8))
        await #expect(throws: Failure.self) { _ = try await ScrobbleKeyFile(.file, path: path).load() }
    }
}
