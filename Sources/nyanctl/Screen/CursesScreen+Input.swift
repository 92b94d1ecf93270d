import CCurses
import Dispatch
import Glibc

/// What comes in: bytes of the keyboard and the mouse, and signals as bytes of a pipe.
extension CursesScreen {
    /// Milliseconds in which the rest of a key's sequence comes, also over slow lines; ncurses' variable says otherwise.
    private static let escapeDelay =
        Terminal.environment("ESCDELAY").flatMap { Int($0) }.map { min(max($0, 1), 1000) } ?? 50

    /// What comes after an escape's first byte has begun a key: only a slow line parts it.
    private static let sequenceDelay = 500

    /// The signal that ended a stop of ours is heard on another thread, some time after we went on from there.
    private static let echo = Duration.seconds(1)

    func readKeys() {
        // The source may tell of bytes that were the shell's in the meantime.
        var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 0) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(0, &bytes, bytes.count)
        guard count > 0 else {
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            // Another job has the terminal; a terminal that is gone has no job.
            if count < 0, nyan_screen_in_background() { return suspend(by: SIGTTOU) }
            // This may be noticed before its signal is.
            return leave(128 + SIGHUP)
        }
        tell(input.events(bytes[..<count], at: .now))
        switch input.pause {
        case .key: patience.schedule(deadline: .now() + .milliseconds(Self.escapeDelay))
        case .sequence: patience.schedule(deadline: .now() + .milliseconds(max(Self.escapeDelay, Self.sequenceDelay)))
        case .paste: patience.schedule(deadline: .now() + 1)
        case nil: patience.schedule(deadline: .distantFuture)
        }
    }

    /// Nothing more came in time.
    func settle() {
        patience.schedule(deadline: .distantFuture)
        tell(input.settle(at: .now))
    }

    private func tell(_ events: [ScreenEvent]) {
        for event in events {
            switch event {
            case .key(.control("z")):
                // What was typed behind it was meant for the shell.
                return suspend(by: SIGTSTP)
            case .key(.control("l")):
                // Whatever another program wrote over us is painted away.
                nyan_screen_forget()
                repaint()
                continuation.yield(event)
            default: continuation.yield(event)
            }
        }
    }

    /// The deadly ones first: nothing is to be painted by who is about to end.
    func readSignals() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(signalPipe.reading, &bytes, bytes.count)
        guard count > 0 else { return }
        let numbers = bytes[..<count].map { Int32($0) }
        if let deadly = numbers.first(where: { [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains($0) }) {
            return leave(128 + deadly)
        }
        if numbers.contains(SIGTSTP) {
            suspend(by: SIGTSTP)
        } else if numbers.contains(SIGCONT), isLent || ContinuousClock.now - retaken > Self.echo {
            resume()
        } else if numbers.contains(SIGWINCH) {
            resize()
        }
    }

    /// Gives the terminal to the shell and stops; takes it again when the job is continued in the foreground.
    func suspend(by signal: Int32) {
        if !isLent {
            isLent = true
            keys?.suspend()
            nyan_screen_lend()
        }
        nyan_screen_stop(signal)
        resume()
    }

    /// Continued. In the background there is no terminal to take: the system stops us again, as it stops any job that
    /// writes from there; where nobody could wake us it does not, and we wait for the next signal.
    private func resume() {
        if !isLent {
            // Stopped by SIGSTOP: the shell took what nobody gave it.
            isLent = true
            keys?.suspend()
            nyan_screen_lose()
        }
        if nyan_screen_in_background() { nyan_screen_stop(SIGTTOU) }
        guard !nyan_screen_in_background() else { return }
        isLent = false
        retaken = .now
        nyan_screen_retake()
        keys?.resume()
        resize()
    }

    /// Sizes change in bursts; the last one counts. Also one that is the same again: the terminal has cut and moved what
    /// it showed in the meantime, so all of it is painted anew.
    private func resize() {
        guard !isLent else { return }
        if let fresh = Self.measured, fresh != size {
            size = fresh
            nyan_screen_resize(Int32(size.columns), Int32(size.rows))
            continuation.yield(.resized(size))
        }
        nyan_screen_forget()
        repaint()
    }
}
