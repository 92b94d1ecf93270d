import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

private let credential = Credential(
    profile: ClientProfile(
        name: "web", userAgent: "UA \"x\"", version: "5.199", apiURL: "https://api.example.org/method",
        headers: ["Origin": "https://example.org"]),
    token: Secret("vk1.a.canary-✓"))

@Suite("The credential file")
struct CredentialFileTests {
    let folder = TemporaryFolder()
    var path: String { folder("data/credentials") }

    @Test("keeps one credential and forgets it when asked")
    func roundTrip() async throws {
        let store = CredentialFile(path: path)
        #expect(try await store.load() == nil)
        try await store.save(credential)
        #expect(try await CredentialFile(path: path).load() == credential)
        var other = credential
        other.token = Secret("other")
        try await store.save(other)
        #expect(try await store.load() == other)
        #expect(Folder.names(in: folder("data")) == ["credentials"])
        try await store.erase()
        try await store.erase()
        #expect(try await store.load() == nil)
        #expect(Folder.names(in: folder("data")).isEmpty)
    }

    @Test("is 0600 in a 0700 folder, also over an older wide one")
    func modes() async throws {
        mkdir(folder("data"), 0o755)
        chmod(folder("data"), 0o755)
        try Disk.write(path, Disk.bytes("/dev/null"))
        chmod(path, 0o644)
        try await CredentialFile(path: path).save(credential)
        #expect(Disk.mode(path) == 0o600 && Disk.mode(folder("data")) == 0o700)
        chmod(path, 0o644)
        let store = CredentialFile(path: path)
        #expect(try await store.load() == credential)
        #expect(Disk.mode(path) == 0o600)
        #expect(await store.warnings().count == 1, "it is told once")
        #expect(await store.warnings().isEmpty)
    }

    @Test("keeps all that a web session needs, and reads what versions without web sessions wrote")
    func forms() async throws {
        var session = credential
        session.profile.clientID = "6287487"
        session.profile.loginURL = "https://login.example.org"
        session.way = .cookies
        session.expires = 1_790_000_000
        session.cookies = WebCookies(remixsid: Secret("sid"), p: Secret("pp"))
        session.user = 123
        let store = CredentialFile(path: path)
        try await store.save(session)
        #expect(try await store.load() == session)
        let old =
            #"{"version":1,"profile":"web","userAgent":"UA","apiVersion":"5.1","apiURL":"a","headers":{},"token":"t"}"#
        try Disk.write(path, Array(old.utf8))
        let loaded = try #require(try await store.load())
        #expect(loaded.way == .token && loaded.cookies == nil && loaded.token == Secret("t"))
    }

    @Test("is never followed through a link")
    func link() async throws {
        mkdir(folder("data"), 0o700)
        let foreign = StoredCredential.bytes(of: credential)
        try Disk.write(folder("foreign"), foreign)
        symlink(folder("foreign"), path)
        #expect(await failure { _ = try await CredentialFile(path: path).load() }?.code == .fileAccess)
        try await CredentialFile(path: path).save(credential)
        #expect(Disk.bytes(folder("foreign")) == foreign)
        #expect(Disk.mode(path) == 0o600)
        #expect(try await CredentialFile(path: path).load() == credential)
    }

    @Test("that is unreadable is set aside and told without its content", arguments: ["vk1.a.canary", "{}", ""])
    func unreadable(text: String) async throws {
        mkdir(folder("data"), 0o700)
        try Disk.write(path, Array(text.utf8))
        let told = await failure { _ = try await CredentialFile(path: path).load() }
        #expect(told?.code == .fileAccess && told?.message.contains("canary") == false)
        #expect(try await CredentialFile(path: path).load() == nil)
        try await CredentialFile(path: path).erase()
        #expect(Folder.names(in: folder("data")).isEmpty)
    }

    @Test("on a full disk keeps the credential it had")
    func fullDisk() async throws {
        guard let disk = SmallDisk(kilobytes: 16) else { return }
        let store = CredentialFile(path: "\(disk.path)/data/credentials")
        try await store.save(credential)
        try? Disk.write("\(disk.path)/filler", [UInt8](repeating: 1, count: 1 << 20))
        var other = credential
        other.token = Secret("other")
        let second = other
        #expect(await failure { try await store.save(second) }?.code == .diskFull)
        #expect(try await store.load() == credential)
        #expect(Folder.names(in: "\(disk.path)/data") == ["credentials"])
    }
}

