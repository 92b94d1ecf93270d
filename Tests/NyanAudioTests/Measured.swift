import Synchronization
import Testing

/// For a test that measures moments or loudness in real time, which a busy machine spoils now and then. What is wrong is
/// wrong three times in a row: a run that fails is printed as a known issue and made again, the last one counts.
///
/// Only for measures. What a busy machine must not change (which events come, and in which order) stands in other tests.
nonisolated struct Measured: TestTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for _ in 1..<3 {
            let spoilt = Spoilt()
            try await withKnownIssue("a busy machine, or a fault: it is measured again", isIntermittent: true) {
                try await function()
            } matching: { _ in
                spoilt.note()
                return true
            }
            if !spoilt.isNoted { return }
        }
        try await function()
    }

    /// Whether an issue was recorded; told from wherever it is recorded.
    private final class Spoilt: Sendable {
        private let noted = Mutex(false)
        var isNoted: Bool { noted.withLock { $0 } }
        func note() { noted.withLock { $0 = true } }
    }
}

extension Trait where Self == Measured {
    /// Measured up to three times, see `Measured`.
    nonisolated static var measured: Self { Measured() }
}
