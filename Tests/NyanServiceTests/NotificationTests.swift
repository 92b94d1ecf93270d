import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// The real conversation with a desktop's notification service, on a bus of its own.
@Suite("Notifications", .serialized, .timeLimit(.minutes(1)))
final class NotificationTests {
    private let desk: NoticeBus
    private var notifications: DesktopNotifications { desk.notifications }

    init() throws { desk = try NoticeBus() }

    private func notice(_ kind: Notice.Kind, _ body: String) -> Notice { Notice(kind, title: "Title", body: body) }

    @Test("A notice carries our name, our desktop entry, and leaves no trace; a later one of its kind takes its place")
    func shows() async throws {
        let mock = try desk.mock()
        notifications.show(notice(.downloads, "one"))
        #expect(await until { mock.shown.count == 1 })
        notifications.show(notice(.track, "song"))
        notifications.show(notice(.downloads, "two"))
        #expect(await until { mock.shown.count == 3 })
        let first = mock.shown[0]
        #expect(first.application == "Nyan Tunes" && first.title == "Title" && first.body == "one")
        #expect(first.hints["desktop-entry"]?.string == "nyand" && first.hints["transient"]?.bool == true)
        #expect(first.replaces == 0)
        let bodies = mock.shown.map(\.body)
        let (two, song) = (try #require(bodies.firstIndex(of: "two")), try #require(bodies.firstIndex(of: "song")))
        #expect(mock.shown[two].replaces == first.number && mock.shown[song].replaces == 0)
    }

    @Test("Titles are no markup where the service understands markup, and are left as they are elsewhere")
    func markup() async throws {
        let plain = try desk.mock()
        notifications.show(notice(.downloads, "<b>Tom & Jerry</b>"))
        #expect(await until { plain.shown.first?.body == "<b>Tom & Jerry</b>" })
        try await desk.goesAway(plain)
        let marked = try desk.mock(["body", "body-markup"])
        notifications.show(notice(.downloads, "<b>Tom & Jerry</b>"))
        #expect(await until { !marked.shown.isEmpty })
        #expect(marked.shown.first?.body == "&lt;b&gt;Tom &amp; Jerry&lt;/b&gt;")
        #expect(marked.shown.first?.replaces == 0)
    }

    @Test("Without a service, and with one that hangs, showing returns at once; one that comes later shows later ones")
    func nobody() async throws {
        notifications.show(notice(.downloads, "lost"))
        await settle()
        let silent = try desk.mock(isSilent: true)
        let begin = ContinuousClock.now
        for number in 0..<50 { notifications.show(notice(.downloads, "\(number)")) }
        #expect(ContinuousClock.now - begin < .seconds(5))
        try await desk.goesAway(silent)
        let mock = try desk.mock()
        #expect(
            await until {
                self.notifications.show(self.notice(.downloads, "there"))
                return mock.shown.contains { $0.body == "there" }
            })
        #expect(!mock.shown.contains { $0.body == "lost" })
    }
}

/// Keeps what it should show.
private final class KeptNotices: Notifications {
    var notices: [Notice] = []
    func show(_ notice: Notice) { notices.append(notice) }
}

/// Which batches are told, and when.
@Suite("The end of a batch", .timeLimit(.minutes(1)))
struct BatchEndTests {
    private let kept = KeptNotices()
    private let time = ManualTime()

    @Test(
        "The first is told at once; what ends within ten seconds of it is told together, and nothing waits after that")
    func trickle() async {
        let notifier = DownloadNotifier(kept, time: time, isOn: true)
        notifier.batchEnded(DownloadBatch(finished: 1, failed: 0))
        #expect(kept.notices.map(\.body) == ["1 track downloaded"])
        await settle()
        notifier.batchEnded(DownloadBatch(finished: 1, failed: 0))
        time.advance(by: .seconds(9))
        notifier.batchEnded(DownloadBatch(finished: 2, failed: 1, reason: "no room"))
        await settle()
        #expect(kept.notices.count == 1)
        time.advance(by: .seconds(1))
        #expect(await until { kept.notices.count == 2 })
        #expect(kept.notices[1].body == "3 tracks downloaded, 1 failed: no room" && kept.notices[1].kind == .downloads)
        await settle()
        time.advance(by: .seconds(10))
        await settle()
        #expect(kept.notices.count == 2 && time.waits.isEmpty)
    }

