import NyanCore
import NyanDBus
import NyanWire

/// `download`, `downloads`, `cancel`, `retry`.
@MainActor enum DownloadCommands {
    static func download(_ invocation: Invocation) throws(Ending) {
        let list = try DownloadList(invocation)
        let tracks = try TrackWords.exact(invocation.words, command: "download")
        let daemon = try Daemon(invocation)
        let answer = try daemon.ask { client throws(ClientFailure) in
            try client.call(
                NyandInterfaces.downloads, list?.member ?? "Add", [list?.argument ?? tracks.busValue], .network)
        }
        let queued = answer.first?.integer ?? 0
        let refused = answer.dropFirst().first?.elements ?? []
        let named = list == nil ? Set(tracks.references.map(\.id)).count : nil
        let words = DownloadWords.queued(queued, named: named, refused: refused.count)
        if !invocation.asJSON, let words { Terminal.complain(words) }
        if !invocation.asJSON { list?.tell(answer, refused) }
        guard invocation.has("--wait") else {
            CountDocument.print("queued", answer, invocation)
            return list == nil ? try tell(refused) : ()
        }
        let wanted = list != nil ? DownloadList.coming(answer) : try standing(tracks, daemon)
        try Loop.run(daemon, asJSON: invocation.asJSON) { () throws(Ending) in
            try await DownloadWaiter(daemon, invocation).wait(for: wanted)
        }
    }

    /// The ids whose rows tell of these tracks.
    private static func standing(_ tracks: SelectedTracks, _ daemon: Daemon) throws(Ending) -> [TrackID] {
        let answer = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.downloads, "Standing", [tracks.busValue])
        }
        let ids = (answer.first?.strings ?? []).compactMap { TrackID($0) }
        return ids.count == tracks.words.count ? ids : tracks.references.map(\.id)
    }

    /// Ends the run where some of the named tracks cannot be had; with `--wait` the rows tell of them.
    private static func tell(_ refused: [BusValue]) throws(Ending) {
        guard let first = refused.first else { return }
        let reason = first[1]?.string ?? ""
        throw .failed(
            code: Failure.Code.unavailableTrack.rawValue, message: "\(refused.count) cannot be had: \(reason)",
            status: 1)
    }

    static func downloads(_ invocation: Invocation) throws(Ending) {
        if let verb = invocation.words.first {
            guard verb == "pause" || verb == "resume" else {
                throw .usage("downloads has no verb “\(verb)”", command: "downloads")
            }
            guard !invocation.has("--follow") else {
                throw .usage("--follow belongs to `downloads` alone", command: "downloads")
            }
            let tracks = try TrackWords.exact(Array(invocation.words.dropFirst()), command: "downloads")
            let isPause = verb == "pause"
            return try send(isPause ? "Pause" : "Resume", tracks, invocation, counted: isPause ? "paused" : "resumed")
        }
        let daemon = try Daemon(invocation)
        guard invocation.has("--follow") else {
            return try show(try list(daemon), daemon, invocation)
        }
        try Loop.run(daemon, asJSON: invocation.asJSON) { () throws(Ending) in
            try await DownloadFollower(daemon, asJSON: invocation.asJSON).run()
        }
    }

    private static func list(_ daemon: Daemon) throws(Ending) -> [DownloadReport] {
        try daemon.ask { client throws(ClientFailure) in try client.downloads() }
    }

    static func cancel(_ invocation: Invocation) throws(Ending) {
        try send("Cancel", try someOrAll(invocation), invocation, counted: "cancelled")
    }

    static func retry(_ invocation: Invocation) throws(Ending) {
        try send("Retry", try someOrAll(invocation), invocation, counted: "retried")
    }

    /// `--all` is an empty list on the bus.
    private static func someOrAll(_ invocation: Invocation) throws(Ending) -> SelectedTracks {
        guard invocation.has("--all") != !invocation.words.isEmpty else {
            throw .usage("\(invocation.command.name) needs tracks, or --all", command: invocation.command.name)
        }
        return try TrackWords.exact(invocation.words, command: invocation.command.name)
    }

    /// `counted` names the number in the answer, for JSON.
    private static func send(
        _ member: String, _ tracks: SelectedTracks, _ invocation: Invocation, counted: String
    ) throws(Ending) {
        let answer = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.downloads, member, [tracks.busValue])
        }
        if invocation.asJSON { return CountDocument.print(counted, answer, invocation) }
        if let count = answer.first?.integer { Terminal.complain(DownloadWords.done(member, count)) }
    }

    private static func show(_ rows: [DownloadReport], _ daemon: Daemon, _ invocation: Invocation) throws(Ending) {
        if invocation.asJSON { return Terminal.print(JSONText.encode(rows.map { DownloadDocument($0) })) }
        // Rows are for `cancel 3` and `retry 3`; an empty list has none either.
        LastListing.remember(rows.map { TrackReference(id: $0.id) })
        if rows.isEmpty { return Terminal.complain("no downloads") }
        Pager.show(DownloadTable.lines(rows, columns: Terminal.columns))
        if Terminal.outputIsTerminal, rows.count > 1 { Terminal.complain(DownloadText.summary(rows)) }
        guard rows.contains(where: { $0.state == .waiting }), !rows.contains(where: { $0.state == .running }) else {
            return
        }
        let status = try daemon.ask { client throws(ClientFailure) in try client.status() }
        if let why = DownloadWords.standstill(status) { Terminal.complain(Terminal.printableMessage(why)) }
    }
}
