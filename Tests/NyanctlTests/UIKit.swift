import NyanCore
import NyanDBus
import NyanWire

@testable import nyanctl

/// A small house for the ui's tests: tracks, and a state that has them.
@MainActor enum UIKit {
    static func track(_ number: Int, _ artist: String = "A", _ title: String? = nil, seconds: Int = 214) -> ListedTrack
    {
        ListedTrack(
            track: Track(
                id: TrackID(owner: 1, audio: Int64(number)), artist: artist, title: title ?? "T\(number)",
                duration: seconds))
    }

    static func tracks(_ count: Int) -> [ListedTrack] { (0..<count).map { track($0 + 1) } }

    static func id(_ number: Int) -> TrackID { TrackID(owner: 1, audio: Int64(number)) }

    static func download(
        _ number: Int, _ state: Download.State, _ received: Int64 = 0, _ total: Int64? = nil, why: String? = nil,
        speed: Int64? = nil
    ) -> DownloadReport {
        DownloadReport(
            id: id(number), artist: "A", title: "T\(number)", state: state, received: received, total: total,
            problem: why.map { .init(code: "x", message: $0) }, speed: speed)
    }

    static func status(
        _ state: StatusReport.State = .stopped, playing: ListedTrack? = nil, at position: Double = 0,
        place: Int? = nil, of length: Int = 0
    ) -> StatusReport {
        StatusReport(
            state: state, track: playing, position: position, duration: playing.map { Double($0.track.duration) },
            volume: 0.8, queuePosition: place, queueLength: length, buffered: playing == nil ? nil : 0.75,
            isSignedIn: true)
    }

    /// A state whose profile has these tracks; what it wanted done by then is forgotten.
    static func state(_ tracks: [ListedTrack], columns: Int = 80, rows: Int = 24) -> UIState {
        var state = UIState(size: Size(columns: columns, rows: rows))
        _ = state.handle(.status(status()), at: 0)
        _ = state.handle(.listed(.profile, tracks), at: 0)
        return state
    }
}

extension UIState {
    /// Presses keys; letters of a text one by one.
    @discardableResult
    mutating func keys(_ keys: ScreenKey..., at now: Double = 0) -> [UIEffect] {
        keys.flatMap { handle(.screen(.key($0)), at: now) }
    }

    @discardableResult
    mutating func types(_ text: String) -> [UIEffect] {
        text.flatMap { handle(.screen(.key(.text($0))), at: 0) }
    }

    @discardableResult
    mutating func mouse(_ deed: MouseDeed, _ row: Int, _ column: Int, at now: Double = 0) -> [UIEffect] {
        handle(.screen(.mouse(deed, at: Place(row: row, column: column))), at: now)
    }
}

extension Frame {
    /// What is seen, without styles; blanks at the ends of lines are left out.
    var text: String {
        rows.map { spans in
            var line = spans.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n") + "\n"
    }

    /// The styles of the spans, row by row.
    var styles: String {
        rows.map { $0.map { "\($0.style)" }.joined(separator: " ") }.joined(separator: "\n") + "\n"
    }
}
