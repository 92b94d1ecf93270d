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
}

extension String {
    fileprivate var trimmingBlanks: Substring { drop { $0 == " " } }
}
