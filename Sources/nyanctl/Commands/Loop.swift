import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// Runs what goes on until something happens (following, waiting, the live player) on the main queue.
@MainActor enum Loop {
    /// Puts the daemon's connection on the main queue, runs `work` to its end, then ends the program with the status
    /// it gave. The end of the bus, or of whoever reads our output, ends the program too.
    static func run(
        _ daemon: Daemon, asJSON: Bool, _ work: @escaping @MainActor () async throws(Ending) -> Int32
    ) throws(Ending) -> Never {
        do throws(BusError) {
            try daemon.client.connection.attach()
        } catch {
            throw Daemon.ending(.noBus(error.message))
        }
        daemon.client.connection.onDisconnect = {
            exit(Nyanctl.report(Daemon.ending(.noBus("the session bus went away")), asJSON: asJSON))
        }
        watchReader()
        Task.onMain {
            do throws(Ending) {
                exit(try await work())
            } catch {
                exit(Nyanctl.report(error, asJSON: asJSON))
            }
        }
        dispatchMain()
    }

    /// A follower may have nothing to write for hours: it must not outlive the status bar that reads its pipe, nor the
    /// terminal it writes to, whose hang-up is told to few of its programs. Of a file there is nothing to notice.
    private static func watchReader() {
        var output = stat()
        let isTerminal = Terminal.outputIsTerminal
        guard fstat(1, &output) == 0, isTerminal || [S_IFIFO, S_IFSOCK].contains(output.st_mode & S_IFMT) else {
            return
        }
        // Labelled: a global queue never rests again once it was used.
        DispatchQueue(label: "org.nyantunes.nyanctl.reader").async { @Sendable in
            var reader = pollfd(fd: 1, events: 0, revents: 0)
            while poll(&reader, 1, -1) < 0, errno == EINTR {}
            // On the main queue, which may be on its way to the same end: `exit` is for one thread.
            DispatchQueue.main.async { exit(128 + (isTerminal ? SIGHUP : SIGPIPE)) }
        }
    }
}
