import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `keep`, `unkeep`.
@MainActor enum KeepCommands {
    static func keep(_ invocation: Invocation) throws(Ending) {
        guard let word = invocation.words.first else { return try list(invocation) }
        let answer = try call("Keep", [.string(try name(word, invocation))], invocation)
        guard answer.count == 3, let rule = KeepCoding.rule(answer[0]), let queued = answer[1].integer,
            let notice = answer[2].string
        else { throw Daemon.ending(.misunderstood("Keep")) }
        if invocation.asJSON {
            Terminal.print(JSONText.encode(KeptDocument(rule, queued: queued)))
        } else {
            Terminal.complain(KeepText.began(rule, queued: queued, name: Terminal.printableMessage))
        }
        if !notice.isEmpty { Terminal.complain(Terminal.printableMessage(notice)) }
    }

    static func unkeep(_ invocation: Invocation) throws(Ending) {
        let list = try name(invocation.words[0], invocation)
        let deleting = invocation.has("--delete")
        if invocation.has("--yes") && !deleting {
            throw .usage("--yes belongs to --delete: without it nothing is deleted", command: "unkeep")
        }
        if deleting, !invocation.has("--yes") {
            guard !invocation.asJSON, Terminal.inputIsTerminal else {
                throw .usage("nobody can be asked here: add --yes to delete the files", command: "unkeep")
            }
            let preview = try call("Preview", [.string(list)], invocation)
            guard preview.count == 2, let files = preview[0].integer, let bytes = preview[1].int64 else {
                throw Daemon.ending(.misunderstood("Preview"))
            }
            guard files == 0 || isAgreed(KeepText.question(files, bytes)) else {
                throw .failed(
                    code: Failure.Code.cancelled.rawValue, message: "nothing was changed: \(list) is kept", status: 1)
            }
        }
        let answer = try call("Unkeep", [.string(list), .bool(deleting)], invocation, deleting ? .many : .network)
        let numbers = answer.compactMap { $0.int64 ?? $0.integer.map(Int64.init) }
        guard numbers.count == 4 else { throw Daemon.ending(.misunderstood("Unkeep")) }
        let outcome = UnkeptDocument(
            unkept: list, cancelled: numbers[0], deleted: numbers[1], bytes: numbers[2], staying: numbers[3])
        if invocation.asJSON { return Terminal.print(JSONText.encode(outcome)) }
        for line in KeepText.ended(outcome, deleting: deleting) { Terminal.complain(line) }
    }

    private static func list(_ invocation: Invocation) throws(Ending) {
        let answer = try call("List", [], invocation)
        guard let rules = answer.first.flatMap(KeepCoding.rules) else {
            throw Daemon.ending(.misunderstood("List"))
        }
        if invocation.asJSON {
            return Terminal.print(JSONText.encode(rules.map { KeptDocument($0) }))
        }
        if rules.isEmpty {
            return Terminal.complain("nothing is kept: `nyanctl keep profile` keeps everything you have saved")
        }
        Pager.show(rules.map { KeepText.row($0, name: Terminal.printable) })
    }

    /// `profile`, a playlist's id or address, or a row of the last `playlists`.
    private static func name(_ word: String, _ invocation: Invocation) throws(Ending) -> String {
        if word == "profile" { return word }
        do throws(Ending) {
            return try PlaylistWord.reference(word).description
        } catch .usage {
            throw .usage(
                "“\(word)” is neither “profile” nor a playlist: OWNER_ID, its address at VK, or a row of "
                    + "`nyanctl playlists`", command: invocation.command.name)
        }
    }

    /// Asks on the terminal; only a yes is one.
    private static func isAgreed(_ question: String) -> Bool {
        Terminal.prompt("\(Words.said(question)) [y/N] ")
        let answer = (readLine() ?? "").lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes" || Words.isYes(answer)
    }

    private static func call(
        _ member: String, _ arguments: [BusValue], _ invocation: Invocation, _ patience: NyanClient.Patience = .network
    ) throws(Ending) -> [BusValue] {
        try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.keep, member, arguments, patience)
        }
    }
}
