import NyanCore
import Testing

@Suite("What a sync changed, in words") struct SyncNewsTests {
    private func track(_ number: Int64, _ title: String? = nil, available: Bool = true) -> Track {
        Track(
            id: TrackID(owner: 1, audio: number), artist: "A\(number)", title: title ?? "T\(number)",
            isAvailable: available)
    }

    private func news(_ stored: [Track], _ read: [Track], departed: Set<Int64> = []) -> SyncNews {
        let (before, now) = (Set(stored.map(\.id)), Set(read.map(\.id)))
        let plan = SyncPlan(
            tracks: read, added: read.map(\.id).filter { !before.contains($0) },
            removed: stored.map(\.id).filter { !now.contains($0) }, unavailable: 0, changesAnything: true)
        return SyncNews(of: plan, stored: stored, departed: Set(departed.map { TrackID(owner: 1, audio: $0) }))
    }

    @Test("names what is gone, back, renamed and silenced, and keeps quiet about new tracks and covers") func names() {
        var covered = track(7)
        covered.coverURL = "x"
        let news = news(
            [track(1), track(2), track(3), track(4, available: false), track(5), track(7)],
            [track(9), track(8), track(2, "New"), track(3, available: false), track(4), track(5), covered],
            departed: [8])
        #expect(
            news.changes.map(\.sentence) == [
                "gone from the profile: A1 – T1", "back: A8 – T8", "changed: A2 – New", "unavailable now: A3 – T3",
                "back: A4 – T4",
            ])
        #expect(news.more == 0)
    }

    @Test("names ten and counts the rest; an empty name is Unknown") func counts() {
        let news = news((1...22).map { track($0) }, [])
        #expect(news.changes.count == 10 && news.more == 12)
        #expect(SyncNews.Change(.gone, artist: "", title: "").sentence == "gone from the profile: Unknown – Unknown")
    }
}
