import NyanCore
import NyanDBus
import NyanWire

/// `add`, `like`, `remove`, `restore`.
@MainActor enum ProfileCommands {
    /// Tracks of one call: few enough that what was done is told now and then.
    private static let portion = 20

    static func add(_ invocation: Invocation) throws(Ending) {
        let tracks = try TrackWords.exact(invocation.words, command: "add")
        let daemon = try Daemon(invocation)
        var outcome = AddReport()
        // The last ones first: each goes to the top, and at the end they stand in the order given.
        var rest = tracks.words[...]
        while !rest.isEmpty {
            let part = Array(rest.suffix(portion))
            rest = rest.dropLast(portion)
            do throws(Ending) {
                let answer = try call(daemon, "Add", [.strings(part)])
                guard let report = AddReport(answer) else { throw Daemon.ending(.misunderstood("Add")) }
                outcome.merge(report)
            } catch {
                // One alone is refused as an error; of what was done before is told all the same.
                if tracks.words.count > part.count { outcome.show(of: tracks.words.count, invocation) }
                throw error
            }
            if outcome.stopped != nil { break }
        }
        outcome.show(of: tracks.words.count, invocation)
        try outcome.end()
    }

    static func like(_ invocation: Invocation) throws(Ending) {
        let answer = try call(try Daemon(invocation), "Like", [])
        guard let report = AddReport(answer) else { throw Daemon.ending(.misunderstood("Like")) }
        report.show(of: 1, invocation)
        try report.end()
    }

    static func remove(_ invocation: Invocation) throws(Ending) {
        let tracks = try TrackWords.exact(invocation.words, command: "remove")
        let answer = try call(try Daemon(invocation), "Remove", [tracks.busValue])
        guard answer.count == 3, let removed = answer[0].strings else { throw Daemon.ending(.misunderstood("Remove")) }
        let rest = Remainder(refused: answer[1], stopped: answer[2])
        if invocation.asJSON {
            Terminal.print(JSONText.encode(RemoveDocument(removed: removed, refused: rest.refused)))
        } else if let only = removed.first, removed.count == 1 {
            Terminal.complain("removed from the profile; `nyanctl restore \(only)` undoes it for some minutes")
        } else if !removed.isEmpty {
            Terminal.complain("\(removed.count) removed from the profile")
        }
        try rest.end(verb: "removed")
    }

    static func restore(_ invocation: Invocation) throws(Ending) {
        let tracks = try TrackWords.exact(invocation.words, command: "restore")
        guard tracks.words.count == 1 else {
            throw .usage("one track is restored at a time, and these are \(tracks.words.count)", command: "restore")
        }
        let answer = try call(try Daemon(invocation), "Restore", [.string(tracks.words[0])])
        guard answer.count == 2, let id = answer[0].string, let wasThere = answer[1].bool else {
            throw Daemon.ending(.misunderstood("Restore"))
        }
        if invocation.asJSON {
            Terminal.print(JSONText.encode(["id": id]))
        } else {
            Terminal.complain(wasThere ? "it is in the profile" : "it is in the profile again, in its place")
        }
    }

    private static func call(
        _ daemon: Daemon, _ member: String, _ arguments: [BusValue]
    ) throws(Ending) -> [BusValue] {
        try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.profile, member, arguments, .many)
        }
    }
}

/// What could not be done of a call's tracks.
struct Remainder {
    var refused: [RefusedDocument] = []
    /// Code and sentence of what kept the rest from being tried.
    var stopped: (code: String, message: String)?

    init() {}

    init(refused value: BusValue, stopped reason: BusValue) {
        refused = (value.elements ?? []).map { row in
            RefusedDocument(id: row[0]?.string ?? "", reason: row[1]?.string ?? "")
        }
        if let code = reason[0]?.string, !code.isEmpty { stopped = (code, reason[1]?.string ?? "") }
    }

    /// Ends the run where something was not done.
    func end(verb: String) throws(Ending) {
        if let stopped {
            let status = Failure.Code(rawValue: stopped.code)?.exitStatus ?? 1
            throw .failed(code: stopped.code, message: "the rest was not \(verb): \(stopped.message)", status: status)
        }
        guard let first = refused.first else { return }
        let reason = first.reason.contains(first.id) ? first.reason : "\(first.id): \(first.reason)"
        throw .failed(
            code: Failure.Code.denied.rawValue, message: "\(refused.count) could not be \(verb): \(reason)", status: 1)
    }
}

/// `{"id","reason"}`.
struct RefusedDocument: Encodable, Equatable {
    var id: String
    var reason: String
}

private struct RemoveDocument: Encodable {
    var removed: [String]
    var refused: [RefusedDocument]
}

/// What `add` did, over all its calls.
struct AddReport {
    /// In the order of the profile.
    var added: [String] = []
    var present: [String] = []
    var rest = Remainder()

    init() {}

    /// nil where the answer has another shape.
    init?(_ answer: [BusValue]) {
        guard answer.count == 4, let added = answer[0].strings, let present = answer[1].strings else { return nil }
        self.added = added
        self.present = present
        rest = Remainder(refused: answer[2], stopped: answer[3])
    }

    var stopped: (code: String, message: String)? { rest.stopped }

    /// Takes a later call's report, which is about tracks that stand above.
    mutating func merge(_ later: AddReport) {
        added = later.added + added
        present = later.present + present
        rest.refused = later.rest.refused + rest.refused
        rest.stopped = later.rest.stopped ?? rest.stopped
    }

    func show(of total: Int, _ invocation: Invocation) {
        if invocation.asJSON {
            Terminal.print(JSONText.encode(AddDocument(added: added, present: present, refused: rest.refused)))
        } else {
            Terminal.complain(words(of: total))
        }
    }

    func words(of total: Int) -> String {
        if total == 1 { return present.isEmpty ? "added to the profile" : "already in the profile" }
        var parts: [String] = []
        if !added.isEmpty || present.isEmpty { parts.append("\(added.count) of \(total) added to the profile") }
        if !present.isEmpty { parts.append("\(present.count) already there") }
        return parts.joined(separator: ", ")
    }

    func end() throws(Ending) { try rest.end(verb: "added") }
}

/// `{"added","present","refused"}`.
private struct AddDocument: Encodable {
    var added: [String]
    var present: [String]
    var refused: [RefusedDocument]
}
