import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// `ui`: the whole of nyand on one screen.
@MainActor enum UICommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        guard !invocation.asJSON, Terminal.canRedraw, Terminal.inputIsTerminal else {
            throw .usage("ui needs a terminal to draw on and keys to hear", command: "ui")
        }
        let daemon = try Daemon(invocation)
        // Says at once what is wrong where there is no daemon, and starts it where that is possible.
        _ = try daemon.ask { client throws(ClientFailure) in try client.status() }
        try Loop.run(daemon, asJSON: false) { () throws(Ending) in
            let screen = try CursesScreen()
            defer { screen.close() }
            daemon.client.connection.onDisconnect = {
                screen.close()
                exit(Nyanctl.report(Daemon.ending(.noBus("the session bus went away")), asJSON: false))
            }
            return try await UIWork(daemon, screen).run()
        }
    }
}
