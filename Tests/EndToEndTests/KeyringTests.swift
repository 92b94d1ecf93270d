import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The daemon with a keyring that is silent, locked, unlocked later, or gone (field-issues.md F4).
@Suite("The keyring", .serialized, .timeLimit(.minutes(4)))
struct KeyringTests {
    /// A Secret Service whose mode the test changes by signals: USR1 unlocks it.
    private func keyring(_ mode: String, _ house: House) async throws -> Program {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let service = try Program(
            ["/usr/bin/python3", "/\(tests)/soak/keyring.py", mode], environment: house.environment)
        try #require(await service.line() == "READY", "\(service.errors)")
        return service
    }

    @Test("in trouble holds nobody up and is named; the login is in the file meanwhile, and moves when it is unlocked")
    func trouble() async throws {
        let house = try await House()
        try house.writeSettings("[account]\nstore=auto")
        let file = house.home + "/data/nyand/credentials"
        var service: Program? = try await keyring("locked", house)
        try await house.startDaemon()
        // Locked at the login.
        #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
        #expect(try await house.status().problem?.message.contains("keyring is locked") == true)
        var facts = stat()
        #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        service?.send(SIGUSR1)
        try await house.until("the login is in the keyring") { access(file, F_OK) != 0 }
        try await house.until("nothing is wrong any more") { try await house.status().problem == nil }
        // Locked when the daemon starts, unlocked later.
        service?.send(SIGUSR2)
        let lines = [await service?.line(), await service?.line()]
        #expect(lines.last == "KEPT")
        house.daemon?.send(SIGTERM)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        let locked = try await house.ctl("whoami")
        #expect(locked.errors.contains("keyring is locked") && locked.status != 0, "\(locked)")
        #expect(try await house.status().problem?.message.contains("keyring is locked") == true)
        service?.send(SIGUSR1)
        try await house.until("it is signed in") { try await house.status().signedIn }
        #expect(try await house.ctl("whoami").status == 0)
        #expect(try await house.ctl("logout").status == 0)
        service = nil
        // A window that is closed, and a service that dies.
        for (mode, words) in [("asks", "question"), ("dies", "ended before it answered")] {
            service = try await keyring(mode, house)
            #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
            let problem = try await house.status().problem?.message ?? ""
            #expect(problem.contains(words), "\(mode): \(problem)")
            #expect(access(file, F_OK) == 0)
            let logout = try await house.ctl("logout")
            #expect(logout.status == 0, "\(mode): \(logout.errors)")
            service = nil
        }
        // Silent: every answer comes at once, whatever the keyring is waited for.
        service = try await keyring("silent", house)
        let login = Task { try await house.ctl("login", "--token", input: house.token) }
        // A stall would last the keyring's three seconds.
        for _ in 0..<10 { #expect(try await house.statusTime() < 1500) }
        #expect(try await login.value.status == 0)
        #expect(access(file, F_OK) == 0)
        #expect(try await house.status().problem?.message.contains("keyring does not answer") == true)
        withExtendedLifetime(service) {}
    }

    @Test("is found where the bus is, although no variable names that")
    func unnamedBus() async throws {
        let house = try await House()
        try house.writeSettings("[account]\nstore=auto")
        let service = try await keyring("works", house)
        try house.hideBusAddress()
        try await house.startDaemon()
        #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
        #expect(access(house.home + "/data/nyand/credentials", F_OK) != 0)
        service.send(SIGUSR1)
        #expect(await service.line() == "KEPT")
        #expect(try await house.status().problem == nil)
    }
}
