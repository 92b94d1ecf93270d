import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The short forms of `make soak`: the programs of Tests/soak on the debug build.
@Suite("Rough handling", .serialized, .timeLimit(.minutes(4)))
struct SoakTests {
    /// What these programs are started with, and all others of Tests/: they judge a sanitised build as such (decision 0045).
    static let environment = ["NYAN_SANITIZER", "NYAN_PATIENCE"].reduce(
        into: ["PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"]
    ) { words, name in
        if let value = getenv(name) { words[name] = String(cString: value) }
    }

    static func run(_ words: String...) async throws -> Program.Outcome {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let program = ["/usr/bin/python3", "/\(folder)/soak/\(words[0])"] + words.dropFirst()
        return try await Program(program + ["--programs", House.programs], environment: environment).outcome()
    }

    // The memory of so few changes is mostly warming up; `make soak` holds it to half a KB a change.
    @Test(
        "a hundred track changes leave descriptors and threads as they were, and rest after that",
        .timeLimit(.minutes(5)))
    func changes() async throws {
        let outcome = try await Self.run("changes.py", "--changes", "100", "--downloads", "40", "--growth", "30000")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("a sine has no jump while all cores are busy, and questions are answered", .timeLimit(.minutes(5)))
    func load() async throws {
        func round() async throws -> Program.Outcome {
            try await Self.run("load.py", "--seconds", "8", "--tracks", "2000", "--slowest", "400")
        }
        var outcome = try await round()
        // 3 = a measure was missed. Where others take the cores the sound server may come too late itself; what is our
        // fault is there each time. scripts/test shows what was missed.
        for run in 1..<3 where outcome.status == 3 {
            let lines = outcome.output.split(separator: "\n").joined(separator: " | ")
            print("SPOILT run \(run) of “Rough handling”: \(lines)")
            outcome = try await round()
        }
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
