import NyanCore

extension TimeSource {
    /// Waits until `now >= due`.
    /// - Throws: `.cancelled` when the task is cancelled.
    func wait(until due: Duration) async throws(Failure) {
        while case let left = due - now, left > .zero {
            do { try await wait(for: left) } catch { throw .callCancelled }
        }
        if Task.isCancelled { throw .callCancelled }
    }
}

/// Keeps calls apart: VK freezes accounts that look like machines (vk-api.md §3.3).
struct Pace {
    /// Least time between the starts of two calls.
    var minInterval: Duration
    /// When the last call started.
    private var lastStart: Duration?
    /// No call before this: VK said the calls come too fast.
    private var heldUntil = Duration.zero

    init(minInterval: Duration) { self.minInterval = minInterval }

    /// The earliest moment for the next call.
    var due: Duration { max(heldUntil, lastStart.map { $0 + minInterval } ?? .zero) }

    mutating func started(at now: Duration) { lastStart = now }
    mutating func hold(until due: Duration) { heldUntil = max(heldUntil, due) }
}

extension Duration {
    /// Seconds as a number for hints and logs.
    nonisolated var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
