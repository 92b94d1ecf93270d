import NyanCore
import Testing

@testable import nyanctl

@Suite("What a shell is offered")
struct CompletionTests {
    private func words(_ line: String...) -> [String] { CompletionPlan(line).candidates.map(\.word) }

    @Test("commands, then what may stand behind them")
    func places() {
        #expect(words("") == CommandTable.all.map(\.name))
        #expect(words("--json", "--timeout", "5", "fri") == ["friends"])
        #expect(words("help", "fri") == ["friends"])
        #expect(words("queue", "") == ["add", "remove", "move", "clear"])
        #expect(words("queue", "add", "") == [])
        #expect(words("repeat", "") == ["off", "track", "queue"] && words("repeat", "off", "") == [])
        #expect(words("scrobble", "login", "l") == ["listenbrainz", "lastfm"])
        #expect(words("sleep", "") == ["track", "off"])
        #expect(words("nonsense", "") == [] && words("pause", "") == [])
        #expect(CompletionPlan(["import", ""]).files == .folders)
        #expect(CompletionPlan(["play", ""]).files == .files)
        #expect(CompletionPlan(["search", ""]).files == .none)
        // A folder may follow the tracks at any place.
        let export = CompletionPlan(["export", "1", ""])
        #expect(export.files == .folders && export.kinds == [.found])
        #expect(CompletionPlan(["export", ""]).files == .none)
    }

    @Test("options of the command and of all, also letters and values")
    func options() {
        #expect(words("search", "--") == ["--count", "--artist", "--json", "--timeout", "--no-pager", "--help"])
        #expect(words("--") == ["--json", "--timeout", "--no-pager", "--help", "--version"])
        #expect(words("search", "--count", "") == [] && words("search", "-n", "") == [])
        #expect(words("status", "--format", "@w") == ["@waybar"])
        #expect(words("status", "--format=@w") == ["--format=@waybar"])
        #expect(CompletionPlan(["download", "--playlist", "1"]).kinds == [.playlist])
        #expect(CompletionPlan(["profile", "--owner", ""]).kinds == [.person])
        #expect(words("search", "--", "--") == [])
        #expect(CompletionPlan(["remove", "-"]).kinds == [.track] && words("remove", "-").first == "--json")
        // An id is no option.
        #expect(CompletionPlan(["play", "-20"]).kinds == [.sound])
        #expect(CompletionPlan(["search", "--count=5", ""]).candidates == [])
    }

    @Test("the kinds are those of the forms: what removes takes ids and rows only")
    func kinds() {
        #expect(
            CompletionPlan(["remove", ""]).kinds == [.track] && CompletionPlan(["delete", "1", ""]).kinds == [.track])
        #expect(CompletionPlan(["cancel", ""]).kinds == [.download])
        #expect(CompletionPlan(["queue", "remove", "1", ""]).kinds == [.position])
        #expect(CompletionPlan(["playlist", "add", ""]).kinds == [.playlist])
        #expect(CompletionPlan(["playlist", "add", "1", ""]).kinds == [.track])
        #expect(CompletionPlan(["keep", ""]).kinds == [.playlist] && words("keep", "p") == ["profile"])
    }

    private func answers(_ line: [String], rows: [String] = [], _ known: [(String, String)]) -> [Candidate] {
        CompletionAnswers(CompletionPlan(line), most: 5).candidates(
            rows: { rows }, playlistRows: { [] }
        ) { _, _, _ in known }
    }

    @Test("rows of the last listing have their titles beside them; the beginning of an id finds ids")
    func rows() {
        let rows = ["1_2", "-3_4_key", "1_5"]
        let known = [("1_2", "a – b"), ("-3_4", "c – d")]
        #expect(
            answers(["remove", ""], rows: rows, known)
                == [Candidate("1", "a – b"), Candidate("2", "c – d"), Candidate("3")])
        #expect(answers(["remove", "1_"], rows: rows, known) == [Candidate("1_2", "a – b"), Candidate("1_5")])
        #expect(answers(["play", "-"], rows: rows, known) == [Candidate("-3_4_key", "c – d")])
        #expect(answers(["remove", "abc"], rows: rows, known) == [])
        let many = (1...100).map { "1_\($0)" }
        #expect(answers(["remove", ""], rows: many, []).count == 5)
        for typed in ["", "1", "12", "100", "0", "7", "99999"] {
            for (last, most) in [(0, 5), (1, 5), (130, 60), (1000, 7)] {
                let wanted = (0..<last).map { $0 + 1 }.filter { "\($0)".hasPrefix(typed) }.prefix(most)
                #expect(CompletionAnswers.numbers(beginningWith: typed, upTo: last, most) == Array(wanted))
            }
        }
    }

    @Test("titles go on from what is typed, letter by letter, whatever the case")
    func titles() {
        let known = [("Ёлка", "Прованс $(id) `x` \"'\u{1B}[31m\nend"), ("елка", "b")]
        let found = answers(["play", "ёлк"], known)
        #expect(found.map(\.word) == ["ёлка", "ёлка Прованс $(id) `x` \"' [31m end", "ёлка b"])
        // Only what finds the track again, and is a text to `play`.
        #expect(answers(["play", "soft"], [("soft\u{AD}ly", "a\u{200B}b")]).map(\.word) == ["softly", "softly ab"])
        for name in ["1_2", "12-15", "vk.com/durov", "https://example.org/x", "file:x", "/etc/passwd", "a\u{202E}b"] {
            #expect(answers(["play", String(name.prefix(1))], [(name, "")]) == [], "\(name)")
        }
        #expect(answers(["play", "прОВ"], known).first?.word == "прОВанс $(id) `x` \"' [31m end")
        #expect(answers(["remove", "ёлк"], known) == [])
        for text in ["", "a", "strasse", "e\u{301}"] {
            #expect(
                CompletionAnswers.rest(of: "Straße é", behind: text)
                    == (text == "strasse" ? " é" : text.isEmpty ? "Straße é" : nil))
        }
    }

    @Test("foreign text stays on its line and moves no cursor")
    func plain() {
        #expect(CompletionAnswers.plain("a\u{1B}[2J\n\tb\u{202E}c\u{7}\u{2028}") == "a [2J bc")
    }
}
