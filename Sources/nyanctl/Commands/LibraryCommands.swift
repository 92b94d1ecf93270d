import NyanCore
import NyanDBus
import NyanWire

/// `profile`, `music`, `search`, `delete`.
@MainActor enum LibraryCommands {
    static func profile(_ invocation: Invocation) throws(Ending) {
        let owner = try PeopleCommands.owner(invocation, daemon: try Daemon(invocation))
        let arguments: [BusValue] = [.string(filter(invocation)), .int64(owner)]
        let empty = owner == 0 ? "no tracks of the profile are known: `nyanctl sync` reads it" : "this list is empty"
        try list("Profile", arguments, owner == 0 ? .quick : .many, invocation, empty: empty)
    }

    static func music(_ invocation: Invocation) throws(Ending) {
        try list("Music", [.string(filter(invocation))], .quick, invocation, empty: "nothing was downloaded yet")
    }

    static func search(_ invocation: Invocation) throws(Ending) {
        var count: UInt32 = 30
        if let text = invocation.options["--count"] {
            guard let number = NumberText.whole(text).flatMap({ UInt32(exactly: $0) }), (1...1000).contains(number)
            else {
                throw .usage("--count needs a number from 1 to 1000", command: "search")
            }
            count = number
        }
        guard filter(invocation).contains(where: { !$0.isWhitespace }) else {
            throw .usage("search needs a text", command: "search")
        }
        let arguments: [BusValue] = [.string(filter(invocation)), .uint32(count), .bool(invocation.has("--artist"))]
        try list("Search", arguments, .network, invocation, empty: "nothing was found")
    }

    static func delete(_ invocation: Invocation) throws(Ending) {
        let tracks = try TrackWords.exact(invocation.words, command: "delete")
        let daemon = try Daemon(invocation)
        let values = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.library, "DeleteCopies", [tracks.busValue])
        }
        guard values.count == 2, let files = values[0].integer, let bytes = values[1].int64 else {
            throw Daemon.ending(.misunderstood("DeleteCopies"))
        }
        if invocation.asJSON {
            Terminal.print(JSONText.encode(["files": Int64(files), "bytes": bytes]))
        } else {
            Terminal.complain("deleted \(files) file\(files == 1 ? "" : "s"), \(ByteText.text(bytes)) freed")
        }
    }

    private static func filter(_ invocation: Invocation) -> String { invocation.words.joined(separator: " ") }

    private static func list(
        _ member: String, _ arguments: [BusValue], _ patience: NyanClient.Patience, _ invocation: Invocation,
        empty: String
    ) throws(Ending) {
        let daemon = try Daemon(invocation)
        let tracks = try daemon.ask { client throws(ClientFailure) in
            try client.listing(member, arguments, patience)
        }
        TrackTable.show(tracks, asJSON: invocation.asJSON, daemon: daemon, copies: member == "Music")
        if tracks.isEmpty && !invocation.asJSON {
            Terminal.complain(invocation.words.isEmpty ? empty : "nothing matches")
        }
    }
}
