import NyanCore
import NyanDBus
import NyanWire

/// `download`, `downloads`, `cancel`, `retry`.
@MainActor enum DownloadCommands {
    static func download(_ invocation: Invocation) throws(Ending) {
        guard invocation.has("--all") != !invocation.words.isEmpty else {
            throw .usage("download needs tracks, or --all", command: "download")
        }
        let daemon = try Daemon(invocation)
        let member = invocation.has("--all") ? "AddAll" : "Add"
        var wanted: Set<TrackID>?
        var arguments: [BusValue] = []
        if !invocation.has("--all") {
            let tracks = try TrackWords.exact(invocation.words, command: "download")
            wanted = Set(tracks.references.map(\.id))
            arguments = [tracks.busValue]
        }
        let queued = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.downloads, member, arguments, .network).first?.integer ?? 0
        }
        if !invocation.asJSON {
            Terminal.complain(queued == 0 ? "nothing new to download" : "\(queued) queued")
        }
        guard invocation.has("--wait") else { return }
        try Loop.attach(daemon, asJSON: invocation.asJSON)
        Loop.run(asJSON: invocation.asJSON) { () throws(Ending) in
            try await DownloadFollower(daemon, wanted: wanted, asJSON: invocation.asJSON).wait()
        }
    }

    static func downloads(_ invocation: Invocation) throws(Ending) {
        if let verb = invocation.words.first {
            guard verb == "pause" || verb == "resume", !invocation.has("--follow") else {
                throw .usage("downloads has no verb “\(verb)”", command: "downloads")
            }
            let tracks = try TrackWords.exact(Array(invocation.words.dropFirst()), command: "downloads")
            return try send(verb == "pause" ? "Pause" : "Resume", tracks, invocation)
        }
        let daemon = try Daemon(invocation)
        guard invocation.has("--follow") else {
            let rows = try daemon.ask { client throws(ClientFailure) in try client.downloads() }
            return show(rows, invocation)
        }
        try Loop.attach(daemon, asJSON: invocation.asJSON)
        Loop.run(asJSON: invocation.asJSON) { () throws(Ending) in
            try await DownloadFollower(daemon, wanted: nil, asJSON: invocation.asJSON).follow()
        }
    }

    static func cancel(_ invocation: Invocation) throws(Ending) {
        try send("Cancel", try someOrAll(invocation), invocation)
    }

    static func retry(_ invocation: Invocation) throws(Ending) {
        try send("Retry", try someOrAll(invocation), invocation)
    }

    /// `--all` is an empty list on the bus.
    private static func someOrAll(_ invocation: Invocation) throws(Ending) -> SelectedTracks {
        guard invocation.has("--all") != !invocation.words.isEmpty else {
            throw .usage("\(invocation.command.name) needs tracks, or --all", command: invocation.command.name)
        }
        return try TrackWords.exact(invocation.words, command: invocation.command.name)
    }

    private static func send(
        _ member: String, _ tracks: SelectedTracks, _ invocation: Invocation
    ) throws(Ending) {
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.downloads, member, [tracks.busValue])
        }
    }

    private static func show(_ rows: [DownloadReport], _ invocation: Invocation) {
        if invocation.asJSON { return Terminal.print(JSONText.encode(rows.map(DownloadDocument.init))) }
        if rows.isEmpty { return Terminal.complain("no downloads") }
        // Rows are for `cancel 3` and `retry 3`.
        LastListing.remember(rows.map { TrackReference(id: $0.id) })
        for (place, row) in rows.enumerated() { Terminal.print("\(place + 1)  \(DownloadText.line(row))") }
    }
}

/// A download in one line.
@MainActor enum DownloadText {
    static func line(_ row: DownloadReport) -> String {
        let track = Track(id: row.id, artist: row.artist, title: row.title)
        return "\(state(row))  \(TrackTable.name(track))"
    }

    static func state(_ row: DownloadReport) -> String {
        switch row.state {
        case .running: "running \(amount(row))"
        case .failed: "failed: \(Terminal.printable(row.problem?.message ?? "unknown"))"
        case .waiting:
            row.problem.map { "waiting after trouble: \(Terminal.printable($0.message))" } ?? "waiting"
        case .paused, .done: row.state.rawValue
        }
    }

    private static func amount(_ row: DownloadReport) -> String {
        guard let total = row.total, total > 0 else { return ByteText.text(row.received) }
        return "\(min(100, row.received * 100 / total)) %"
    }
}
