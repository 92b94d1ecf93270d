import NyanCore
import NyanWire
import NyanWords

/// The rows of a list that are seen: `▶ 12  Artist – Title   ━━━━──── 45 %   3:34  +↓`.
struct UIRows {
    private let state: UIState
    private let columns: Int
    /// Room for numbers, bars and reasons.
    private let isWide: Bool
    private let digits: Int
    private let times: Int

    init(_ state: UIState, _ window: Range<Int>, columns: Int) {
        self.state = state
        self.columns = columns
        isWide = columns >= 60
        digits = "\(state.list.rows.count)".count
        times = window.reduce(4) { max($0, state.list[$1].map { Self.time($0).count } ?? 0) }
    }

    func line(_ place: Int) -> [UIPart] {
        guard let row = state.list[place], let number = state.list.number(place) else { return [] }
        let isCurrent = state.isCurrent(row, number: number, in: state.tab)
        let isSelected = place == state.list.place
        var left = isCurrent ? "▶ " : "  "
        if isWide {
            let text = "\(number + 1)"
            left += String(repeating: " ", count: max(0, digits - text.count)) + text + "  "
        }
        var right = note(row)
        if !right.isEmpty { right = [UIPart("  ")] + right }
        // What is on its way has no length of interest, and the row has no room for it.
        if state.tab != .downloads {
            let time = Self.time(row)
            right.append(UIPart("  " + String(repeating: " ", count: max(0, times - time.count)) + time, .faint))
        }
        right.append(UIPart(" " + marks(row) + " "))
        let room = max(0, columns - DisplayText.columns(left) - right.reduce(0) { $0 + $1.columns })
        let name = DisplayText.fitted(DisplayText.escaped(TrackTable.name(row.track)), to: room)
        var parts = [UIPart(left, .faint), UIPart(name)] + right
        if !row.track.isAvailable, row.copyPath == nil { parts[1].style = .faint }
        for part in parts.indices {
            parts[part].touch = .row(place)
            if isSelected { parts[part].style = isCurrent ? .selectedPlaying : .selected }
            if isCurrent, !isSelected { parts[part].style = .playing }
        }
        return parts
    }

    private static func time(_ row: ListedTrack) -> String {
        row.track.duration > 0 ? TimeText.text(Double(row.track.duration)) : "-"
    }

    /// `+` in the profile, where that is news; `↓` kept as a file, `✗` cannot be had now.
    private func marks(_ row: ListedTrack) -> String {
        let added = state.tab == .search && row.isAdded ? "+" : " "
        if state.isDownloaded(row) { return added + "↓" }
        return added + (row.track.isAvailable ? " " : "✗")
    }

    /// What is to be said of the row's download, or why it cannot be had.
    private func note(_ row: ListedTrack) -> [UIPart] {
        guard let download = state.downloads[row.track.id] else {
            guard isWide, !row.track.isAvailable, row.copyPath == nil else { return [] }
            let reason = Words.said(row.track.unavailableReason ?? "unavailable")
            return [UIPart(DisplayText.cut(DisplayText.escaped(reason), to: columns / 3), .faint)]
        }
        switch download.state {
        case .done: return state.tab == .downloads ? [UIPart(DownloadText.size(download), .faint)] : []
        case .running: return running(download)
        case .failed:
            guard state.tab == .downloads, isWide, let reason = download.problem?.message else {
                return [UIPart(DownloadText.state(download), .alarm)]
            }
            let words = DownloadText.state(download) + ": " + DisplayText.escaped(Words.said(reason))
            return [UIPart(DisplayText.cut(words, to: columns / 2), .alarm)]
        case .waiting, .paused:
            guard state.tab == .downloads, isWide, let reason = download.problem?.message else {
                return [UIPart(DownloadText.state(download), .faint)]
            }
            let words = DownloadText.state(download) + ": " + DisplayText.escaped(Words.said(reason))
            return [UIPart(DisplayText.cut(words, to: columns / 2), .faint)]
        }
    }

    private func running(_ download: DownloadReport) -> [UIPart] {
        // Where the whole is not known, what is there says more.
        let amount = download.total == nil ? ByteText.text(download.received) : DownloadText.percent(download)
        var parts: [UIPart] = []
        if isWide {
            let bar = ProgressBar.text(download, width: 8)
            let played = bar.prefix { $0 == "━" }
            parts = [UIPart(String(played), .played), UIPart(String(bar.dropFirst(played.count)), .rest), UIPart(" ")]
        }
        parts.append(UIPart(Self.right(amount, isWide ? 6 : 4)))
        if state.tab == .downloads, columns >= 70 {
            parts.append(UIPart(Self.right(DownloadText.speed(download), 11), .faint))
            parts.append(UIPart(Self.right(DownloadText.left(download), 8), .faint))
        }
        return parts
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayText.columns(text))) + text
    }
}
