import CCurses
import Dispatch
import Glibc
import NyanCore

/// The terminal by ncursesw. Paints frames, and tells keys, mouse, changes of size and the end. There is one at a time,
/// as there is one standard input; everything happens on the main queue.
///
/// The terminal is given back by `close`, by `exit` from anywhere, by the signals that end a program, and in a crash.
/// Nothing can be done about SIGKILL: `reset` helps then. Lives until it is closed.
@MainActor final class CursesScreen: Screen {
    var size = Size(columns: 80, rows: 24)
    let events: AsyncStream<ScreenEvent>
    let continuation: AsyncStream<ScreenEvent>.Continuation
    var goneStatus: Int32 = 0

    var input: InputBytes
    /// Ends the waiting for the rest of a key.
    let patience: any DispatchSourceTimer
    /// The terminal's bytes.
    var keys: (any DispatchSourceRead)?
    /// Signals, as bytes of a pipe whose other end the handlers write to.
    var signals: (any DispatchSourceRead)?
    let signalPipe: SignalPipe
    /// The terminal is the shell's for a while: we are stopped, or go on in the background.
    var isLent = false
    /// When it was taken again last.
    var retaken = ContinuousClock.now - .seconds(60)
    private var isClosed = false
    /// Whether a selected row is seen by its style.
    private let canReverse: Bool
    /// What is shown, to be shown again when the shell gives the terminal back.
    private var shown: Frame?

    /// Throws where there is no terminal, or none that can be painted on.
    init() throws(Ending) {
        guard isatty(0) == 1, isatty(1) == 1 else { throw ScreenRefusal.noTerminal }
        // A job in the background waits here until it is brought to the front.
        if nyan_screen_in_background() { nyan_screen_stop(SIGTTOU) }
        signalPipe = try SignalPipe()
        // ncurses leaves alone the signals that are somebody's already, so they become ours first.
        nyan_screen_catch(signalPipe.writing)
        let outcome = nyan_screen_open(Terminal.environment("NO_COLOR") == nil)
        guard outcome == Int32(bitPattern: NYAN_SCREEN_OPEN.rawValue) else {
            nyan_screen_catch(-1)
            signalPipe.close()
            throw ScreenRefusal.ending(outcome)
        }
        (events, continuation) = AsyncStream.makeStream()
        // Not before all is well: a source that was never activated must not be freed.
        patience = DispatchSource.makeTimerSource(queue: .main)
        input = InputBytes(named: TerminfoKeys.all)
        canReverse = nyan_screen_has_reverse()
        size = Self.measured ?? size
        nyan_screen_resize(Int32(size.columns), Int32(size.rows))
        patience.setEventHandler { self.settle() }
        patience.schedule(deadline: .distantFuture)
        patience.activate()
        keys = watch(0) { self.readKeys() }
        signals = watch(signalPipe.reading) { self.readSignals() }
    }

    func paint(_ frame: Frame) {
        shown = frame
        repaint()
    }

    /// Shows the last frame; ncurses writes what is not there yet.
    func repaint() {
        guard !isLent, !isClosed else { return }
        guard let frame = shown else { return nyan_screen_show(0, 0, false) }
        nyan_screen_begin()
        for (row, spans) in frame.rows.prefix(size.rows).enumerated() { paint(spans, row: row) }
        let place = frame.cursor ?? frame.focus ?? Place(row: 0, column: 0)
        let isSeen = place.row < size.rows && place.column < size.columns
        nyan_screen_show(
            isSeen ? Int32(place.row) : 0, isSeen ? Int32(place.column) : 0, isSeen && frame.cursor != nil)
    }

    /// Every span at the column the ones before it end at, whatever its own letters come to.
    private func paint(_ spans: [Span], row: Int) {
        var column = 0
        let spans = canReverse ? spans : SelectionMark.marked(spans)
        for (index, span) in spans.enumerated() where column < size.columns {
            let room = size.columns - column
            var text = PaintedText(span.text, limit: room) { Int(nyan_screen_width($0)) }
            if index == spans.count - 1 { text.fill(to: room) }
            let ink = StyleInk(span.style)
            nyan_screen_put(
                Int32(row), Int32(column), text.scalars, Int32(text.scalars.count), ink.weight, ink.colour)
            column += text.columns
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        keys?.cancel()
        // A source must not be freed while it is suspended.
        if isLent { keys?.resume() }
        signals?.cancel()
        patience.cancel()
        nyan_screen_close()
        nyan_screen_catch(-1)
        signalPipe.close()
        continuation.finish()
    }

    /// The terminal went away, or the end was asked for.
    func leave(_ status: Int32) {
        guard !isClosed else { return }
        goneStatus = status
        continuation.yield(.gone)
        close()
    }

    /// What the terminal says now; nil where neither it nor the environment knows.
    static var measured: Size? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        return nyan_screen_size(&columns, &rows) ? Size(columns: Int(columns), rows: Int(rows)) : nil
    }

    /// Runs `handler` on the main queue whenever there is something to read. Dispatch gets a descriptor of its own.
    private func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) -> any DispatchSourceRead {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: .main)
        source.setEventHandler(handler: handler)
        // Cancelling may end on any thread.
        source.setCancelHandler { @Sendable in Glibc.close(own) }
        source.activate()
        return source
    }
}

/// A pipe that signal handlers write into. Neither end ever waits.
nonisolated struct SignalPipe {
    let reading: Int32
    let writing: Int32

    init() throws(Ending) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .failed(code: "internal", message: "no pipe: \(String(cString: strerror(errno)))", status: 1)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    func close() {
        Glibc.close(reading)
        Glibc.close(writing)
    }
}
