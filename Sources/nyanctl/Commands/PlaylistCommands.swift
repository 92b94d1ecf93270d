import NyanCore
import NyanDBus
import NyanWire

/// `playlists`, `playlist`, `recommendations`.
@MainActor enum PlaylistCommands {
    static func list(_ invocation: Invocation) throws(Ending) {
        let (playlists, notice) = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.playlists()
        }
        PlaylistTable.show(playlists, asJSON: invocation.asJSON)
        tell(notice)
        if playlists.isEmpty && !invocation.asJSON { Terminal.complain("there are no playlists") }
    }

    /// The first word is a verb or names a playlist; no playlist's name is a verb.
    static func playlist(_ invocation: Invocation) throws(Ending) {
        let words = Array(invocation.words.dropFirst())
        switch invocation.words[0] {
        case "create": try create(words, invocation)
        case "rename": try rename(words, invocation)
        case "delete": try delete(words, invocation)
        case "add": try change("Add", words, invocation)
        case "remove": try change("Remove", words, invocation)
        default: try tracks(invocation)
        }
    }

    static func recommendations(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        let track = try OneTrack.reference(invocation, daemon)
        let values = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.playlists, "Recommendations", [.string(track)], .network)
        }
        guard let found = values.first.flatMap(TrackCoding.listedTracks) else {
            throw Daemon.ending(.misunderstood("Recommendations"))
        }
        TrackTable.show(found, asJSON: invocation.asJSON, daemon: daemon)
        if found.isEmpty && !invocation.asJSON { Terminal.complain("VK recommends nothing now") }
    }

    private static func tracks(_ invocation: Invocation) throws(Ending) {
        let reference = try PlaylistWord.reference(invocation.words[0])
        let filter = invocation.words.dropFirst().joined(separator: " ")
        let daemon = try Daemon(invocation)
        let (tracks, notice) = try daemon.ask { client throws(ClientFailure) in
            try client.playlistTracks(reference.description, filter: filter)
        }
        TrackTable.show(tracks, asJSON: invocation.asJSON, daemon: daemon)
        tell(notice)
        if tracks.isEmpty && !invocation.asJSON {
            Terminal.complain(filter.isEmpty ? "the playlist is empty" : "nothing matches")
        }
    }

    private static func create(_ words: [String], _ invocation: Invocation) throws(Ending) {
        let title = words.joined(separator: " ")
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw .usage("create needs a title", command: "playlist")
        }
        let values = try call("Create", [.string(title)], invocation)
        guard let made = values.first.flatMap({ PlaylistCoding.listed($0) as ListedPlaylist? }) else {
            throw Daemon.ending(.misunderstood("Create"))
        }
        Terminal.print(invocation.asJSON ? JSONText.encode(PlaylistDocument(made)) : made.playlist.id.description)
    }

    private static func rename(_ words: [String], _ invocation: Invocation) throws(Ending) {
        let title = words.dropFirst().joined(separator: " ")
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw .usage("rename needs a playlist and a title", command: "playlist")
        }
        let reference = try PlaylistWord.reference(words[0])
        _ = try call("Rename", [.string(reference.description), .string(title)], invocation)
    }

    private static func delete(_ words: [String], _ invocation: Invocation) throws(Ending) {
        guard words.count == 1 else { throw .usage("delete needs one playlist", command: "playlist") }
        let reference = try PlaylistWord.reference(words[0])
        let values = try call("Delete", [.string(reference.description)], invocation)
        guard values.count == 2, let title = values[0].string, let followed = values[1].bool else {
            throw Daemon.ending(.misunderstood("Delete"))
        }
        if invocation.asJSON {
            let document = DeletedPlaylistDocument(
                id: reference.id.description, title: title, outcome: followed ? "unfollowed" : "deleted")
            return Terminal.print(JSONText.encode(document))
        }
        let name = title.isEmpty ? reference.id.description : "“\(Terminal.printableMessage(title))”"
        Terminal.complain(
            followed ? "\(name) is somebody else's: you follow it no more" : "\(name) is deleted; its tracks stay")
    }

    private static func change(_ member: String, _ words: [String], _ invocation: Invocation) throws(Ending) {
        let verb = member.lowercased()
        guard words.count >= 2 else { throw .usage("\(verb) needs a playlist and tracks", command: "playlist") }
        let reference = try PlaylistWord.reference(words[0])
        let tracks = try TrackWords.exact(Array(words.dropFirst()), command: "playlist")
        let answer = try call(member, [.string(reference.description), tracks.busValue], invocation)
        let name = member == "Add" ? "added" : "removed"
        CountDocument.print(name, answer, invocation)
        if !invocation.asJSON, let count = answer.first?.integer {
            let rest = member == "Add" && count == 0 ? ": they are in it already" : ""
            Terminal.complain("\(count) track\(count == 1 ? "" : "s") \(name)\(rest)")
        }
    }

    private static func call(
        _ member: String, _ arguments: [BusValue], _ invocation: Invocation
    ) throws(Ending) -> [BusValue] {
        try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.playlists, member, arguments, .network)
        }
    }

    private static func tell(_ notice: String?) {
        if let notice { Terminal.complain(Terminal.printableMessage(notice)) }
    }
}

/// The word that names a playlist.
@MainActor enum PlaylistWord {
    /// An id, an address of VK's, or a row of the last `playlists`.
    static func reference(_ word: String) throws(Ending) -> PlaylistReference {
        if let reference = PlaylistReference(word) { return reference }
        guard let row = RowWord(word), row.single != nil else {
            throw .usage(
                "“\(word)” is no playlist: OWNER_ID, an address such as https://vk.com/music/playlist/…, or a row of "
                    + "`nyanctl playlists`", command: "playlist")
        }
        let found = try row.references(command: "playlist", .playlists) { () throws(ListingFile.Absence) in
            try LastListing.playlists()
        }
        return found[0]
    }
}

/// The one TRACK of a command that may also do without.
@MainActor enum OneTrack {
    /// As it travels; empty = no word was given. A text that matches several tracks means the first.
    static func reference(_ invocation: Invocation, _ daemon: Daemon) throws(Ending) -> String {
        guard !invocation.words.isEmpty else { return "" }
        let found = try TrackWords.any(
            invocation.words, command: invocation.command.name, daemon: daemon, isOne: true)
        if found.words.count > 1 { Terminal.complain("\(found.words.count) tracks match; this is the first") }
        return found.words.first ?? ""
    }
}
