import NyanCore
import NyanWire
import Testing

@testable import nyanctl

/// What status bars make of the titles of this world (field-issues.md E1).
@Suite("Formats for status bars")
struct FormatFilterTests {
    private static let bad = #"A "b" \c & <i>d</i> %{A1:x:} #[fg=red]"# + "\u{1}\t"
    private static let report = StatusReport(
        state: .playing, track: listed("Кино & Co", bad), position: 62, duration: 124)

    @Test(
        "A filter makes a title harmless to the bar it is named after, from left to right",
        arguments: [
            (
                "{title|pango}",
                #"A &quot;b&quot; \c &amp; &lt;i&gt;d&lt;/i&gt; %{A1:x:} #[fg=red] "#
            ),
            ("{title|json}", #"A \"b\" \\c & <i>d</i> %{A1:x:} #[fg=red]\u0001\t"#),
            (
                "{title|pango|json}",
                #"A &quot;b&quot; \\c &amp; &lt;i&gt;d&lt;/i&gt; %{A1:x:} #[fg=red] "#
            ),
            ("{title|tmux}", #"A "b" \c & <i>d</i> %{A1:x:} ##[fg=red]"# + "\u{1}\t"),
            ("{title|max:5}", #"A "b…"#), ("{artist|max:7|pango}", "Кино &amp;…"),
        ])
    func filters(format: String, text: String) throws {
        #expect(try StatusFormat(format).text(of: Self.report) == text)
    }

    @Test("polybar finds no tag in a title")
    func polybar() throws {
        let text = try StatusFormat("{title|polybar}").text(of: Self.report)
        #expect(!text.contains("%{") && text.contains("%\u{2060}{A1"))
    }

    @Test(
        "A letter or a mark that makes one character of itself and a sign hides no sign from a filter",
        arguments: [
            ("{title|polybar}", "\u{D4E}%{A1:reboot:}x%{A}", "\u{D4E}%\u{2060}{A1:reboot:}x%\u{2060}{A}"),
            ("{title|polybar}", "%\u{301}{A}", "%\u{2060}\u{301}{A}"),
            ("{title|tmux}", "\u{111C2}#[fg=red]", "\u{111C2}##[fg=red]"),
            ("{title|tmux}", "#\u{301}", "##\u{301}"),
            ("{title|pango}", "\u{D4E}<\u{D4E}&<\u{301}", "\u{D4E}&lt;\u{D4E}&amp;&lt;\u{301}"),
            ("{title|json}", "\u{301}a\"\u{301}\u{D4E}\\\u{D4E}", "\u{301}a\\\"\u{301}\u{D4E}\\\\\u{D4E}"),
        ])
    func clusters(format: String, title: String, text: String) throws {
        let report = StatusReport(state: .playing, track: listed("A", title), position: 62, duration: 124)
        let made = try StatusFormat(format).text(of: report)
        // Scalar by scalar: strings that only look the same are equal too.
        #expect(Array(made.unicodeScalars) == Array(text.unicodeScalars), "\(made)")
    }

    @Test(
        "A section shows where its word has a value, or where it has none",
        arguments: [
            ("{?artist}{artist|max:5} – {/}x", "Кино… – x", "x"), ("{?album}in {album}{/}", "", ""),
            ("{!album}no album{/}", "no album", "no album"),
            ("{?title}a{?album}b{/}{!album}c{/}d{/}", "acd", ""), ("{!title}{state}{/}", "", "absent"),
            (#"{{"p":{?percent}{percent}{/}{!percent}0{/}}}"#, #"{"p":50}"#, #"{"p":0}"#),
        ])
    func sections(format: String, playing: String, absent: String) throws {
        let format = try StatusFormat(format)
        #expect(format.text(of: Self.report) == playing)
        #expect(format.text(of: StatusReport(state: .absent)).trimmingBlanks == absent.trimmingBlanks)
    }

    @Test("Sections stand within one another, but not without end")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "{?title}", count: count) + "x" + String(repeating: "{/}", count: count)
        }
        #expect(try StatusFormat(nested(32)).text(of: Self.report) == "x")
        for count in [33, 100_000] { #expect(throws: Ending.self) { try StatusFormat(nested(count)) } }
    }
}

extension String {
    fileprivate var trimmingBlanks: Substring { drop { $0 == " " } }
}
