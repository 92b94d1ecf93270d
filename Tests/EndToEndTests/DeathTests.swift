import FoundationEssentials
import NyanTestKit
import Testing

/// The short form of Tests/soak/deaths.py, which `make soak` runs for a hundred rounds.
@Suite("Downloads through deaths", .serialized, .timeLimit(.minutes(3)))
struct DeathTests {
    @Test("killed ten times in the middle of a batch: every wished track is one right file, and nothing else is left")
    func rounds() async throws {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let program = ["/usr/bin/python3", "/\(folder)/soak/deaths.py", "--rounds", "10", "--programs", House.programs]
        let outcome = try await Program(program, environment: SoakTests.environment).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
