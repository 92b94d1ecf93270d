import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `sync`: reads the profile anew and waits. On a terminal a line on standard error shows how far it is.
@MainActor enum SyncCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        // No escape sequences where the output goes elsewhere, as CONTRACT.md says.
        guard isatty(2) == 1, Terminal.canRedraw else {
            let values = try daemon.ask { client throws(ClientFailure) in
                try client.call(NyandInterfaces.library, "Sync", [], .list)
            }
            return try show(values, asJSON: invocation.asJSON)
        }
        try Loop.run(daemon, asJSON: invocation.asJSON) { () throws(Ending) in
            try show(try await watched(daemon), asJSON: invocation.asJSON)
            return 0
        }
    }

    /// The answer, after the progress was shown and taken away again.
    private static func watched(_ daemon: Daemon) async throws(Ending) -> [BusValue] {
        let rule = MatchRule(
            sender: Names.nyand, path: Names.nyandPath, interface: NyandInterfaces.library.name,
            member: "SyncProgress")
        do throws(ClientFailure) {
            // Without the signals it works all the same.
            let signals = try? daemon.client.connection.subscribe(rule) { message in
                let numbers = ((try? message.values()) ?? []).compactMap(\.integer)
                if numbers.count == 2, numbers[1] > 0 { draw("reading \(numbers[0]) of \(numbers[1])") }
            }
            defer {
                signals?.cancel()
                draw("")
            }
            return try await daemon.client.callLater(NyandInterfaces.library, "Sync", [], .list)
        } catch {
            throw Daemon.ending(error)
        }
    }

    /// Replaces what stands in the line.
    private static func draw(_ text: String) { Terminal.prompt("\r\u{1B}[K" + Words.said(text)) }

    private static func show(_ values: [BusValue], asJSON: Bool) throws(Ending) {
        let numbers = values.prefix(4).compactMap(\.integer)
        guard numbers.count == 4, let news = SyncCoding.news(values.dropFirst(4)) else {
            throw Daemon.ending(.misunderstood("Sync"))
        }
        if asJSON {
            return Terminal.print(
                JSONText.encode([
                    "total": numbers[0], "added": numbers[1], "removed": numbers[2], "unavailable": numbers[3],
                ]))
        }
        Terminal.say("\(numbers[0]) tracks, \(numbers[1]) new, \(numbers[2]) removed")
        for change in news.changes { Terminal.complain(Terminal.printableMessage(change.sentence)) }
        if news.more > 0 { Terminal.complain("and \(news.more) more") }
        if numbers[3] > 0 { Terminal.complain("\(numbers[3]) of them unavailable now") }
    }
}
