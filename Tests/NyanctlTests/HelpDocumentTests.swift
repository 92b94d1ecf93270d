import FoundationEssentials
import NyanCore
import Testing

@testable import nyanctl

@Suite("Help as data")
struct HelpDocumentTests {
    private struct Read: Decodable {
        struct Option: Decodable {
            var name: String
            var value: String?
            var summary: String
        }
        struct Command: Decodable {
            var name: String
            var arguments: String
            var summary: String
            var options: [Option]
        }
        var usage: String
        var commands: [Command]
    }

    @Test("help --json has every command and option of the table, in its order")
    func whole() throws {
        let text = JSONText.encode(HelpDocument.all)
        let read = try JSONDecoder().decode(Read.self, from: Array(text.utf8).withUnsafeBytes { Data($0) })
        #expect(read.usage == HelpText.usage)
        #expect(read.commands.map(\.name) == CommandTable.all.map(\.name))
        for (document, command) in zip(read.commands, CommandTable.all) {
            #expect(document.arguments == command.arguments)
            #expect(document.summary == command.summary)
            #expect(
                document.options.map { Command.Option(name: $0.name, value: $0.value, summary: $0.summary) }
                    == command.options)
        }
    }

    @Test("A switch has the value null, an option without a letter the letter null; forms say what stands where")
    func one() throws {
        let command = try #require(CommandTable.command("offline"))
        #expect(
            JSONText.encode(CommandDocument(command)) == """
                {"arguments":"on|off","examples":[{"line":"nyanctl offline on","note":"no network at all"},\
                {"line":"nyanctl offline off","note":"back again"}],"forms":[[{"kind":"fixed","many":false,"name":"",\
                "optional":false,"words":["on","off"]}]],"name":"offline","options":[],"subject":"account",\
                "summary":"stay off the network: only My Music","text":["It holds over restarts, until `offline off`."],\
                "usages":["on|off"]}
                """)
        let search = try #require(CommandTable.command("search"))
        let text = JSONText.encode(CommandDocument(search))
        #expect(
            text.contains(
                "{\"letter\":\"-n\",\"name\":\"--count\",\"summary\":\"how many at most (30)\",\"value\":\"N\"}"))
        #expect(text.contains("{\"letter\":null,\"name\":\"--artist\",\"summary\":\"by artist only\",\"value\":null}"))
    }
}
