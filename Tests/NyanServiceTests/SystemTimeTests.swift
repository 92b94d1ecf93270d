import NyanService
import Testing

/// The real clock, with waits too short or too long to matter.
@Suite("The machine's time", .timeLimit(.minutes(1)))
struct SystemTimeTests {
    @Test("a wait lasts as long as asked, on the same clock")
    func lasts() async throws {
        let time = SystemTime()
        let start = time.now
        try await time.wait(for: .milliseconds(20))
        #expect(time.now - start >= .milliseconds(20))
    }

    @Test("no time, less than none and more than there is do not trap", arguments: [Duration.zero, .seconds(-5)])
    func odd(duration: Duration) async throws {
        let time = SystemTime()
        try await time.wait(for: duration)
        let endless = Task.immediate { try await time.wait(for: .seconds(Int64.max)) }
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await endless.value }
    }

    @Test("a cancelled task stops waiting at once, before its wait or during it")
    func cancelled() async {
        let time = SystemTime()
        let during = Task.immediate { try await time.wait(for: .seconds(3600)) }
        during.cancel()
        await #expect(throws: CancellationError.self) { try await during.value }
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await time.wait(for: .seconds(3600))
        }
        await #expect(throws: CancellationError.self) { try await before.value }
    }
}
