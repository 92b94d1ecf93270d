import FoundationEssentials
import NyanTestKit
import Testing

/// The short forms of `make hostile`: the programs of Tests/hostile on the debug build.
@Suite("Those who mean no good", .serialized, .timeLimit(.minutes(3)))
struct HostileTests {
    private func run(_ words: String...) async throws -> Program.Outcome {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let program = ["/usr/bin/python3", "/\(folder)/hostile/\(words[0])"] + words.dropFirst()
        let environment = ["PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"]
        return try await Program(program + ["--programs", House.programs], environment: environment).outcome()
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

    @Test("terminals without a name, a size or an end are survived")
    func terminals() async throws {
        let outcome = try await run("terminals.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("a false certificate, ways that lead elsewhere and others' cookies get nothing and are not believed")
    func way() async throws {
        let outcome = try await run("way.py", "--quick")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
