import NyanCore
import NyanDBus

/// Writes the player's durable state, newest first, one write at a time.
final class PlaybackSaver {
    private let store: any PlaybackStore
    private let log: Log
    private var newest: SavedPlayback?
    private var writing: Task<Failure?, Never>?
    /// Told once until a write succeeds again, so that a full disk is one line.
    private var isFailing = false

    init(store: any PlaybackStore, log: Log) {
        self.store = store
        self.log = log
    }

    /// Takes over what must be on disk; returns at once.
    func save(_ playback: SavedPlayback) {
        newest = playback
        start()
    }

    /// Returns when everything handed over so far is on disk; what failed before is tried again.
    func flush() async throws(Failure) {
        start()
        while let task = writing {
            if let failure = await task.value { throw failure }
        }
    }

    private func start() {
        if writing == nil, newest != nil { writing = Task.onMain { await self.writeAll() } }
    }

    private func writeAll() async -> Failure? {
        defer { writing = nil }
        while let next = newest {
            newest = nil
            do {
                try await store.save(next)
                isFailing = false
            } catch {
                if !isFailing { log.error("the queue could not be saved: \(error.message)") }
                isFailing = true
                // Newer state has come meanwhile, or this is what the next attempt writes.
                guard newest == nil else { continue }
                newest = next
                return error
            }
        }
        return nil
    }
}
