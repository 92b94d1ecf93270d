import Testing

@testable import nyanctl

@Suite("Keys of the live player")
struct KeyReaderTests {
    @Test(
        "Letters, arrows and control bytes are keys; what means nothing is left out",
        arguments: [
            (" npsrq", [.toggle, .next, .previous, .shuffle, .repeatMode, .leave]),
            ("тзыкй", [.next, .previous, .shuffle, .repeatMode, .leave]),
            ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.louder, .quieter, .forward, .back]),
            ("\u{1b}OA\u{1b}OD", [.louder, .back]), ("\u{1b}[1;5C", [.forward]),
            ("\u{1b}[3~n", [.next]), ("\u{1b}[15~", []), ("\u{1b}q", [.leave]), ("\u{3}", [.leave]),
            ("\u{4}", [.leave]), ("xyz", []), ("+-", [.louder, .quieter]), ("\u{1b}[Mabc", []), ("坂n", [.next]),
        ] as [(String, [PlayerKey])])
    func keys(typed: String, keys: [PlayerKey]) {
        var reader = KeyReader()
        #expect(reader.keys(typed.utf8) == keys)
    }

    @Test("A sequence that comes byte by byte is one key")
    func pieces() {
        var reader = KeyReader()
        var found: [PlayerKey] = []
        for byte in "\u{1b}[1;5Dй ".utf8 { found += reader.keys([byte]) }
        #expect(found == [.back, .leave, .toggle])
    }

    @Test("A sequence without an end does not hold up the keys for ever")
    func endless() {
        var reader = KeyReader()
        _ = reader.keys("\u{1b}[".utf8)
        for _ in 0..<40 { _ = reader.keys("0".utf8) }
        #expect(reader.keys("n".utf8) == [.next])
    }

    @Test("Bytes that are no text do no harm")
    func garbage() {
        var reader = KeyReader()
        #expect(reader.keys([0x80, 0xFF, 0xC3, 0x28, 0xF0, 0x9F, 0x98, 0x80, 0x20]).last == .toggle)
    }
}

@Suite("A secret being typed")
struct SecretLineTests {
    private func typed(_ text: String) -> (SecretLine, SecretLine.Step) {
        var line = SecretLine()
        var step = SecretLine.Step.more
        for byte in text.utf8 where step == .more { step = line.take(byte) }
        return (line, step)
    }

    @Test(
        "Editing keys work, paste marks are dropped, Enter ends the line",
        arguments: [
            ("abc\n", "abc"), ("abc\r", "abc"), ("abd\u{7f}c\n", "abc"), ("xyz\u{15}abc\n", "abc"),
            ("\u{1b}[200~abc\u{1b}[201~\n", "abc"), ("\n", ""), ("\u{7f}\u{8}\n", ""), ("abc\u{4}", "abc"),
            ("ab\u{1a}\u{c}\u{1}c\td\n", "abc\td"), ("ab\u{430}\u{1F63A}\u{7f}\u{7f}c\n", "abc"),
        ])
    func line(text: String, secret: String) {
        let (line, step) = typed(text)
        #expect(step == .whole)
        #expect(line.text == Array(secret.utf8))
    }

    @Test("Ctrl-C gives up, and a line without end is refused")
    func ends() {
        #expect(typed("ab\u{3}").1 == .given(up: true))
        #expect(typed(String(repeating: "a", count: SecretLine.limit + 1)).1 == .given(up: false))
        #expect(typed(String(repeating: "a", count: 5000)).1 == .more)
    }
}

@Suite("What is shown of a line being typed")
struct TypedEchoTests {
    @Test("What is typed is shown and rubbed out; what is too long for an answer is hidden again")
    func echo() {
        var echo = TypedEcho(limit: 4)
        #expect(echo.change(to: Array("1".utf8)) == "1")
        #expect(echo.change(to: Array("1к".utf8)) == "к")
        #expect(echo.change(to: Array("1".utf8)) == "\u{8} \u{8}\u{8} \u{8}1")
        #expect(echo.change(to: Array("1".utf8)).isEmpty)
        #expect(echo.change(to: Array("1abcd".utf8)) == "\u{8} \u{8}")
        #expect(echo.change(to: Array("a\nb".utf8)).isEmpty && echo.change(to: [0x1B]) == "\\x1B")
        var secret = TypedEcho(limit: 0)
        #expect(secret.change(to: Array("a".utf8)).isEmpty)
    }
}
