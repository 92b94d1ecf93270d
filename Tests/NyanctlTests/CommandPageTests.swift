import NyanCore
import Testing

@testable import nyanctl

/// Words of a line as a shell would take it apart: blanks, single quotes, nothing else that an example may use.
private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
        switch character {
        case "'":
            isQuoted.toggle()
            word = word ?? ""
        case " " where !isQuoted:
            if let done = word { words.append(done) }
            word = nil
        default: word = (word ?? "") + String(character)
        }
    }
    return words + [word].compactMap { $0 }
}

@Suite("What is known of commands")
struct CommandPageTests {
    @Test("every command has a page with an example, and every page is a command's")
    func whole() {
        for command in CommandTable.all {
            #expect(!command.manual.forms.isEmpty && !command.manual.examples.isEmpty, "\(command.name)")
        }
        #expect(CommandPages.names.allSatisfy { CommandTable.command($0) != nil })
    }

    @Test("every example is a line that can be run, of the command whose page it is on")
    func examples() throws {
        for command in CommandTable.all {
            for example in command.manual.examples {
                let words = shellWords(example.line)
                #expect(words.first == "nyanctl")
                let invocation = try CommandLineParser.parse(Array(words.dropFirst()))
                #expect(invocation.command.name == command.name, "\(example.line)")
                // What is not in the commands' own words would have to be quoted.
                #expect(!example.line.contains { "\"\\$`;&<>()".contains($0) }, "\(example.line)")
            }
        }
    }

    @Test("the usage line and the number of words are what the forms say")
    func agree() {
        for command in CommandTable.all {
            let forms = command.manual.forms
            #expect(forms.usage == command.arguments, "\(command.name)")
            let least = forms.map(\.least).min() ?? 0
            let most = forms.contains { $0.most == nil } ? Int.max : forms.compactMap(\.most).max() ?? 0
            let (tableLeast, tableMost) =
                switch command.arity {
                case .none: (0, 0)
                case .any: (0, Int.max)
                case .between(let least, let most): (least, most)
                case .atLeast(let least): (least, Int.max)
                }
            #expect((least, most) == (tableLeast, tableMost), "\(command.name)")
        }
    }

    @Test("letters of options are there once in a command, and none is taken by all of them")
    func letters() {
        for command in CommandTable.all {
            let letters = (command.options + CommandTable.everywhere).compactMap(\.letter)
            #expect(Set(letters).count == letters.count, "\(command.name)")
        }
    }

    private func complaint(_ line: [String]) -> String {
        do throws(Ending) {
            _ = try CommandLineParser.parse(line)
            return ""
        } catch {
            guard case .usage(let sentence, _) = error else { return "\(error)" }
            return sentence
        }
    }

