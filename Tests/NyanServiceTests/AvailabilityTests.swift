import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Tracks whose availability VK's list leaves open.
@Suite(.timeLimit(.minutes(1)))
struct AvailabilityTests {
    /// What was asked of VK.
    final class Asked { var ids: [[TrackID]] = [] }

    private func page(_ tracks: [Track], doubtful: [Track]) -> TrackPage {
        TrackPage(count: tracks.count, tracks: tracks, itemCount: tracks.count, doubtful: doubtful.map(\.id))
    }

    private func answer(_ track: Track, isAvailable: Bool, reason: String? = nil) -> ResolvedTrack {
        var track = track
        track.isAvailable = isAvailable
        track.unavailableReason = reason
        return ResolvedTrack(track: track, location: isAvailable ? Location(url: Secret("https://x.test/a")) : nil)
    }

    @Test("Only the doubtful ones are asked about, all at once, and once however many passes there are")
    func once() async {
        let check = AvailabilityCheck(known: [])
        let asked = Asked()
        for _ in 0..<3 {
            var page = page([track(1), track(2), track(3)], doubtful: [track(2), track(3)])
            await check.settle(&page) { references throws(Failure) in
                asked.ids.append(references.map(\.id))
                return [
                    track(2).id: answer(track(2), isAvailable: false, reason: "why"),
                    track(3).id: answer(track(3), isAvailable: true),
                ]
            }
            #expect(page.tracks.map(\.isAvailable) == [true, false, true])
            #expect(page.tracks.map(\.unavailableReason) == [nil, "why", nil])
        }
        #expect(asked.ids == [[track(2).id, track(3).id]])
        var plain = page([track(1)], doubtful: [])
        await check.settle(&plain) { _ throws(Failure) in
            Issue.record("asked for nothing")
            return [:]
        }
    }

    @Test("An id that VK's answer leaves out cannot be had; the list's reason is kept where it has one")
    func leftOut() async {
        let check = AvailabilityCheck(known: [])
        var page = page([track(1), track(2, available: false)], doubtful: [track(1), track(2)])
        await check.settle(&page) { _ throws(Failure) in [:] }
        #expect(page.tracks.allSatisfy { !$0.isAvailable && $0.unavailableReason != nil })
        #expect(page.tracks[1].unavailableReason == "taken away")
    }

    @Test("Where VK cannot be asked, availability stays as it was known")
    func noAnswer() async {
        let check = AvailabilityCheck(known: [track(1, available: false)])
        var page = page([track(1), track(2)], doubtful: [track(1), track(2)])
        await check.settle(&page) { _ throws(Failure) in throw .noNetwork }
        #expect(page.tracks.map(\.isAvailable) == [false, true])
        #expect(page.tracks[0].unavailableReason == "taken away")
    }

    @Test("Of a friend's list all pages are read, each track once, and a list without an end is left")
    func owners() async throws {
        let rig = Rig()
        rig.source.profile = (1...450).map { track(Int64($0)) } + [track(3)]
        let listed = try await rig.librarian.profile(matching: nil, owner: 99)
        #expect(listed.map(\.track.id) == (1...450).map { track(Int64($0)).id } && rig.source.pages == 3)
        #expect(rig.library.profileNow.isEmpty)
    }
}
