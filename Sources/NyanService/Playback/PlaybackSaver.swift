import NyanCore
import NyanDBus

/// Writes the player's durable state, newest first, one write at a time. What cannot be written is tried again by itself
/// until it can.
final class PlaybackSaver {
    private static let retryPause: Duration = .seconds(10)

    private let store: any PlaybackStore
    private let time: any TimeSource
    private let log: Log
    private var newest: SavedPlayback?
    private var writing: Task<Void, Never>?
    /// How many states were handed over, and how many of them are on disk or were overtaken by one that is.
    private var (handed, written) = (0, 0)
    /// Who waits until how many are.
    private let waiting = Waiters<Int, Failure?>()
    private var retry: Task<Void, Never>?
    /// Why the newest state is not on disk; nil = it is, or is on its way.
    private(set) var problem: Failure? {
        didSet { if problem?.code != oldValue?.code { problemChanged() } }
    }
    var problemChanged: () -> Void = {}

    init(store: any PlaybackStore, time: any TimeSource, log: Log) {
        self.store = store
        self.time = time
        self.log = log
    }

    /// Takes over what must be on disk; returns at once.
    func save(_ playback: SavedPlayback) {
        newest = playback
        handed += 1
        start()
    }

    /// Returns when everything handed over so far is on disk; what failed before is tried again. What is handed over
    /// later is not waited for: in a burst there is always something.
    func flush() async throws(Failure) {
        start()
        let wanted = handed
        guard writing != nil, written < wanted else { return }
        let failure = await waiting.wait(as: wanted) {
            // The writing may end on the way there.
            if writing != nil, written < wanted { return nil }
            return .some(written < wanted ? problem : nil)
        }
        if let failure { throw failure }
    }

    /// No more tries by itself: the program ends.
    func stop() {
        retry?.cancel()
        retry = nil
    }

    private func start() {
        if writing == nil, newest != nil { writing = Task.onMain { await self.writeAll() } }
    }

    private func writeAll() async {
        defer { writing = nil }
        while let next = newest {
            newest = nil
            let count = handed
            do {
                try await store.save(next)
                if problem != nil { log.info("the queue is saved again") }
                problem = nil
                stop()
                written = count
                end(upTo: count, nil)
            } catch {
                // Told once until a write succeeds again, so that a full disk is one line.
                if problem == nil { log.error("the queue could not be saved: \(error.message)") }
                var failure = error
                failure.message = "the queue is not saved: \(error.message)"
                problem = failure
                end(upTo: count, error)
                // Newer state has come meanwhile, or this is what the next attempt writes.
                guard newest == nil else { continue }
                newest = next
                return tryLater()
            }
        }
    }

    private func end(upTo count: Int, _ failure: Failure?) {
        waiting.wake(with: failure, where: { $0 <= count })
    }

    private func tryLater() {
        guard retry == nil else { return }
        retry = Task.onMain { [weak self, time] in
            do { try await time.wait(for: Self.retryPause) } catch { return }
            self?.retry = nil
            self?.start()
        }
    }
}
