import Glibc
import NyanCore
import Testing

@testable import NyanStore

private let credential = Credential(
    profile: ClientProfile(name: "web", userAgent: "UA", version: "5.199", apiURL: "https://api.example.org"),
    token: Secret("vk1.a.canary-✓"))

/// libsecret takes the bus from the process's environment, so these tests take turns.
@Suite("The keyring", .serialized, .enabled(if: SecretServiceStand.isPossible))
struct SecretServiceTests {
    let folder = TemporaryFolder()

    /// Runs `body` with the bus and a service of that kind.
    func with(_ mode: String?, _ body: () async throws -> Void) async throws {
        let bus = try #require(SecretServiceStand.bus(in: folder))
        let service = try mode.map { try #require(SecretServiceStand.service($0, bus: bus.line)) }
        if let service { #expect(service.line == "READY") }
        setenv("DBUS_SESSION_BUS_ADDRESS", bus.line, 1)
        defer { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
        try await body()
        withExtendedLifetime((bus, service)) {}
    }

    @Test("keeps a credential, gives it back and forgets it")
    func works() async throws {
        try await with("works") {
            let store = SecretServiceStore()
            #expect(try await store.load() == nil)
            try await store.save(credential)
            #expect(try await store.load() == credential)
            let auto = CredentialChoice(.auto, file: folder("credentials"))
            #expect(try await auto.load() == credential)
            #expect(await auto.place == "keyring")
            try await auto.save(credential)
            #expect(!Disk.exists(folder("credentials")))
            try await store.erase()
            #expect(try await store.load() == nil)
            try await store.erase()
        }
    }

    @Test("that is locked says so instead of asking or waiting")
    func locked() async throws {
        try await with("full") {
            let store = SecretServiceStore()
            #expect(await failure { _ = try await store.load() }?.code == .denied)
            #expect(await failure { try await store.save(credential) }?.code == .denied)
            #expect(await failure { try await store.erase() }?.code == .denied)
        }
    }

    @Test("that is not there gives way to the file at once", arguments: [nil, "empty"])
    func absent(mode: String?) async throws {
        try await with(mode) {
            let choice = CredentialChoice(.auto, file: folder("data/credentials"), limit: .seconds(60))
            let time = try await ContinuousClock().measure { try await choice.save(credential) }
            #expect(time < .seconds(20))
            #expect(await choice.place == "file")
            #expect(Disk.mode(folder("data/credentials")) == 0o600)
            #expect(try await choice.load() == credential)
        }
    }

    @Test("that never answers is told within the limit, and keeps nobody from a login in the file")
    func silent() async throws {
        try await with("silent") {
            let choice = CredentialChoice(.auto, file: folder("data/credentials"), limit: .milliseconds(300))
            #expect(await failure { _ = try await choice.load() }?.code == .timeout)
            try await choice.save(credential)
            #expect(choice.trouble?.code == .timeout)
            #expect(Disk.mode(folder("data/credentials")) == 0o600)
            #expect(try await choice.load() == credential)
            #expect(await choice.place == "file")
        }
    }

    @Test("that refuses is not taken for none: a login in it is neither forgotten nor counted as removed")
    func refuses() async throws {
        try await with("refuses") {
            let choice = CredentialChoice(.auto, file: folder("data/credentials"))
            #expect(await failure { _ = try await choice.load() }?.code == .denied)
            #expect(await failure { try await choice.erase() }?.code == .denied)
        }
    }

    @Test("is not looked for without a session bus")
    func noBus() async throws {
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        #expect(await failure { _ = try await SecretServiceStore().load() }?.code == .unsupported)
        let choice = CredentialChoice(.auto, file: folder("data/credentials"))
        try await choice.save(credential)
        #expect(try await CredentialChoice(.auto, file: folder("data/credentials")).load() == credential)
    }

    @Test("is found again on another bus")
    func busLost() async throws {
        try await with("works") { try await SecretServiceStore().save(credential) }
        try await with("works") {
            let found = try await SecretServiceStore().load()
            #expect(found == nil)
        }
    }
}
