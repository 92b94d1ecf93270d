import NyanCore
import Testing

@testable import NyanService

/// What others wrote goes through the log, too: titles, and errors of the desktop's services.
@Suite("Lines of the log")
struct LogTextTests {
    @Test("A line of the log is one line, moves no terminal, and has an end, whatever a service answers")
    func tame() throws {
        let log = Log(level: .error)
        log.warning("a\u{1b}[2J\r\nb\u{202e}c" + String(repeating: "ж", count: 1 << 20))
        let line = try #require(log.lastTrouble.line)
        #expect(line.text.utf8.count < 5000)
        #expect(DisplayText.escaped(line.text) == line.text && !line.text.contains { $0.isNewline })
        log.warning(String(repeating: "\u{1b}", count: 5000))
        #expect(try #require(log.lastTrouble.line).text.utf8.count < 4200)
        log.warning("Кино — Пачка сигарет 🎸")
        #expect(log.lastTrouble.line?.text == "Кино — Пачка сигарет 🎸")
    }
}
