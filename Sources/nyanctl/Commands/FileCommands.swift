import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `export`, `import`.
@MainActor enum FileCommands {
    static func export(_ invocation: Invocation) throws(Ending) {
        let folder = try FolderWord.folder(invocation.words.last ?? "", invocation)
        let daemon = try Daemon(invocation)
        let tracks = try TrackWords.any(Array(invocation.words.dropLast()), command: "export", daemon: daemon)
        let values = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.files, "Export", [tracks.busValue, .string(folder)], .many)
        }
        guard values.count == 5, let exported = values[0].integer, let present = values[1].integer,
            let bytes = values[2].int64
        else { throw Daemon.ending(.misunderstood("Export")) }
        let rest = Remainder(refused: values[3], stopped: values[4])
        if invocation.asJSON {
            Terminal.print(
                JSONText.encode(
                    ExportDocument(exported: exported, present: present, bytes: bytes, refused: rest.refused)))
        } else if exported > 0 || rest.refused.isEmpty {
            let words = "exported \(exported) file\(exported == 1 ? "" : "s"), \(ByteText.text(bytes))"
            Terminal.complain(present > 0 ? words + "; \(present) of them were there already" : words)
        }
        try end(rest, codes: (values[3].elements ?? []).map { $0[2]?.string ?? "" })
    }

    /// As `Remainder.end`, with the first one's own code. `codes`: those of the refused ones.
    private static func end(_ rest: Remainder, codes: [String]) throws(Ending) {
        guard rest.stopped == nil, let first = rest.refused.first else { return try rest.end(verb: "exported") }
        for refused in rest.refused.dropFirst() {
            Terminal.complain(Terminal.printableMessage("\(refused.id): \(refused.reason)"))
        }
        let code = codes.first ?? Failure.Code.notFound.rawValue
        throw .failed(
            code: code, message: "\(first.id): \(first.reason)",
            status: Failure.Code(rawValue: code)?.exitStatus ?? 1)
    }

    static func importFolder(_ invocation: Invocation) throws(Ending) {
        let folder = try FolderWord.folder(invocation.words[0], invocation)
        let daemon = try Daemon(invocation)
        // No escape sequences where the output goes elsewhere, as CONTRACT.md says.
        guard isatty(2) == 1, Terminal.canRedraw, !invocation.asJSON else {
            let values = try daemon.ask { client throws(ClientFailure) in
                try client.call(NyandInterfaces.files, "Import", [.string(folder)], .many)
            }
            return try show(values, invocation)
        }
        try Loop.run(daemon, asJSON: invocation.asJSON) { () throws(Ending) in
            try show(try await watched(daemon, folder), invocation)
            return 0
        }
    }

    /// The answer, after the progress was shown and taken away again.
    private static func watched(_ daemon: Daemon, _ folder: String) async throws(Ending) -> [BusValue] {
        let rule = MatchRule(
            sender: Names.nyand, path: Names.nyandPath, interface: NyandInterfaces.files.name,
            member: "ImportProgress")
        do throws(ClientFailure) {
            // Without the signals it works all the same.
            let signals = try? daemon.client.connection.subscribe(rule) { message in
                let numbers = ((try? message.values()) ?? []).compactMap(\.integer)
                if numbers.count == 2, numbers[1] > 0 { draw("importing \(numbers[0]) of \(numbers[1])") }
            }
            defer {
                signals?.cancel()
                draw("")
            }
            return try await daemon.client.callLater(NyandInterfaces.files, "Import", [.string(folder)], .many)
        } catch {
            throw Daemon.ending(error)
        }
    }

    /// Replaces what stands in the line.
    private static func draw(_ text: String) { Terminal.prompt("\r\u{1B}[K" + Words.said(text)) }

    private static func show(_ values: [BusValue], _ invocation: Invocation) throws(Ending) {
        guard values.count == 5, let imported = values[0].integer, let known = values[1].integer,
            let count = values[2].integer
        else {
            throw Daemon.ending(.misunderstood("Import"))
        }
        let rest = Remainder(refused: values[3], stopped: values[4])
        let skipped = rest.refused.map { SkippedDocument(path: $0.id, reason: $0.reason) }
        if invocation.asJSON {
            Terminal.print(JSONText.encode(ImportDocument(imported: imported, known: known, skipped: skipped)))
        } else {
            for file in skipped { Terminal.complain(Terminal.printableMessage("skipped \(file.path): \(file.reason)")) }
            if count > skipped.count { Terminal.complain("skipped \(count - skipped.count) more") }
            Terminal.complain(words(imported: imported, known: known, skipped: count))
        }
        if let stopped = rest.stopped {
            throw .failed(
                code: stopped.code, message: "the rest was not imported: \(stopped.message)",
                status: Failure.Code(rawValue: stopped.code)?.exitStatus ?? 1)
        }
    }

    static func words(imported: Int, known: Int, skipped: Int) -> String {
        if imported + known + skipped == 0 { return "there are no sound files in this folder" }
        var words = "imported \(imported) file\(imported == 1 ? "" : "s")"
        if known > 0 { words += ", \(known) known already" }
        if skipped > 0 { words += ", \(skipped) skipped" }
        return words
    }
}

/// A word that names a folder.
enum FolderWord {
    /// - Throws: where it names nothing, such as a variable that is not set: that is not meant to be the current folder.
    @MainActor static func folder(_ word: String, _ invocation: Invocation) throws(Ending) -> String {
        guard !word.isEmpty else { throw .usage("a folder has a name", command: invocation.command.name) }
        return absolute(word)
    }

    /// The path from the root; the daemon runs in another folder.
    static func absolute(_ word: String) -> String {
        var path = word[...]
        while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return String(path) }
        defer { free(folder) }
        let current = String(cString: folder)
        return path.isEmpty || path == "." ? current : (current == "/" ? "/" : current + "/") + path
    }
}

/// `{"exported","present","bytes","refused"}`; `exported` counts `present` in.
private struct ExportDocument: Encodable {
    var exported: Int
    var present: Int
    var bytes: Int64
    var refused: [RefusedDocument]
}

/// `{"imported","known","skipped"}`.
private struct ImportDocument: Encodable {
    var imported: Int
    var known: Int
    var skipped: [SkippedDocument]
}

/// `{"path","reason"}`.
private struct SkippedDocument: Encodable {
    var path: String
    var reason: String
}
