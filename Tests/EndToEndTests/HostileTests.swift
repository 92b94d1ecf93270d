import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The short forms of `make hostile`: the programs of Tests/hostile on the debug build.
@Suite("Those who mean no good", .serialized, .timeLimit(.minutes(3)))
struct HostileTests {
    private func run(_ words: String...) async throws -> Program.Outcome {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let program = ["/usr/bin/python3", "/\(folder)/hostile/\(words[0])"] + words.dropFirst()
        return try await Program(program + ["--programs", House.programs], environment: SoakTests.environment).outcome()
    }

    /// Whether way.py can put an authority of its own among the system's; it says itself what else is missing.
    private static func canTrust() async -> Bool {
        guard access("/etc/ssl/certs/ca-certificates.crt", R_OK) == 0 else { return false }
        let user = geteuid() == 0 ? [] : ["-r"]
        let tried = try? await Program(["unshare"] + user + ["-m", "true"], environment: [:]).outcome()
        return tried?.status == 0
    }

    // An answer may take long on a busy machine; one that waits for another's twenty thousand takes longer than this.
    @Test("wrong calls, floods, descriptors and forgeries on the bus change nothing and hold nobody up")
    func bus() async throws {
        let outcome = try await run("bus.py", "--quick", "--answer", "10")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("a program with the daemon's name makes the client neither hang nor crash, nor draw on the terminal")
    func daemon() async throws {
        let outcome = try await run("daemon.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("a keyring, notifications, logind and systemd that answer anything at all harm nobody, and learn nothing")
    func services() async throws {
        let outcome = try await run("services.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("damaged databases of any kind: it starts with what can be saved, or says why not; no sound file goes")
    func stored() async throws {
        let outcome = try await run("stored.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("terminals without a name, a size or an end are survived")
    func terminals() async throws {
        let outcome = try await run("terminals.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "a false certificate, ways that lead elsewhere and others' cookies get nothing and are not believed",
        .enabled("needs mounts of its own, and authorities", { await HostileTests.canTrust() }))
    func way() async throws {
        let outcome = try await run("way.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
