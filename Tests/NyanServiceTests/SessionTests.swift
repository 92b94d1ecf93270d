import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Gives out tokens one after another, with rotated cookies.
private final class ScriptedSessions: SessionSource {
    var failures: [Failure] = []
    let latch = Latch()
    private(set) var asked: [Credential] = []

    func renewed(_ credential: Credential) async throws(Failure) -> Credential {
        asked.append(credential)
        let number = asked.count
        let failure = failures.isEmpty ? nil : failures.removeFirst()
        await latch.pass()
        if let failure { throw failure }
        var fresh = credential
        fresh.token = Secret("token-\(number)")
        fresh.expires = 2_000_000
        fresh.cookies?.remixsid = Secret("sid-\(number)")
        return fresh
    }
}

/// An account service with a web session in its store.
private final class Office {
    let hub = EventHub()
    let source = ScriptedSource()
    let sessions = ScriptedSessions()
    let credentials: MemoryCredentials
    let library = MemoryLibrary()
    let time = ManualTime()
    var unix: Int64 = 1_000_000
    let account: AccountService

    static let profile = ClientProfile(
        name: "web", userAgent: "test", version: "5.2", apiURL: "https://api.test", clientID: "6287487",
        loginURL: "https://login.vk.ru")
    static let stored = Credential(
        profile: profile, token: Secret("token-0"), way: .cookies, expires: 1_000_900,
        cookies: WebCookies(remixsid: Secret("sid-0"), p: Secret("p-0")), user: 1)

    private final class Clock {
        var now: () -> SessionMachine.Moment = { .current }
    }

    init(signedIn: Bool = true) async {
        credentials = MemoryCredentials(signedIn ? Self.stored : nil)
        let clock = Clock()
        account = AccountService(
            source: source, credentials: credentials, library: library, connectivity: Connectivity(hub: hub),
            profiles: ["web": Self.profile], defaultProfile: "web", hub: hub, log: Log(level: .error),
            sessions: sessions, time: time, moment: { clock.now() })
        clock.now = { [unowned self] in SessionMachine.Moment(ticker: time.now, unix: unix) }
        account.restore()
        await account.ready()
    }

    var cookies: String? { credentials.stored?.cookies?.header.revealed }
}

@Suite("A web session", .timeLimit(.minutes(1)))
struct SessionTests {
    @Test("signs in by its cookies: a token is fetched, proved and stored with the rotated cookies")
    func login() async throws {
        let office = await Office(signedIn: false)
        let account = try await office.account.login(cookies: Secret("Cookie: remixsid=a; p=b"), profileName: nil)
        #expect(account.id == 1 && office.sessions.asked.first?.cookies?.header.revealed == "remixsid=a; p=b")
        #expect(office.cookies == "remixsid=sid-1; p=b" && office.credentials.stored?.way == .cookies)
        #expect(office.source.credential == office.credentials.stored && office.credentials.stored?.user == 1)
    }

    @Test("that is refused or proves nothing stores nothing; cookies that are incomplete are not sent")
    func refusedLogin() async {
        let office = await Office(signedIn: false)
        office.sessions.failures = [.refused]
        let cookies = Secret("remixsid=a; p=b")
        await #expect(throws: Failure.refused) {
            _ = try await office.account.login(cookies: cookies, profileName: nil)
        }
        office.source.failures = [.refused]
        await #expect(throws: Failure.refused) {
            _ = try await office.account.login(cookies: cookies, profileName: nil)
        }
        let failure = await #expect(throws: Failure.self) {
            _ = try await office.account.login(cookies: Secret("remixsid=a"), profileName: nil)
        }
        #expect(failure?.code == .badArgument && office.sessions.asked.count == 2)
        #expect(office.credentials.stored == nil && !office.account.isSignedIn && office.source.credential == nil)
    }

    @Test("is renewed once for eight callers, and the new pair is on disk before anybody has it")
    func singleFlight() async throws {
        let office = await Office()
        office.sessions.latch.shut()
        office.credentials.latch.shut()
        let callers = (0..<8).map { _ in
            Task { try await office.account.renewed(after: Secret("token-0"))?.token.revealed }
        }
        #expect(await until { office.sessions.latch.held == 1 })
        office.sessions.latch.open()
        #expect(await until { office.credentials.latch.held == 1 })
        #expect(office.account.session.credential?.token == Secret("token-0"))
        office.credentials.latch.open()
        for caller in callers { #expect(try await caller.value == "token-1") }
        #expect(office.sessions.asked.count == 1 && office.cookies == "remixsid=sid-1; p=p-0")
        // Whoever was late takes what is there.
        #expect(try await office.account.renewed(after: Secret("token-0"))?.token.revealed == "token-1")
        #expect(office.sessions.asked.count == 1)
    }

    @Test("is renewed two minutes before its end, by whoever makes the next call, and by no timer")
    func early() async throws {
        let office = await Office()
        #expect(try await office.account.fresh()?.token.revealed == "token-0")
        office.unix += 790
        #expect(office.time.waits.isEmpty)
        #expect(try await office.account.fresh()?.token.revealed == "token-1")
        #expect(office.time.waits.isEmpty && office.sessions.asked.count == 1)
    }

    @Test("stays signed out when somebody signs out while it is renewed", arguments: [false, true])
    func logout(whileSaving: Bool) async throws {
        let office = await Office()
        let latch = whileSaving ? office.credentials.latch : office.sessions.latch
        latch.shut()
        let caller = Task { try await office.account.renewed(after: Secret("token-0")) }
        #expect(await until { latch.held == 1 })
        let gone = Task { try await office.account.logout() }
        await settle()
        latch.open()
        try await gone.value
        #expect(try await caller.value == nil)
        await settle()
        #expect(office.credentials.stored == nil && office.source.credential == nil && !office.account.isSignedIn)
        #expect(office.account.session.credential == nil)
    }

    @Test("is kept when its renewal is refused or does not get through")
    func refused() async throws {
        let office = await Office()
        office.sessions.failures = [.refused, .noNetwork]
        for failure in [Failure.refused, .noNetwork] {
            await #expect(throws: failure) { _ = try await office.account.renewed(after: Secret("token-0")) }
        }
        #expect(office.credentials.stored == Office.stored && office.account.isSignedIn)
        #expect(try await office.account.renewed(after: Secret("token-0"))?.token.revealed == "token-3")
    }

    @Test("that could not be stored is used all the same, told, and stored as soon as it can be")
    func unsaved() async throws {
        let office = await Office()
        office.credentials.fail(Failure(.diskFull, "no room"))
        #expect(try await office.account.renewed(after: Secret("token-0"))?.token.revealed == "token-1")
        await settle()
        #expect(office.account.problem?.code == .diskFull)
        #expect(office.account.problem?.message.contains("no room") == true)
        office.credentials.fail(nil)
        #expect(await until { !office.time.waits.isEmpty })
        office.time.advance(by: .seconds(10))
        #expect(await until { office.cookies == "remixsid=sid-1; p=p-0" && office.account.problem == nil })
    }
}

