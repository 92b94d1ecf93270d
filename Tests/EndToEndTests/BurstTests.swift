import FoundationEssentials
import NyanTestKit
import Testing

/// The short form of Tests/soak/burst.py on the debug build.
@Suite("Bursts", .serialized, .timeLimit(.minutes(2)))
struct BurstTests {
    // So few seconds are mostly warming up; `make soak` looks closer at the memory.
    @Test("two hundred commands a second end with the truth, told to everybody, and with rest")
    func burst() async throws {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let words = ["--seconds", "5", "--queue", "500", "--growth", "20000", "--programs", House.programs]
        let outcome = try await Program(
            ["/usr/bin/python3", "/\(folder)/soak/burst.py"] + words, environment: SoakTests.environment
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