    @Test("Off, nothing is told, and nothing of that time is told when it is on again")
    func off() async {
        let notifier = DownloadNotifier(kept, time: time, isOn: false)
        notifier.batchEnded(DownloadBatch(finished: 1, failed: 0))
        notifier.isOn = true
        notifier.batchEnded(DownloadBatch(finished: 2, failed: 0))
        await settle()
        notifier.batchEnded(DownloadBatch(finished: 3, failed: 0))
        notifier.isOn = false
        time.advance(by: .seconds(10))
        await settle()
        notifier.isOn = true
        notifier.batchEnded(DownloadBatch(finished: 4, failed: 0))
        #expect(kept.notices.map(\.body) == ["2 tracks downloaded", "4 tracks downloaded"])
    }

    @Test("A batch ends when nothing runs or waits any more; a failure that was tried again and came is none")
    func batch() async throws {
        let rig = Rig(parallel: 3)
        var ended: [DownloadBatch] = []
        rig.downloads.onBatchEnd = { ended.append($0) }
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add([track(1), track(2), track(3)])
        try await rig.bring(track(1).id)
        let gone = Failure(.unavailableTrack, "taken away", retry: .never)
        for number in [2, 3] as [Int64] {
            let transfer = try #require(await rig.transfer(of: track(number).id))
            transfer.fail(gone)
            await settle()
            if number == 2 {
                #expect(try await rig.downloads.retry([track(2).id]) == 1)
                try await rig.bring(track(2).id)
            }
        }
        #expect(await until { !ended.isEmpty })
        #expect(ended == [DownloadBatch(finished: 2, failed: 1, reason: "taken away")])
    }
}

/// What is deleted stays away.
@Suite("Deleting what is wished for", .timeLimit(.minutes(1)))
struct DeletedWishTests {
    @Test("A file that is deleted takes its wish along where a death left that: it does not come back")
    func leftWish() async throws {
        let rig = Rig(parallel: 1)
        await rig.account.ready()
        rig.hub.flush()
        // The copy was known and the file there, but the row still said that it waits: killed in between.
        let copy = FinishedCopy(id: track(2).id, path: "/no such folder/Artist 2 - Title 2.mp3", bytes: 1000)
        try await rig.library.addCopy(copy)
        try await rig.library.save([
            Download(track: track(1), order: 1), Download(track: track(2), state: .running, order: 2),
        ])
        await rig.downloads.restore()
        #expect(rig.downloads.list.map(\.state) == [.running, .waiting])
        _ = try await rig.downloads.deleteCopies([track(2).id])
        #expect(rig.downloads.list.map(\.id) == [track(1).id])
        #expect(Array(rig.library.rows.keys) == [track(1).id] && rig.library.copies.isEmpty)
    }
}

/// The list while the daemon starts.
@Suite("Downloads at the start", .timeLimit(.minutes(1)))
struct DownloadStartTests {
    @Test("Who asks before the list of an earlier run is read waits for it, and so do wishes")
    func waits() async throws {
        let rig = Rig()
        rig.downloads.willRestore()
        try await rig.library.save([Download(track: track(1), state: .paused, order: 1)])
        var seen: Int?
        let reader = Task {
            await rig.downloads.ready()
            seen = rig.downloads.list.count
        }
        let cancelled = Task { try await rig.downloads.cancel([track(1).id]) }
        await settle()
        #expect(seen == nil)
        await rig.downloads.restore()
        await reader.value
        #expect(seen != nil)
        #expect(try await cancelled.value == 1)
        #expect(rig.library.rows.isEmpty)
    }
}
