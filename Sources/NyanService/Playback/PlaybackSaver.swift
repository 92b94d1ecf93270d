import NyanCore

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
        if writing == nil { writing = Task { await self.writeAll() } }
    }

    /// Returns when everything handed over so far is on disk.
    func flush() async throws(Failure) {
        while let task = writing {
            if let failure = await task.value { throw failure }
        }
    }

    private func writeAll() async -> Failure? {
        var failure: Failure?
        while let next = newest {
            newest = nil
            do {
                try await store.save(next)
                failure = nil
                isFailing = false
            } catch {
                failure = error
                if !isFailing { log.error("the queue could not be saved: \(error.message)") }
                isFailing = true
            }
        }
        writing = nil
        return failure
    }
}
