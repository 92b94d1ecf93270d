import NyanCore
import NyanDBus
import NyanWire

/// `queue` and its verbs.
@MainActor enum QueueCommands {
    static func queue(_ invocation: Invocation) throws(Ending) {
        let words = Array(invocation.words.dropFirst())
        guard !invocation.has("--next") || invocation.words.first == "add" else {
            throw .usage("--next belongs to `queue add`", command: "queue")
        }
        switch invocation.words.first {
        case nil: try list(invocation)
        case "add": try add(words, invocation)
        case "remove": try remove(words, invocation)
        case "move": try move(words, invocation)
        case "clear":
            guard words.isEmpty else { throw .usage("clear takes no words", command: "queue") }
            try send("Clear", [], invocation)
        case let verb?: throw .usage("queue has no verb “\(verb)”", command: "queue")
        }
    }

    private static func list(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        let (tracks, current) = try daemon.ask { client throws(ClientFailure) in try client.queue() }
        TrackTable.show(tracks, asJSON: invocation.asJSON, current: current, isQueue: true, daemon: daemon)
        if tracks.isEmpty && !invocation.asJSON { Terminal.complain("the queue is empty") }
    }

    private static func add(_ words: [String], _ invocation: Invocation) throws(Ending) {
        guard !words.isEmpty else { throw .usage("add needs a track", command: "queue") }
        let daemon = try Daemon(invocation)
        let tracks = try TrackWords.any(words, command: "queue", daemon: daemon, playing: true)
        let answer = try daemon.ask { client throws(ClientFailure) in
            try client.call(
                NyandInterfaces.queue, "Add", [tracks.busValue, .bool(invocation.has("--next"))], .network)
        }
        CountDocument.print("length", answer, invocation)
    }

    private static func remove(_ words: [String], _ invocation: Invocation) throws(Ending) {
        guard !words.isEmpty else { throw .usage("remove needs a position", command: "queue") }
        var positions: [BusValue] = []
        for word in words { positions.append(.uint32(try position(word))) }
        try send("Remove", [.array(positions, of: "u")], invocation)
    }

    private static func move(_ words: [String], _ invocation: Invocation) throws(Ending) {
        guard words.count == 2 else { throw .usage("move needs two positions", command: "queue") }
        try send("Move", [.uint32(try position(words[0])), .uint32(try position(words[1]))], invocation)
    }

    private static func position(_ word: String) throws(Ending) -> UInt32 {
        guard let position = NumberText.whole(word).flatMap({ UInt32(exactly: $0) }), position > 0 else {
            throw .usage("“\(word)” is no queue position; they start at 1", command: "queue")
        }
        return position
    }

    private static func send(_ member: String, _ arguments: [BusValue], _ invocation: Invocation) throws(Ending) {
        let answer = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.queue, member, arguments)
        }
        // `Move` and `Clear` answer none.
        CountDocument.print("length", answer, invocation)
    }
}
