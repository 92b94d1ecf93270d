import NyanCore
import NyanWire
import NyanWords

/// The mini player at the bottom: what plays, and a line with buttons, bar, volume and order.
@MainActor enum UIPlayer {
    static func lines(_ state: UIState, _ now: Double, _ layout: UILayout) -> [[UIPart]] {
        let columns = state.size.columns
        if layout.shape == .low { return [name(state, now, columns, hasVolume: true)] }
        return [name(state, now, columns, hasVolume: false), controls(state, now, columns)]
    }

    private static func sign(_ state: StatusReport.State?) -> String {
        switch state {
        case .playing: "▶"
        case .paused: "‖"
        case .buffering, nil: "…"
        case .stopped, .absent: "■"
        }
    }

    /// ` ▶ Artist – Title                    1:02 / 3:34 `
    private static func name(_ state: UIState, _ now: Double, _ columns: Int, hasVolume: Bool) -> [UIPart] {
        let head = UIPart(" " + sign(state.status?.state) + " ", .strong, .deed(.toggle))
        guard let status = state.status else { return [head] }
        guard status.state != .absent else {
            return [head, UIPart(Words.said(DownloadFollower.away), .alarm)]
        }
        guard let track = status.track else { return [head, UIPart(Words.said("nothing queued"), .faint)] }
        let style: Style = status.state == .playing ? .playing : .plain
        let name = UIPart(DisplayText.escaped(TrackTable.name(track.track)), style, .deed(.playing))
        let end = status.duration.map(TimeText.text) ?? "-:--"
        var times = "  \(TimeText.text(state.position(at: now))) / \(end) "
        if hasVolume { times += " \(volume(status)) " }
        return UIPart.spread([head, name], [UIPart(times)], columns)
    }

    private static func volume(_ status: StatusReport) -> String { "\(Int((status.volume * 100).rounded())) %" }

    /// ` « ‖ »  ━━━━────┄┄┄┄  - 80 % +  shuffle  repeat queue  3/10 `
    private static func controls(_ state: UIState, _ now: Double, _ columns: Int) -> [UIPart] {
        guard let status = state.status, status.state != .absent else { return [] }
        let isRunning = status.state == .playing || status.state == .buffering
        let left = [
            UIPart(" "), UIPart("«", .strong, .deed(.previous)), UIPart(" "),
            UIPart(isRunning ? "‖" : "▶", .strong, .deed(.toggle)), UIPart(" "),
            UIPart("»", .strong, .deed(.next)), UIPart("  "),
        ]
        let right = [
            UIPart("  "), UIPart("- ", .strong, .deed(.quieter)), UIPart(pad(volume(status), 5), .plain, .volume),
            UIPart(" +", .strong, .deed(.louder)),
        ]
        let taken = width(left) + width(right) + 1
        let tail = tails(status).first { columns - taken - width($0) >= leastBar } ?? []
        let room = columns - taken - width(tail)
        return left + bar(status, state.position(at: now), max(0, room)) + right + tail
    }

    private static let leastBar = 14

    /// What is said of order and place, the longest first.
    private static func tails(_ status: StatusReport) -> [[UIPart]] {
        let place = status.queuePosition.map { [UIPart("  \($0)/\(status.queueLength)", .faint, .tab(.queue))] } ?? []
        let shuffle = UIPart(Words.said("shuffle"), status.shuffle ? .strong : .faint, .deed(.shuffle))
        let mode = UIPart(
            Words.said("repeat \(status.repeatMode.rawValue)"), status.repeatMode == .off ? .faint : .strong,
            .deed(.repeatMode))
        let on =
            (status.shuffle ? [UIPart("  "), shuffle] : []) + (status.repeatMode != .off ? [UIPart("  "), mode] : [])
        // Which of them are on must be seen without colours, too.
        let off = [UIPart("  "), shuffled(shuffle, status.shuffle), UIPart("  "), mode]
        return [off + place, on + place, place]
    }

    private static func shuffled(_ part: UIPart, _ isOn: Bool) -> UIPart {
        var part = part
        part.text = Words.said("shuffle \(isOn ? "on" : "off")")
        return part
    }

    /// Played, fetched, and the rest.
    private static func bar(_ status: StatusReport, _ position: Double, _ width: Int) -> [UIPart] {
        let part = status.duration.map { $0 > 0 ? max(0, min(1, position / $0)) : 0 } ?? 0
        let played = Int((part * Double(width)).rounded(.down))
        let fetched = max(played, Int(((status.buffered ?? 0) * Double(width)).rounded(.down)))
        return [
            UIPart(String(repeating: "━", count: played), .played, nil, isBar: true),
            UIPart(String(repeating: "─", count: fetched - played), .fetched, nil, isBar: true),
            UIPart(String(repeating: "┄", count: max(0, width - fetched)), .rest, nil, isBar: true),
        ]
    }

    private static func width(_ parts: [UIPart]) -> Int { parts.reduce(0) { $0 + $1.columns } }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
