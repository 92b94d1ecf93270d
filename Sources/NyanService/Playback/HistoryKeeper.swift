import FoundationEssentials
import NyanCore
import NyanDBus

/// Writes what was heard into the history, one after another, in the order it was heard.
final class HistoryKeeper {
    /// Plays kept in memory while they cannot be written.
    private static let mostWaiting = 1000

    private let store: any HistoryStore
    private let time: any TimeSource
    private let log: Log
    /// Seconds since 1970 now.
    private let wallClock: () -> Int64
    private var waiting: [(number: UInt64, play: PlayedTrack)] = []
    /// The row of the play that was written last: the only one that can still grow.
    private var row: (number: UInt64, id: Int64)?
    private var writing: Task<Void, Never>?
    /// Told once until a write succeeds again.
    private var isFailing = false

    init(store: any HistoryStore, time: any TimeSource, log: Log, wallClock: @escaping () -> Int64) {
        self.store = store
        self.time = time
        self.log = log
        self.wallClock = wallClock
    }

    /// Takes over a play that counts, or that it was heard for longer; returns at once.
    func heard(_ hearing: Hearing) {
        let age = Int64((time.now - hearing.began) / .seconds(1))
        let play = PlayedTrack(
            track: hearing.track, playedAt: wallClock() - age,
            // Milliseconds are plenty.
            heard: (hearing.heard / .milliseconds(1)).rounded() / 1000)
        if waiting.last?.number == hearing.number {
            waiting[waiting.count - 1].play.heard = play.heard
        } else {
            waiting.append((hearing.number, play))
        }
        if writing == nil { writing = Task.onMain { await self.writeAll() } }
    }

    /// The newest plays, those handed over so far included.
    func plays(_ count: Int) async throws(Failure) -> [PlayedTrack] {
        await flush()
        return try await store.plays(count)
    }

    /// Returns when everything handed over so far is on disk.
    func flush() async {
        if writing == nil, !waiting.isEmpty { writing = Task.onMain { await self.writeAll() } }
        while let task = writing { await task.value }
    }

    private func writeAll() async {
        defer { writing = nil }
        while !waiting.isEmpty {
            let (number, play) = waiting.removeFirst()
            do throws(Failure) {
                if let row, row.number == number {
                    try await store.setHeard(play.heard, of: row.id)
                } else {
                    row = (number, try await store.addPlay(play))
                }
                isFailing = false
            } catch {
                if !isFailing { log.error("the history could not be written: \(error.message)") }
                isFailing = true
                // With the next play, or when somebody asks: a full disk passes.
                guard error.retry != .never, waiting.count < Self.mostWaiting else { continue }
                if waiting.first?.number != number { waiting.insert((number, play), at: 0) }
                return
            }
        }
    }
}

/// The wall clock, for what is shown.
public enum WallClock {
    public static var now: Int64 { Int64(exact) }
    /// With fractions.
    public static var exact: Double { Date().timeIntervalSince1970 }
}
