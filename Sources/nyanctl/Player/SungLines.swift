import NyanCore
import NyanWire

/// Which line is sung when: a value without I/O. All moments are seconds of one clock that runs while the machine does.
struct SungLines {
    /// The current track; nil = none.
    private(set) var track: TrackID?
    private(set) var lyrics: Lyrics?
    /// The line that was told last.
    private(set) var told: Int?
    /// The next line is told by itself, not those before it: the position jumped there.
    private var hasJumped = true
    private var position = 0.0
    private var asOf = 0.0
    private var runs = false

    /// A jump of less is the clocks' own.
    private static let tolerance = 1.0

    /// Takes a status in; true where it has another track, whose words are wanted now.
    mutating func take(_ report: StatusReport, at now: Double) -> Bool {
        let id = report.track?.track.id
        let isOther = id != track
        if isOther {
            track = id
            lyrics = nil
            told = nil
        }
        hasJumped = hasJumped || isOther || abs(report.position - place(at: now)) > Self.tolerance
        position = report.position
        asOf = now
        runs = report.state == .playing
        return isOther && id != nil
    }

    /// Takes the words of the current track in; what is not timed is told as a whole.
    mutating func take(_ fresh: Lyrics, of id: TrackID) -> [Lyrics.Line] {
        guard id == track, lyrics == nil else { return [] }
        lyrics = fresh
        return fresh.isTimed ? [] : fresh.lines
    }

    /// The words of the current track did not come: they are asked for again with the next status.
    mutating func forget() {
        if lyrics == nil { track = nil }
    }

    /// The daemon is gone: nothing is sung until it is back. Words that have not come are asked for again then.
    mutating func stop(at now: Double) {
        forget()
        position = place(at: now)
        asOf = now
        runs = false
    }

    /// The lines that are due and were not told yet.
    mutating func due(at now: Double) -> [Lyrics.Line] {
        guard let lyrics, lyrics.isTimed else { return [] }
        let line = lyrics.line(at: Int(min(place(at: now) * 1000, 1e15)))
        defer {
            told = line
            hasJumped = false
        }
        guard let line, line != told else { return [] }
        // Lines that begin together, or that a late wake-up has missed.
        let first = hasJumped || line < told ?? -1 ? line : (told ?? -1) + 1
        return Array(lyrics.lines[first...line])
    }

    /// How long it is until the next line; nil = until something happens.
    func pause(at now: Double) -> Double? {
        guard runs, let lyrics, lyrics.isTimed else { return nil }
        let place = place(at: now)
        let next = lyrics.lines.first { Double($0.begin ?? 0) > place * 1000 }
        // A line may be said to begin in a million years: whoever waits so long looks again every day.
        return next.map { min(Double($0.begin ?? 0) / 1000 - place, 86_400) }
    }

    private func place(at now: Double) -> Double { runs ? position + max(0, now - asOf) : position }
}
