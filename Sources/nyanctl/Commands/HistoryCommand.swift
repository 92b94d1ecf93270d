import Glibc
import NyanCore
import NyanWire

/// `history`: what was really heard, newest first; its rows are row numbers like those of any listing.
@MainActor enum HistoryCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        var count = 30
        if let text = invocation.options["--count"] {
            guard let number = NumberText.whole(text), (1...10_000).contains(number) else {
                throw .usage("--count needs a number from 1 to 10000", command: "history")
            }
            count = number
        }
        let plays = try Daemon(invocation).ask { client throws(ClientFailure) in try client.history(count) }
        if invocation.asJSON {
            let documents = plays.map { play in
                TrackDocument(play.listed, playedAt: PlayTimeText.utc(play.playedAt), heard: play.heard)
            }
            return Terminal.print(JSONText.encode(documents))
        }
        let moments = plays.map(\.playedAt)
        TrackTable.show(
            plays.map(\.listed), asJSON: false,
            notes: Terminal.outputIsTerminal
                ? PlayTimeText.near(moments, now: Int64(time(nil))) : moments.map(PlayTimeText.local))
        if plays.isEmpty { Terminal.complain("nothing was heard yet") }
    }
}
