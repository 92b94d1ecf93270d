import Testing

@testable import nyanctl

@Suite("Hints that stop")
struct HintTests {
    @Test("Each is told three times, and no more once it was done; the file keeps both")
    func book() {
        for hint in HintBook.Hint.allCases {
            var book = HintBook()
            for _ in 0..<HintBook.most {
                #expect(book.isDue(hint))
                book.told(hint)
                book = HintBook(book.text)
            }
            #expect(!book.isDue(hint))
            var other = HintBook()
            other.did(hint)
            other = HintBook(other.text)
            #expect(!other.isDue(hint) && HintBook.Hint.allCases.filter { !other.isDue($0) } == [hint])
        }
    }

    @Test(
        "A damaged file, or another version's, is as good as what can be read of it",
        arguments: [
            ("", ""), ("rows 2\nnews 7\n", "rows 2\n"), ("rows\nlogin x\nplayer 1 2\n", ""), ("rows -5\n", "rows 0\n"),
            ("rows 999999999999999999999999\nlogin 4000\n", "login 99\n"), ("\u{0}\u{1b}[2J rows 1", ""),
        ])
    func reading(text: String, read: String) { #expect(HintBook(text).text == read) }

    @Test(
        "What a command teaches, and what it shows to be known",
        arguments: [
            ("login", [], [.login], nil), ("profile", [], [], .rows), ("play", [], [], .player),
            ("play", ["1"], [.rows], .player), ("download", ["1"], [.rows], .downloads),
            ("downloads", [], [.downloads], nil), ("player", [], [.player], nil), ("doctor", [], [.doctor], nil),
            ("volume", [], [], nil), ("status", [], [], nil),
        ] as [(String, [String], [HintBook.Hint], HintBook.Hint?)])
    func lessons(command: String, words: [String], known: [HintBook.Hint], next: HintBook.Hint?) {
        #expect(HintBook.lesson(of: command, words: words, hasRows: true) == .init(known: known, next: next))
    }

    @Test("An empty listing has no rows to speak of; a status tells of the login first, then of the doctor")
    func circumstances() {
        #expect(HintBook.lesson(of: "profile", hasRows: false).next == nil)
        #expect(HintBook.lesson(of: "status", isSignedOut: true, isAiling: true).next == .login)
        #expect(HintBook.lesson(of: "status", isAiling: true).next == .doctor)
    }
}

@Suite("Versions")
struct VersionTests {
    @Test(
        "The newer one is known by its numbers",
        arguments: [
            ("0.2.0", "0.1.0", true), ("0.1.0", "0.2.0", false), ("0.10", "0.9.9", true), ("1.0.0", "1.0", false),
            ("1.0.1", "1.0", true), ("0.2.0~rc1", "0.1.9", true), ("", "0.1", false), ("x.y", "0.0.0", false),
        ])
    func newer(one: String, other: String, isNewer: Bool) {
        #expect(VersionText.isNewer(one, than: other) == isNewer)
    }

    @Test("Both versions are named, and what to do; the same version says nothing")
    func words() {
        #expect(VersionText.difference("1.0.0", client: "1.0.0") == nil)
        #expect(VersionText.difference(nil, client: "1.0.0") == nil)
        for daemon in ["0.9.0", "2.0.0"] {
            let sentences = [
                VersionText.difference(daemon, client: "1.0.0") ?? "",
                VersionText.misunderstood(daemon, client: "1.0.0", detail: "Sync"),
            ]
            for sentence in sentences {
                #expect(
                    sentence.contains("nyand \(daemon)") && sentence.contains("nyanctl") && sentence.contains("1.0.0"))
                #expect(sentence.contains("systemctl --user restart nyand") == (daemon == "0.9.0"))
            }
            #expect(sentences[1].hasSuffix("(Sync)"))
        }
        #expect(VersionText.misunderstood("1.0.0", client: "1.0.0", detail: "x").contains("of different builds"))
        #expect(VersionText.misunderstood(nil, client: "1.0.0", detail: "x").contains("systemctl --user restart nyand"))
    }
}
