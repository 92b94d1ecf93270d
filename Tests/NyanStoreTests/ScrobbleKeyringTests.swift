import NyanCore
import Testing

@testable import NyanStore

/// The scrobbling keys in the keyring, beside the login; these take turns with its tests, which share the environment.
extension SecretServiceTests {
    private static let keys: [ScrobbleSite: ScrobbleKeys] = [.listenbrainz: ScrobbleKeys(token: Secret("canary"))]

    @Test("keeps the scrobbling keys apart from the login: neither is taken for the other, nor goes with it")
    func apart() async throws {
        try await with("works") {
            let path = folder("data/scrobble-keys")
            let credential = Credential(
                profile: ClientProfile(name: "web", userAgent: "UA", version: "5", apiURL: "a"), token: Secret("t"))
            let login = SecretServiceStore()
            let store = ScrobbleKeyFile(.auto, path: path)
            #expect(try await store.load() == [:])
            try await login.save(credential)
            #expect(try await store.load() == [:])
            try await store.save(Self.keys)
            #expect(!Disk.exists(path))
            #expect(try await ScrobbleKeyFile(.auto, path: path).load() == Self.keys)
            #expect(try await login.load() == credential)
            try await login.erase()
            #expect(try await store.load() == Self.keys)
            try await store.save([:])
            #expect(try await store.load() == [:])
        }
    }

    @Test("that is locked leaves new scrobbling keys to the file, and is not taken for one that forgot them")
    func lockedKeys() async throws {
        try await with("full") {
            let path = folder("data/scrobble-keys")
            let store = ScrobbleKeyFile(.auto, path: path)
            #expect(await failure { _ = try await store.load() }?.code == .denied)
            try await store.save(Self.keys)
            #expect(try await store.load() == Self.keys)
            #expect(Disk.mode(path) == 0o600)
            #expect(await failure { try await store.save([:]) }?.code == .denied)
            #expect(await failure { try await ScrobbleKeyFile(.keyring, path: path).save(Self.keys) }?.code == .denied)
        }
    }
}

/// Both secrets are read at the start, by stores of their own.
extension SecretServiceTests {
    @Test("is asked for one thing at a time, and the wait for the other one's answer counts against nobody's limit")
    func turns() async throws {
        try await with("silent") {
            let limit = Duration.milliseconds(400)
            let login = SecretServiceStore(limit: limit)
            let keys = ScrobbleKeyFile(.keyring, path: folder("data/scrobble-keys"), limit: limit)
            let time = await ContinuousClock().measure {
                async let first = failure { _ = try await login.load() }
                async let second = failure { _ = try await keys.load() }
                #expect(await [first?.code, second?.code] == [.timeout, .timeout])
            }
            #expect(time >= limit * 2)
        }
    }
}
