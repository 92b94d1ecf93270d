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
        #expect(try await CredentialFile(path: path).load() == credential)
        #expect(Disk.mode(path) == 0o600)
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

    @Test("a keyring that is slow is not taken for none: nothing is put into a file, and what it may hold is told")
    func slow() async throws {
        let (keyring, file) = (Stand(credential), Stand())
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        await keyring.refuse(Failure(.timeout, "slow"))
        #expect(await failure { try await choice.save(credential) }?.code == .timeout)
        #expect(await file.held == nil)
        #expect(await failure { _ = try await choice.load() }?.code == .timeout)
        try await file.save(credential)
        #expect(try await choice.load() == credential)
        #expect(await failure { try await choice.erase() }?.code == .timeout)
        #expect(await file.held == nil)
        #expect(await keyring.held == credential)
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

    @Test("auto tells that a keyring is locked and puts nothing into a file")
    func locked() async throws {
        let (keyring, file) = (Stand(refusal: Failure(.denied, "locked")), Stand())
        let choice = CredentialChoice(.auto, keyring: keyring, file: file)
        #expect(await failure { try await choice.save(credential) }?.code == .denied)
        #expect(await file.held == nil)
        #expect(await failure { _ = try await choice.load() }?.code == .denied)
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
