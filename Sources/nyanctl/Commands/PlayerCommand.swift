import NyanCore
import NyanWire

/// `player`: one live line with a progress bar, and keys. Without a terminal on both sides it prints `status` and ends.
@MainActor enum PlayerCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        guard Terminal.canRedraw, Terminal.inputIsTerminal, !invocation.asJSON else {
            return try StatusCommand.run(invocation)
        }
        let daemon = try Daemon(invocation)
        // Says at once what is wrong where there is no daemon, and starts it where that is possible.
        _ = try daemon.ask { client throws(ClientFailure) in try client.status() }
        let player = LivePlayer(daemon)
        try Loop.run(daemon, asJSON: false) { () throws(Ending) in try await player.run() }
    }
}