/// A credential store that answers as it is told.
private actor Stand: CredentialStore {
    var held: Credential?
    var refusal: Failure?
    var saves = 0
    let place = "stand"
    init(_ held: Credential? = nil, refusal: Failure? = nil) {
        self.held = held
        self.refusal = refusal
    }
    func refuse(_ failure: Failure?) { refusal = failure }
    func load() async throws(Failure) -> Credential? {
        if let refusal { throw refusal }
        return held
    }
    func save(_ credential: Credential) async throws(Failure) {
        saves += 1
        if let refusal { throw refusal }
        held = credential
    }
    func erase() async throws(Failure) {
        if let refusal { throw refusal }
        held = nil
    }
}

@Suite("The choice of a credential store")
struct CredentialChoiceTests {
    @Test("auto uses the keyring and leaves no second copy in the file")
    func keyring() async throws {
        let (keyring, file) = (Stand(), Stand(credential))
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        #expect(try await choice.load() == credential)
        #expect(await choice.place == "file")
        try await choice.save(credential)
        #expect(await choice.place == "keyring")
        #expect(await keyring.held == credential)
        #expect(await file.held == nil)
        try await choice.erase()
        #expect(await keyring.held == nil)
    }

    @Test("auto goes on with the file when there is no keyring")
    func fallsBack() async throws {
        let (keyring, file) = (Stand(refusal: Failure(.unsupported, "no")), Stand())
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        try await choice.save(credential)
        #expect(await file.held == credential)
        #expect(await choice.place == "file")
        #expect(try await choice.load() == credential)
        try await choice.erase()
        #expect(try await choice.load() == nil)
    }

    @Test("a keyring that is slow is told; what it may hold is not taken for nothing, and the login goes into the file")
    func slow() async throws {
        let (keyring, file) = (Stand(credential), Stand())
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        await keyring.refuse(Failure(.timeout, "slow"))
        #expect(await failure { _ = try await choice.load() }?.code == .timeout)
        try await choice.save(credential)
        #expect(await file.held == credential)
        #expect(choice.trouble?.code == .timeout)
        #expect(choice.trouble?.message.hasPrefix("slow") == true)
        #expect(try await choice.load() == credential)
        #expect(await failure { try await choice.erase() }?.code == .timeout)
        #expect(await file.held == nil)
        #expect(await keyring.held == credential)
    }

    @Test("a silent keyring is waited for once, not at each save; once it answers the login moves there")
    func settles() async throws {
        let (keyring, file) = (Stand(refusal: Failure(.timeout, "slow")), Stand())
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        try await choice.save(credential)
        try await choice.save(credential)
        #expect(await keyring.saves == 1)
        await choice.settle()
        #expect(await file.held == credential)
        await keyring.refuse(nil)
        await choice.settle()
        #expect(choice.trouble == nil)
        #expect(await file.held == nil)
        #expect(await keyring.held == credential)
        #expect(await choice.place == "keyring")
    }

    @Test("what is in the file is newer than what a keyring still holds")
    func newer() async throws {
        var other = credential
        other.token = Secret("other")
        let choice = CredentialChoice(.auto, keyring: Stand(credential), file: Stand(other))
        #expect(try await choice.load() == other)
        await choice.settle()
        #expect(try await choice.load() == other)
    }

    @Test(
        "file erases what a keyring still holds, and is not kept from it by one that cannot be used",
        arguments: [nil, .unsupported, .timeout, .denied] as [Failure.Code?])
    func fileErases(refusal: Failure.Code?) async throws {
        let (keyring, file) = (Stand(credential, refusal: refusal.map { Failure($0, "no") }), Stand(credential))
        try await CredentialChoice(.file, keyring: keyring, file: file).erase()
        #expect(await file.held == nil)
        #expect(await keyring.held == (refusal == nil ? nil : credential))
    }

    @Test("auto tells that a keyring is locked, and keeps the login in the file until it is unlocked")
    func locked() async throws {
        let (keyring, file) = (Stand(refusal: Failure(.denied, "locked")), Stand())
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        #expect(await failure { _ = try await choice.load() }?.code == .denied)
        try await choice.save(credential)
        #expect(await file.held == credential)
        #expect(choice.trouble?.code == .denied)
        await keyring.refuse(nil)
        try await choice.save(credential)
        #expect(choice.trouble == nil)
        #expect(await file.held == nil)
        #expect(await keyring.held == credential)
    }

    @Test("a fixed choice asks nobody else")
    func fixed() async throws {
        let broken = Stand(refusal: Failure(.unsupported, "no"))
        let works = Stand(credential)
        #expect(try await CredentialChoice(.file, keyring: broken, file: works).load() == credential)
        #expect(try await CredentialChoice(.keyring, keyring: works, file: broken).load() == credential)
        let keyring = CredentialChoice(.keyring, keyring: broken, file: works)
        #expect(await failure { _ = try await keyring.load() }?.code == .unsupported)
    }
}
