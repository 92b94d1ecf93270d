import NyanCore
import NyanWire

/// `player`: one live line with a progress bar, and keys.
@MainActor enum PlayerCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        guard !invocation.asJSON else {
            throw .usage("the player has no JSON; `nyanctl status --follow --json` has", command: "player")
        }
        guard Terminal.outputIsTerminal, Terminal.inputIsTerminal else {
            throw .usage("the player needs a terminal; `nyanctl status --follow` goes anywhere", command: "player")
        }
        guard Terminal.canRedraw else {
            throw .usage(
                "the player needs a terminal whose lines can be drawn over; `nyanctl status --follow` goes anywhere",
                command: "player")
        }
        let daemon = try Daemon(invocation)
        // Says at once what is wrong where there is no daemon, and starts it where that is possible.
        _ = try daemon.ask { client throws(ClientFailure) in try client.status() }
        let player = LivePlayer(daemon)
        try Loop.run(daemon, asJSON: false) { () throws(Ending) in try await player.run() }
    }
}
