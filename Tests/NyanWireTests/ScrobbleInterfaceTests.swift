import NyanCore
import NyanDBus
import NyanWire
import Testing

@Suite("Scrobbling on the bus")
struct ScrobbleInterfaceTests {
    @Test("the interface: keys and the page of consent only as descriptors")
    func interface() {
        #expect(
            shape(NyandInterfaces.scrobble) == [
                "Status() -> (sites:a(ssuuusssxss))", "Login(token:h) -> (name:s)", "Begin(keys:h) -> (page:h)",
                "Finish() -> (name:s)", "Logout(site:s) -> (lost:u)",
            ])
    }

    @Test("a report travels whole, with and without what may be absent")
    func reports() throws {
        var full = ScrobbleReport(site: .lastfm, name: "анна")
        (full.waiting, full.sent, full.dropped, full.reason) = (3, 120, 2, "too old")
        full.last = Listen(artist: "A", title: "T", began: 1_790_000_000)
        full.problem = Failure(.serverBusy, "Last.fm asks to wait.")
        let reports = [full, ScrobbleReport(site: .listenbrainz, name: "b")]
        #expect(ScrobbleCoding.reports(ScrobbleCoding.list(reports)) == reports)
        #expect(ScrobbleCoding.reports(ScrobbleCoding.list([])) == [])
        #expect(ScrobbleCoding.reports(.string("no")) == nil)
    }
}
