import NyanTestKit
import Testing

/// The short form of Tests/soak/soak.py, which `make soak` runs for half an hour; a suite of its own, for a lane of its own.
@Suite("A random walk", .serialized, .timeLimit(.minutes(6)))
struct WalkTests {
    // This seed takes everything away once within 44 steps. Beside other tests an answer may be late; one that waits for a network or a sound server takes longer than this.
    @Test("two minutes of commands at random, with all taken away and given back, keep every promise")
    func walk() async throws {
        let outcome = try await SoakTests.run("soak.py", "--seconds", "80", "--seed", "2792", "--answer", "1.5")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}

/// The short form of Tests/soak/storm.py.
@Suite("Death under load", .serialized, .timeLimit(.minutes(4)))
struct StormTests {
    @Test("killed while five people use it at once: all that was answered is there, and no file is half")
    func storm() async throws {
        let outcome = try await SoakTests.run("storm.py", "--rounds", "4", "--end", "10")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