    @Test(
        "what is not there is asked about: slips, beginnings, other players' words, the forgotten layout",
        arguments: [
            (["plya"], "there is no command “plya”: did you mean `play`?"),
            (["здфн"], "there is no command “здфн”: did you mean `play`?"),
            (["ыуфкср", "x"], "there is no command “ыуфкср”: did you mean `search`?"),
            (["ЗДФН"], "there is no command “ЗДФН”: did you mean `play`?"),
            (["Play"], "there is no command “Play”: did you mean `play`?"),
            (["serach"], "there is no command “serach”: did you mean `search`?"),
            (["prof"], "there is no command “prof”: did you mean `profile`?"),
            (["previous"], "there is no command “previous”: did you mean `prev`?"),
            (["gui"], "there is no command “gui”: did you mean `ui`?"),
            (["skip"], "there is no command “skip”: did you mean `next`?"),
            (["musik"], "there is no command “musik”: did you mean `music`?"),
            (["playlits"], "there is no command “playlits”: did you mean `playlists`, `playlist`?"),
            (["xyzzy"], "there is no command “xyzzy”"), (["ёлки"], "there is no command “ёлки”"),
            (["🎵"], "there is no command “🎵”"), ([""], "there is no command “”"),
            ([String(repeating: "a", count: 5000)], "there is no command “\(String(repeating: "a", count: 5000))”"),
            (["search", "x", "--cuont", "5"], "search has no option --cuont: did you mean `--count`?"),
            (["status", "--folow"], "status has no option --folow: did you mean `--follow`?"),
            (["search", "x", "--jsno"], "search has no option --jsno: did you mean `--json`?"),
            (["pause", "-x"], "pause has no option -x; words that begin with - go behind --"),
            (["--hepl"], "unknown option --hepl: did you mean `--help`?"),
            (["--count", "5"], "unknown option --count; a command's own options follow it"),
            (["queue", "ad", "1"], "queue has no verb “ad”: did you mean `add`?"),
            (["queue", "ьщму", "1"], "queue has no verb “ьщму”: did you mean `move`?"),
            (["queue", "5"], "queue has no verb “5”"),
            (["downloads", "puase"], "downloads has no verb “puase”: did you mean `pause`?"),
            (["scrobble", "loign"], "scrobble has no verb “loign”: did you mean `login`?"),
        ])
    func nearest(line: [String], sentence: String) { #expect(complaint(line) == sentence) }

    @Test(
        "a word too few is named, a word too many is quoted",
        arguments: [
            (["seek"], "seek needs [+|-]TIME"), (["search"], "search needs TEXT"),
            (["queue", "add"], "queue add needs TRACK…"), (["queue", "move"], "queue move needs FROM TO"),
            (["queue", "move", "4"], "queue move needs TO"),
            (["queue", "clear", "now"], "queue clear has no use for “now”"),
            (["queue", "move", "1", "2", "3"], "queue move has no use for “3”"),
            (
                ["playlist"],
                "playlist needs ID [FILTER] | create TITLE | rename ID TITLE | delete ID | add ID TRACK… | remove ID TRACK…"
            ),
            (["playlist", "create"], "playlist create needs TITLE"),
            (["playlist", "rename", "1"], "playlist rename needs TITLE"),
            (["playlist", "add", "1"], "playlist add needs TRACK…"),
            (["playlist", "delete", "1", "2"], "playlist delete has no use for “2”"),
            (["export"], "export needs TRACK… DIR"), (["export", "3"], "export needs DIR"),
            (["scrobble", "login"], "scrobble login needs listenbrainz|lastfm"),
            (["offline"], "offline needs on|off"), (["unkeep"], "unkeep needs PLAYLIST|profile"),
            (["pause", "now"], "pause has no use for “now”"), (["lyrics", "a", "b"], "lyrics has no use for “b”"),
        ])
    func counted(line: [String], sentence: String) { #expect(complaint(line) == sentence) }

    @Test(
        "options may stand anywhere and in every form that GNU's programs take",
        arguments: [
            (["search", "-n5", "a"], ["--count": "5"]), (["search", "-n", "5", "a"], ["--count": "5"]),
            (["search", "a", "-n=5"], ["--count": "5"]), (["search", "a", "--count", "5"], ["--count": "5"]),
            (["search", "--count=5", "a"], ["--count": "5"]), (["search", "--count=", "a"], ["--count": ""]),
            (["downloads", "-f"], ["--follow": ""]), (["status", "--follow", "--json"], ["--follow": ""]),
            (["profile", "--owner", "-88"], ["--owner": "-88"]), (["search", "a", "--", "-n5"], [:]),
            (["play", "-2001550144_92550144"], [:]), (["--timeout=3", "seek", "-10"], [:]),
        ])
    func options(line: [String], options: [String: String]) throws {
        #expect(try CommandLineParser.parse(line).options == options)
    }

    @Test("a switch takes no value, and -V is --version")
    func switches() throws {
        #expect(complaint(["downloads", "-fx"]) == "--follow takes no value")
        #expect(complaint(["search", "-n"]) == "--count needs a value")
        #expect(try CommandLineParser.parse(["-V"]).command.name == "--version")
        #expect(try CommandLineParser.parse(["--help", "queue"]).words == ["queue"])
        #expect(try CommandLineParser.parse(["queue", "--help", "--json"]).asJSON)
    }
}