@Suite("A secret store that is late", .timeLimit(.minutes(1)))
struct LateStoreTests {
    private let hub = EventHub()
    private let source = ScriptedSource()
    private let credentials = MemoryCredentials(Rig.credential)
    private let library = MemoryLibrary()
    private let time = ManualTime()

    private func start() -> AccountService {
        let account = AccountService(
            source: source, credentials: credentials, library: library, connectivity: Connectivity(hub: hub),
            profiles: ["web": Rig.profile], defaultProfile: "web", hub: hub, log: Log(level: .error), time: time)
        account.restore()
        return account
    }

    @Test("holds nobody up for long, is named, and is taken up when it answers")
    func silent() async throws {
        credentials.latch.shut()
        let account = start()
        let asked = Task { await account.ready() }
        #expect(await until { !time.waits.isEmpty })
        time.advance(by: .seconds(1))
        await asked.value
        #expect(!account.isSignedIn && account.problem?.code == .timeout)
        credentials.latch.open()
        #expect(await until { account.isSignedIn && account.problem == nil })
    }

    @Test("is tried again when the bus tells of it, and by itself")
    func locked() async throws {
        credentials.fail(Failure(.denied, "the keyring is locked", retry: .later))
        let account = start()
        await account.ready()
        var synced = 0
        account.restoredLate = { synced += 1 }
        #expect(account.problem?.message == "the keyring is locked" && !account.isSignedIn)
        account.storeMayWork(appeared: false)
        await settle()
        #expect(!account.isSignedIn)
        credentials.fail(nil)
        account.storeMayWork(appeared: false)
        #expect(await until { account.isSignedIn })
        #expect(account.problem == nil && synced == 1 && source.credential == Rig.credential)
        #expect(await until { time.waits.isEmpty })
    }

    @Test("that was locked is tried again after some seconds without a word from the bus")
    func byItself() async throws {
        credentials.fail(Failure(.denied, "the keyring is locked", retry: .later))
        let account = start()
        await account.ready()
        credentials.fail(nil)
        #expect(await until { time.waits == [.seconds(10)] })
        time.advance(by: .seconds(10))
        #expect(await until { account.isSignedIn })
    }

    @Test("that cannot forget a login does not bring it back: it is removed when that can be done")
    func logout() async throws {
        let account = start()
        await account.ready()
        credentials.fail(erasing: Failure(.timeout, "the keyring does not answer", retry: .later))
        let failure = await #expect(throws: Failure.self) { try await account.logout() }
        #expect(failure?.message.contains("the keyring does not answer") == true)
        #expect(!account.isSignedIn && credentials.stored != nil)
        let again = start()
        await again.ready()
        #expect(!again.isSignedIn && again.problem?.code == .timeout)
        credentials.fail(erasing: nil)
        again.storeMayWork(appeared: true)
        #expect(await until { credentials.stored == nil && again.problem == nil })
        #expect(!again.isSignedIn)
    }
}
