import Dispatch
import Glibc
import NyanCore
import NyanWire
import NyanWords

/// Shows downloads as they change: a block of bars on a terminal, and what has ended as lines above it.
@MainActor final class DownloadScreen {
    private var block = LiveBlock()
    private let signals = TerminalSignals()
    private let clock = DispatchSource.makeTimerSource(queue: .main)
    private let yield: @Sendable (Followed) -> Void

    /// `yield` gets a tick a second while something runs, and is told of the terminal's changes.
    init(_ yield: @escaping @Sendable (Followed) -> Void) {
        self.yield = yield
        clock.setEventHandler { yield(.tick) }
        clock.activate()
        signals.on(SIGWINCH) { yield(.redraw) }
        // Others have had the terminal while we were stopped.
        signals.on(SIGCONT) { [weak self] in
            self?.block.forget()
            yield(.redraw)
        }
    }

    /// `ended` is told above the block, for good.
    func draw(_ rows: [DownloadReport], ended: [DownloadReport] = [], notice: String? = nil) {
        let (columns, height) = ((Terminal.columns ?? 80) - 1, Terminal.rows - 1)
        let above = ended.map { DisplayText.cut(DownloadText.line($0), to: columns) }
        var lines = DownloadBars.lines(rows, columns: columns, height: notice == nil ? height : height - 1)
        if let notice { lines.append(DisplayText.cut(Words.said(notice), to: columns)) }
        block.draw(lines, columns: columns + 1, above: above)
        let runs = rows.contains { $0.state == .running }
        clock.schedule(deadline: runs ? .now() + 1 : .distantFuture, leeway: .milliseconds(100))
    }

    func clear() { block.clear(columns: Terminal.columns ?? 80) }
}
