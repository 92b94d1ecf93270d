import NyanCore
import NyanWire
import Testing

@testable import nyanctl

@Suite("Waiting for downloads")
struct DownloadWaitTests {
    private func row(_ audio: Int64, _ state: Download.State, _ problem: String? = nil) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: audio), artist: "A", title: "\(audio)", state: state,
            problem: problem.map { .init(code: "network", message: $0) })
    }

    private func id(_ audio: Int64) -> TrackID { TrackID(owner: 1, audio: audio) }

    @Test(
        "It is over when every wanted one is done or has failed; a paused one may go on",
        arguments: [
            ([], true), ([.done], true), ([.done, .failed], true), ([.waiting], false), ([.done, .running], false),
            ([.paused], false),
        ] as [([Download.State], Bool)])
    func over(states: [Download.State], isOver: Bool) {
        let rows = states.enumerated().map { row(Int64($0 + 1), $1) }
        #expect(DownloadWait(rows).isOver == isOver)
    }

    @Test("Changes of wanted rows count, those of others do not")
    func changes() {
        var wait = DownloadWait([row(1, .running), row(2, .waiting)])
        wait.take([row(1, .done), row(9, .failed)])
        #expect(!wait.isOver)
        wait.take([row(2, .failed, "no line")])
        #expect(wait.isOver)
        #expect(wait.failed.map(\.problem?.message) == ["no line"])
    }

    @Test("One that leaves the list was cancelled, unless it was done before")
    func cancelled() {
        var wait = DownloadWait([row(1, .running), row(2, .done)])
        wait.remove([id(1), id(2), id(9)])
        #expect(wait.isOver)
        #expect(wait.failed.map(\.id) == [id(1)])
        #expect(wait.failed.first?.problem?.code == "cancelled")
    }

    @Test("One without a row is done where My Music has it, and failed where it was never queued; each counts once")
    func withoutRow() {
        let music = [id(2): ListedTrack(track: Track(id: id(2), artist: "B", title: "two"), copyPath: "/m/2")]
        let wait = DownloadWait([id(1), id(2), id(3), id(1)], listed: [row(1, .running)], music: music)
        #expect(wait.rows.map(\.state) == [.running, .done, .failed])
        #expect(wait.rows[1].title == "two")
        #expect(wait.rows[2].problem?.code == "unavailable-track")
    }
}
