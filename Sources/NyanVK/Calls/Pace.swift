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
    /// VK takes so many calls in any second, whatever interval is asked for (vk-api.md §3.3).
    static let callsInWindow = 3
    /// That second, and a little for clocks that differ.
    static let window = Duration.milliseconds(1010)

    /// Least time between the starts of two calls.
    var minInterval: Duration
    /// When the last call started.
    private var lastStart: Duration?
    /// When the last calls ended, oldest first. VK counts arrivals, which are before that: so much later than the end of
    /// the third last call is later than its arrival, however long that took.
    private var ends: [Duration] = []
    /// No call before this: VK said the calls come too fast.
    private var heldUntil = Duration.zero

    init(minInterval: Duration) { self.minInterval = minInterval }

    /// The earliest moment for the next call.
    var due: Duration {
        let full = ends.count < Self.callsInWindow ? .zero : ends[0] + Self.window
        return max(heldUntil, full, lastStart.map { $0 + minInterval } ?? .zero)
    }

    mutating func started(at now: Duration) { lastStart = now }
    mutating func ended(at now: Duration) {
        ends.append(now)
        if ends.count > Self.callsInWindow { ends.removeFirst() }
    }
    mutating func hold(until due: Duration) { heldUntil = max(heldUntil, due) }
}

extension Duration {
    /// Seconds as a number for hints and logs.
    nonisolated var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
