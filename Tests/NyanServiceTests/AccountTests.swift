import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Who is signed in, and what is stored of it.
@Suite(.timeLimit(.minutes(1)))
struct AccountTests {
    let rig = Rig(signedIn: false)

    private func signIn() async throws(Failure) -> Account {
        try await rig.account.login(token: Secret("topsecret"), profileName: nil)
    }

    @Test("A login is proved, stored, and used from then on")
    func login() async throws {
        let account = try await signIn()
        #expect(account == rig.source.account && rig.account.account == account)
        #expect(rig.credentials.stored?.token == Secret("topsecret"))
        #expect(rig.source.credential == rig.credentials.stored && rig.library.accountNow == account)
    }

    @Test("A refused login stores nothing and changes nothing")
    func refused() async throws {
        let rig = Rig()
        await rig.account.ready()
        let writes = rig.library.writes
        rig.source.failures = [.refused]
        let failure = await #expect(throws: Failure.self) {
            _ = try await rig.account.login(token: Secret("topsecret-new"), profileName: nil)
        }
        #expect(failure?.code == .notSignedIn && failure?.message.contains("topsecret") == false)
        #expect(rig.credentials.stored == Rig.credential && rig.source.credential == Rig.credential)
        #expect(rig.account.isSignedIn && rig.account.problem == nil && rig.library.writes == writes)
    }

    @Test("An empty token and an unknown profile are refused without a call", arguments: [("", "web"), ("t", "other")])
    func badArguments(_ token: String, _ profile: String) async {
        let failure = await #expect(throws: Failure.self) {
            _ = try await rig.account.login(token: Secret(token), profileName: profile)
        }
        #expect(failure?.code == .badArgument && rig.source.proved == 0)
    }

    @Test("Profiles that were read anew count for the next login, not for the account in use")
    func freshProfiles() async throws {
        _ = try await signIn()
        let fresh = ClientProfile(name: "mine", userAgent: "mine", version: "5.3", apiURL: "https://api.test")
        rig.account.use(profiles: ["mine": fresh], defaultProfile: "mine")
        #expect(rig.source.credential?.profile == Rig.profile)
        _ = try await signIn()
        #expect(rig.source.credential?.profile == fresh && rig.credentials.stored?.profile == fresh)
    }

    @Test("In offline mode a login is refused without a call, and one under way holds")
    func offline() async throws {
        rig.connectivity.setOfflineMode(true)
        let failure = await #expect(throws: Failure.self) { _ = try await signIn() }
        #expect(failure?.code == .offline && failure?.code.exitStatus == 6)
        #expect(rig.source.proved == 0 && rig.credentials.stored == nil)
        rig.connectivity.setOfflineMode(false)
        rig.source.latch.shut()
        let pending = Task { try await signIn() }
        #expect(await until { rig.source.latch.held == 1 })
        rig.connectivity.setOfflineMode(true)
        _ = try? await signIn()
        rig.source.latch.open()
        #expect(try await pending.value == rig.source.account && rig.account.isSignedIn)
    }

    @Test("A logout while a login is being proved makes the login void")
    func logoutWhileProving() async throws {
        rig.source.latch.shut()
        let pending = Task { () -> Failure.Code? in
            do throws(Failure) {
                _ = try await signIn()
                return nil
            } catch { return error.code }
        }
        #expect(await until { rig.source.latch.held == 1 })
        try await rig.account.logout()
        rig.source.latch.open()
        #expect(await pending.value == .cancelled)
        #expect(!rig.account.isSignedIn && rig.credentials.stored == nil && rig.source.credential == nil)
    }

    @Test("A logout while a login is being stored ends signed out, on disk and in use")
    func logoutWhileStoring() async throws {
        await rig.account.ready()
        rig.credentials.latch.shut()
        let pending = Task { try? await signIn() }
        #expect(await until { rig.credentials.latch.held == 1 })
        let gone = Task { try await rig.account.logout() }
        await settle()
        rig.credentials.latch.open()
        _ = await pending.value
        try await gone.value
        #expect(!rig.account.isSignedIn && rig.credentials.stored == nil)
        #expect(rig.source.credential == nil && rig.library.accountNow == nil)
    }

    @Test("A login that must be one person's is refused before anything is stored where it is another's")
    func foreign() async throws {
        let rig = Rig()
        await rig.account.ready()
        let writes = rig.library.writes
        let failure = await #expect(throws: Failure.self) {
            _ = try await rig.account.login(Rig.credential, expecting: rig.source.account.id + 1)
        }
        #expect(failure?.code == .denied && rig.library.writes == writes && rig.credentials.stored == Rig.credential)
        _ = try await rig.account.login(Rig.credential, expecting: rig.source.account.id)
        #expect(rig.account.account == rig.source.account)
    }

    @Test("The source is told when the login it proves is wanted no more")
    func wanted() async throws {
        _ = try await signIn()
        let first = try #require(rig.source.wanted)
        #expect(first())
        _ = try await signIn()
        #expect(!first() && rig.source.wanted?() == true)
        try await rig.account.logout()
        #expect(rig.source.wanted?() == false)
    }

    @Test("Of two logins at once the later one holds")
    func twoLogins() async throws {
        rig.source.latch.shut()
        let first = Task { try? await rig.account.login(token: Secret("first"), profileName: nil) }
        #expect(await until { rig.source.latch.held == 1 })
        let second = Task { try? await rig.account.login(token: Secret("second"), profileName: nil) }
        #expect(await until { rig.source.latch.held == 2 })
        rig.source.latch.open()
        _ = await first.value
        #expect(await second.value != nil)
        #expect(rig.credentials.stored?.token == Secret("second") && rig.source.credential?.token == Secret("second"))
    }

    @Test("A login that is refused leaves another one, which is still being proved, as it is")
    func refusedBeside() async throws {
        rig.source.latch.shut()
        let good = Task { try? await rig.account.login(token: Secret("good"), profileName: nil) }
        #expect(await until { rig.source.latch.held == 1 })
        rig.source.failures = [.refused]
        let bad = Task { try? await rig.account.login(token: Secret("bad"), profileName: nil) }
        #expect(await until { rig.source.latch.held == 2 })
        rig.source.latch.open()
        #expect(await bad.value == nil)
        #expect(await good.value != nil && rig.credentials.stored?.token == Secret("good"))
    }

    @Test("Somebody else's login forgets the profile of before, also where the keyring could not tell whose it was")
    func somebodyElse() async throws {
        rig.library.put(profile: [track(1)])
        try await rig.library.setAccount(Account(id: 77, name: "Before", tracks: 1, login: "token"))
        _ = try await signIn()
        #expect(rig.library.profileNow.isEmpty && rig.library.accountNow?.id == rig.source.account.id)
    }

    @Test("A library that cannot be written refuses no login")
    func libraryFails() async throws {
        rig.library.fail(Failure(.diskFull, "full"))
        let account = try await signIn()
        #expect(rig.account.account == account && rig.credentials.stored?.token == Secret("topsecret"))
    }

    @Test("What a logout left in a locked keyring is not removed together with a login made since")
    func leftover() async throws {
        let rig = Rig()
        await rig.account.ready()
        rig.credentials.fail(erasing: Failure(.denied, "locked"))
        try? await rig.account.logout()
        rig.credentials.fail(erasing: nil)
        rig.credentials.latch.shut()
        let login = Task { try? await rig.account.login(token: Secret("new"), profileName: nil) }
        #expect(await until { rig.credentials.latch.held == 1 })
        rig.account.storeMayWork(appeared: true)
        await settle()
        rig.credentials.latch.open()
        #expect(await login.value != nil)
        await settle()
        #expect(rig.account.isSignedIn && rig.credentials.stored?.token == Secret("new"))
    }

    @Test("A store that cannot keep the credential leaves nobody signed in")
    func storeFails() async {
        rig.credentials.fail(Failure(.fileAccess, "cannot write"))
        await #expect(throws: Failure.self) { _ = try await signIn() }
        #expect(!rig.account.isSignedIn && rig.source.credential == nil)
    }

    @Test("The stored credential is taken up without a call; whoever asks meanwhile waits for it")
    func restore() async throws {
        let rig = Rig()
        rig.library.put(profile: [track(1)])
        #expect(try await rig.librarian.profile(matching: nil, owner: nil).count == 1)
        #expect(rig.account.isSignedIn && rig.source.proved == 0)
    }

    @Test("A refused login does not keep the stored credential from being taken up")
    func refusedWhileRestoring() async throws {
        let rig = Rig()
        rig.credentials.latch.shut()
        rig.source.failures = [.refused]
        _ = try? await rig.account.login(token: Secret("bad"), profileName: nil)
        rig.credentials.latch.open()
        await rig.account.ready()
        #expect(rig.account.isSignedIn && rig.source.credential == Rig.credential)
    }

    @Test("Another person's login forgets the profile of the one before; the same person's keeps it")
    func otherPerson() async throws {
        _ = try await signIn()
        rig.library.put(profile: [track(1)])
        _ = try await signIn()
        #expect(rig.library.profileNow == [track(1).id])
        rig.source.account = Account(id: 2, name: "Another", tracks: 0, login: "token")
        _ = try await signIn()
        #expect(rig.library.profileNow.isEmpty)
    }
}
