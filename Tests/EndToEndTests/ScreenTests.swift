import FoundationEssentials
import Glibc
import NyanCore
import NyanTestKit
import Testing

/// `nyanctl ui` in a real terminal, with the real daemon.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ScreenTests {
    @Test("the ui shows the profile, plays, filters, helps, and leaves the terminal as it found it")
    func tour() async throws {
        let stage = try await UIStage.ofProfile(sees: "[1 Profile]")
        let house = stage.house
        try await stage.sees("450 tracks")
        // A row with an emoji, and what stands behind it at its place.
        try await stage.tmux.press("/")
        try await stage.tmux.type("Песня 05")
        try await stage.sees("match “Песня 05”")
        try await stage.tmux.press("Enter", "Home", "Enter")
        try await stage.sees("▶")
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await stage.tmux.press("Space")
        try await house.until("it pauses") { try await house.status().state == "paused" }
        try await stage.tmux.press("Escape")
        try await stage.seesNo("match")
        for (key, tab) in [("2", "[2 My Music]"), ("3", "[3 Search]"), ("4", "[4 Downloads]"), ("5", "[5 Queue]")] {
            try await stage.tmux.press(key)
            try await stage.sees(tab)
        }
        try await stage.tmux.press("?")
        try await stage.sees("up and down")
        try await stage.tmux.press("x")
        try await stage.seesNo("up and down")
        try await stage.tmux.press("q")
        try await stage.isGivenBack()
        #expect(try await house.status().state == "paused", "the daemon goes on")
    }

    @Test("the ui follows the window to 40×10 and back, and draws the same as before")
    func sizes() async throws {
        let stage = try await UIStage.ofProfile()
        // What the daemon says comes in pieces: the player's state, then the list.
        try await stage.sees("nothing queued")
        try await stage.sees("? help")
        let large = try await stage.tmux.screen()
        // Emoji, joined ones too, letters with marks and right-to-left ones shift nothing behind them.
        let ends = large.filter { $0.hasSuffix("0:04") }.map { DisplayText.columns($0) }
        #expect(ends.count > 10 && Set(ends).count == 1, "\(large)")
        try await stage.tmux.resize(columns: 40, rows: 10)
        try await stage.until("ten rows, each within 40 columns, with the player at the bottom") { lines in
            lines.count == 10 && lines.first?.contains("[Profile]") == true && lines[9].contains("? help")
        }
        try await stage.tmux.press("Down")
        try await stage.tmux.resize(columns: 80, rows: 24)
        try await stage.tmux.press("Up")
        try await stage.until("what was there before: \(large)") { $0 == large }
        // A window that was cut and is as large again: the size is the same, the picture is not.
        let terminal = open(try await stage.tmux.know("pane_tty"), O_WRONLY | O_NOCTTY)
        _ = "\u{1b}[5;5Hbroken".withCString { write(terminal, $0, strlen($0)) }
        close(terminal)
        try await stage.sees("broken")
        kill(try await stage.process(), SIGWINCH)
        try await stage.until("what was there before it broke") { $0 == large }
        // No key reaches a window that shows nothing, but it must live.
        try await stage.tmux.resize(columns: 5, rows: 2)
        try await stage.tmux.resize(columns: 80, rows: 24)
        try await stage.until("what was there before, again") { $0 == large }
        try await stage.tmux.press("q")
        try await stage.isGivenBack()
    }

    @Test("a click opens a tab, a double click plays, the wheel scrolls, pasted letters are no keys")
    func mouseAndPaste() async throws {
        let stage = try await UIStage.ofProfile()
        let house = stage.house
        let tab = try await stage.place(of: "2 My Music")
        try await stage.tmux.click(row: tab.row, column: tab.column + 2)
        try await stage.sees("[2 My Music]")
        // `q` would end it, `3` would open another tab.
        try await stage.tmux.paste("q3\nq")
        let profile = try await stage.place(of: "1 Profile")
        try await stage.tmux.click(row: profile.row, column: profile.column + 2)
        try await stage.sees("[1 Profile]")
        try await stage.tmux.wheel(20, row: 6, column: 20)
        try await stage.until("other rows") { !$0.contains { $0.contains("   1  ") } }
        // The right button lists what can be done, also by clicks.
        try await stage.tmux.type("\u{1b}[<2;21;7M\u{1b}[<2;21;7m")
        try await stage.sees("Esc closes")
        let deed = try await stage.place(of: "put it at the end of the queue")
        try await stage.tmux.click(row: deed.row, column: deed.column)
        try await stage.sees("it is in the queue")
        try await stage.tmux.click(row: 6, column: 20, times: 2)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await stage.tmux.press("/")
        try await stage.tmux.paste("Песня\n44")
        try await stage.sees("Песня 44")
        try await stage.tmux.press("Escape")
        // Both at once would be Alt-q.
        try await stage.seesNo("Filter:")
        try await stage.tmux.press("q")
        try await stage.isGivenBack()
    }

    @Test("the daemon may be killed and come again under the ui")
    func daemonLost() async throws {
        let stage = try await UIStage.ofProfile()
        let house = stage.house
        house.daemon?.send(SIGKILL)
        try await stage.sees("not running")
        try await house.startDaemon()
        try await stage.seesNo("not running")
        try await stage.tmux.press("Enter")
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await stage.tmux.press("q")
        try await stage.isGivenBack()
    }

    @Test("NO_COLOR takes the colours and leaves the weights; LC_ALL=C still shows Cyrillic")
    func plainColours() async throws {
        let stage = try await UIStage.ofProfile("LC_ALL=C NO_COLOR=1 nyanctl ui", sees: "Гарфункель")
        try await stage.tmux.press("Enter")
        try await stage.until("a row that plays") { $0.contains { $0.hasPrefix("▶") } }
        let plain = try await stage.tmux.screen(styled: true).joined(separator: "\n")
        #expect(Self.colours(plain).isEmpty, "\(plain)")
        #expect(plain.contains("\u{1b}[7m") || plain.contains(";7m"), "the selected row is seen: \(plain)")
        try await stage.tmux.press("q")
        try await stage.isGivenBack()
        try await stage.start()
        try await stage.until("a row that plays") { $0.contains { $0.hasPrefix("▶") } }
        let coloured = try await stage.tmux.screen(styled: true).joined(separator: "\n")
        #expect(!Self.colours(coloured).isEmpty)
        #expect(Self.colours(coloured).allSatisfy { (30...37).contains($0) }, "only the terminal's own eight")
        try await stage.tmux.press("C-c")
        try await stage.isGivenBack()
    }

    /// The colours a text asks for; 39 and 49 are the terminal's own.
    private static func colours(_ text: String) -> [Int] {
        text.matches(of: /\u{1b}\[([0-9;]*)m/).flatMap { match in
            match.1.split(separator: ";").compactMap { Int($0) }.filter { $0 >= 30 && $0 != 39 && $0 != 49 }
        }
    }
}
