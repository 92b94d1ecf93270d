import NyanCore
import Testing

@testable import nyanctl

@Suite("Scrobbling in words")
struct ScrobbleTextTests {
    private var report: ScrobbleReport {
        var report = ScrobbleReport(site: .lastfm, name: "anna")
        (report.waiting, report.sent, report.dropped, report.reason) = (3, 120, 1, "Last.fm ignores this track")
        report.problem = Failure(.serverBusy, "Last.fm asks to wait.")
        return report
    }

    @Test("a row says what was sent and what waits, and what is wrong stands apart")
    func row() {
        #expect(ScrobbleText.row(report) { $0 } == "Last.fm  anna  120 sent, 3 waiting, 1 not taken")
        #expect(
            ScrobbleText.notes(report) == [
                "Last.fm: Last.fm asks to wait.", "Last.fm: 1 listen not taken: Last.fm ignores this track",
            ])
        #expect(ScrobbleText.row(ScrobbleReport(site: .listenbrainz, name: "b")) { $0 } == "ListenBrainz  b  0 sent")
    }

    @Test("JSON has every key, absent values as null, both sites")
    func document() {
        #expect(
            JSONText.encode(ScrobbleDocument(.listenbrainz, nil))
                == #"{"dropped":0,"last":null,"name":null,"problem":null,"reason":null,"sent":0,"signedIn":false,"site":"listenbrainz","waiting":0}"#
        )
        var heard = report
        heard.last = Listen(artist: "A", title: "T", began: 1_790_000_000)
        let text = JSONText.encode(ScrobbleDocument(.lastfm, heard))
        #expect(text.contains(#""last":{"artist":"A","listenedAt":"2026-09-21T14:13:20Z","title":"T"}"#))
        #expect(text.contains(#""problem":{"code":"server-busy","message":"Last.fm asks to wait."}"#))
    }
}
