import Testing

@testable import nyanctl

@Suite("The command line")
struct ParserTests {
    @Test(
        "Options may stand behind the command, values behind a space or an equals sign",
        arguments: [
            (["--json", "status"], "status", [], [:], true, nil),
            (["status", "--json"], "status", [], [:], true, nil),
            (["--timeout", "0.5", "pause"], "pause", [], [:], false, 0.5),
            (["pause", "--timeout=0.5"], "pause", [], [:], false, 0.5),
            (["play", "-2001550144_92550144"], "play", ["-2001550144_92550144"], [:], false, nil),
            (["play", "-1_2_ab", "3", "some text"], "play", ["-1_2_ab", "3", "some text"], [:], false, nil),
            (["seek", "-10"], "seek", ["-10"], [:], false, nil),
            (["seek", "-1:30"], "seek", ["-1:30"], [:], false, nil),
            (["volume", "-10", "--json"], "volume", ["-10"], [:], true, nil),
            (["volume", "+5"], "volume", ["+5"], [:], false, nil),
            (["profile", "--owner", "-88"], "profile", [], ["--owner": "-88"], false, nil),
            (["profile", "--owner=-88", "rock"], "profile", ["rock"], ["--owner": "-88"], false, nil),
            (["search", "--count=5", "a", "b"], "search", ["a", "b"], ["--count": "5"], false, nil),
            (["search", "--", "--json"], "search", ["--json"], [:], false, nil),
            (["search", "-"], "search", ["-"], [:], false, nil),
            (["status", "--format", "{title}"], "status", [], ["--format": "{title}"], false, nil),
            (["status", "--format=--{title}"], "status", [], ["--format": "--{title}"], false, nil),
            (["download", "--all", "--wait"], "download", [], ["--all": "", "--wait": ""], false, nil),
            (["queue", "add", "1", "--next"], "queue", ["add", "1"], ["--next": ""], false, nil),
            (["--", "pause"], "pause", [], [:], false, nil),
            (["play", "--help"], "help", ["play"], [:], false, nil),
            (["-h"], "help", [], [:], false, nil),
            (["play", ""], "play", [""], [:], false, nil),
        ] as [([String], String, [String], [String: String], Bool, Double?)])
    func parses(
        line: [String], name: String, words: [String], options: [String: String], asJSON: Bool, timeout: Double?
    ) throws {
        let invocation = try CommandLineParser.parse(line)
        #expect(invocation.command.name == name)
        #expect(invocation.words == words)
        #expect(invocation.options == options)
        #expect(invocation.asJSON == asJSON)
        #expect(invocation.timeout == timeout.map { .seconds($0) })
    }

    @Test(
        "What is wrong ends as wrong usage and names the command where it is known",
        arguments: [
            ([], nil), (["--json"], nil), (["nonsense"], nil), (["nonsense", "--wait"], nil),
            (["--nonsense"], nil), (["-x", "pause"], nil), (["--wait", "download"], nil),
            (["pause", "--nonsense"], "pause"), (["pause", "-x"], "pause"), (["pause", "now"], "pause"),
            (["pause", "--json=yes"], "pause"), (["download", "--wait=yes", "1_2"], "download"),
            (["seek"], "seek"), (["seek", "1", "2"], "seek"), (["offline"], "offline"), (["search"], "search"),
            (["delete"], "delete"), (["search", "a", "--count"], "search"),
            (["search", "a", "--count", "--json"], "search"), (["search", "a", "--", "--count"], "-"),
            (["--timeout", "pause"], nil), (["--timeout"], nil), (["--timeout=0", "pause"], nil),
            (["--timeout=-1", "pause"], nil), (["--timeout=nan", "pause"], nil), (["--timeout=0x10", "pause"], nil),
            (["--timeout=1e9", "pause"], nil),
        ] as [([String], String?)])
    func refuses(line: [String], named: String?) throws {
        // "-" marks a line that is right: everything behind -- is a word.
        if named == "-" {
            #expect(try CommandLineParser.parse(line).words == ["a", "--count"])
            return
        }
        let error = #expect(throws: Ending.self) { try CommandLineParser.parse(line) }
        guard case .usage(_, let command) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(command == named)
    }

    @Test(
        "--version stands anywhere before --, alone or beside others",
        arguments: [
            ["--version"], ["--version", "--json"], ["--json", "--version"], ["pause", "--version"],
            ["--timeout=1", "--version"],
        ])
    func version(line: [String]) throws {
        let invocation = try CommandLineParser.parse(line)
        #expect(invocation.command.name == "--version" && invocation.asJSON == line.contains("--json"))
        #expect(throws: Ending.self) { try CommandLineParser.parse(["--version=1"]) }
        #expect(try CommandLineParser.parse(["search", "--", "--version"]).words == ["--version"])
    }

    @Test("Errors go out as JSON wherever --json stands, but not as a word behind --")
    func asksForJSON() {
        #expect(CommandLineParser.asksForJSON(["nonsense", "--json"]))
        #expect(!CommandLineParser.asksForJSON(["search", "--", "--json"]))
        #expect(!CommandLineParser.asksForJSON(["search", "json"]))
    }

    @Test("Command names are there once, and every option is in its usage line")
    func table() {
        let names = CommandTable.all.map(\.name)
        #expect(Set(names).count == names.count)
        for command in CommandTable.all {
            for option in command.options { #expect(command.usage.contains("[\(option.name)")) }
        }
    }
}
