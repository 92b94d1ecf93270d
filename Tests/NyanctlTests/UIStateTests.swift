import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

@Suite("The ui and what happens to it")
struct UIStateTests {
    @Test("Listings are asked for whenever their tabs are opened, and not twice at a time")
    func loading() {
        var state = UIState(size: Size(columns: 80, rows: 24))
        #expect(state.keys(.text("2")) == [])
        #expect(state.handle(.status(UIKit.status()), at: 0) == [.load(.music)])
        #expect(state.keys(.text("1")) == [.load(.profile)])
        #expect(state.keys(.text("2")) == [])
        _ = state.handle(.listed(.music, []), at: 0)
        _ = state.handle(.listed(.profile, []), at: 0)
        // Elsewhere a file may have been taken in, or a track been added.
        #expect(state.keys(.text("1"), .text("2")) == [.load(.profile), .load(.music)])
        #expect(state.keys(.text("3")) == [] && state.keys(.text("4")) == [])
        #expect(state.keys(.text("5")) == [.load(.queue)])
        #expect(state.keys(.tab) == [] && state.tab == .profile)
        #expect(state.keys(.backTab) == [] && state.tab == .queue)
    }

    @Test("However often a listing changes while it is being read, it is read once more")
    func coalescing() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.text("5"))
        for _ in 0..<1000 { #expect(state.handle(.changed(.queue), at: 0) == []) }
        #expect(state.handle(.listed(.queue, []), at: 0) == [.load(.queue)])
        #expect(state.handle(.listed(.queue, []), at: 0) == [])
        #expect(state.handle(.changed(.music), at: 0) == [])
        #expect(state.keys(.text("2")) == [.load(.music)])
    }

    @Test("A listing that failed is not asked for again by itself")
    func failedListing() {
        var state = UIKit.state([])
        state.keys(.text("2"))
        #expect(state.handle(.notListed(.music, .silent), at: 0) == [])
        #expect(state.notice?.isAlarm == true)
        #expect(state.keys(.text("1"), .text("2")) == [.load(.profile), .load(.music)])
        // A change that is told of while it is being read, and the reading fails: the next change asks again.
        #expect(state.handle(.changed(.music), at: 0) == [])
        #expect(state.handle(.notListed(.music, .silent), at: 0) == [])
        #expect(state.handle(.changed(.music), at: 0) == [.load(.music)])
    }

    @Test("A daemon that goes away is waited for, and asked for everything anew when it is back")
    func absence() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.text("5"), .down)
        #expect(state.handle(.absent, at: 1) == [])
        #expect(!state.isPresent)
        #expect(state.handle(.notListed(.queue, .absent), at: 1) == [])
        #expect(state.notice == nil)
        #expect(state.keys(.text("2"), .text("5")) == [])
        #expect(state.handle(.status(UIKit.status()), at: 2) == [.load(.queue)])
        #expect(state.keys(.text("1")) == [.load(.profile)])
        // What was listed before is still there to look at.
        #expect(state[.profile].rows.count == 3)
    }

    @Test("Typing filters at every letter, Enter keeps the filter, Escape takes it back")
    func filtering() {
        var state = UIKit.state([UIKit.track(1, "Кот"), UIKit.track(2, "Кит"), UIKit.track(3, "Пёс")])
        state.keys(.text("/"))
        state.types("к")
        #expect(state.list.count == 2)
        state.types("от")
        #expect(state.list.count == 1)
        state.keys(.backspace, .backspace, .down, .enter)
        #expect(state.typing == nil && state.list.count == 2 && state.list.place == 1)
        #expect(
            state.keys(.enter) == [
                .call(UICall(.player, "PlayTracks", .strings(["1_1", "1_2"]), .uint32(1), patience: .network))
            ])
        state.keys(.escape)
        #expect(state.list.count == 3 && state.list.selected?.track.id == UIKit.id(2))
        state.keys(.text("."))
        state.types("q")
        #expect(state.list.count == 0 && state.typing != nil)
        state.keys(.escape)
        #expect(state.list.count == 3 && state.typing == nil)
    }

    @Test("What is pasted goes into the line that is typed and is no command anywhere else")
    func pasting() {
        var state = UIKit.state(UIKit.tracks(3))
        #expect(state.handle(.screen(.pasted("qDy")), at: 0) == [])
        #expect(state.question == nil && state.typing == nil)
        state.keys(.text("/"))
        #expect(state.handle(.screen(.pasted("T3")), at: 0) == [])
        #expect(state.list.count == 1)
    }

    @Test("The search asks VK at Enter, and an answer to an older question is not shown")
    func searching() {
        var state = UIKit.state([])
        state.keys(.text("3"), .text("/"))
        #expect(state.types("кот") == [])
        #expect(state.keys(.enter) == [.search("кот")])
        #expect(state.isLoading(.search))
        state.keys(.enter)
        state.types(" 2")
        #expect(state.keys(.enter) == [.search("кот 2")])
        _ = state.handle(.found("кот", UIKit.tracks(2)), at: 0)
        #expect(state.list.count == 0 && state.isLoading(.search))
        _ = state.handle(.found("кот 2", UIKit.tracks(5)), at: 0)
        #expect(state.list.count == 5 && !state.isLoading(.search))
        _ = state.handle(
            .answered(
                UICall(.profile, "Add", .strings(["1_2"])),
                .success([
                    .strings(["9_9"]), .strings([]), .array([], of: "(ss)"), .structure([.string(""), .string("")]),
                ])), at: 0)
        #expect(state.list[1]?.isAdded == true && state.list[0]?.isAdded == false)
        #expect(state.notice?.text == "added to the profile")
        state.keys(.text("/"))
        state.keys(.control("u"), .text(" "))
        #expect(state.keys(.enter) == [])
    }

    @Test("A search that failed says so and can be asked again")
    func failedSearch() {
        var state = UIKit.state([])
        state.keys(.text("3"), .text("/"))
        state.types("a")
        state.keys(.enter)
        _ = state.handle(.notFound("a", .refused(Failure(.network, "VK is not reachable"))), at: 0)
        #expect(state.notice == UIState.Notice(text: "VK is not reachable", isAlarm: true))
        #expect(!state.isLoading(.search))
        state.keys(.text("/"))
        #expect(state.keys(.enter) == [.search("a")])
    }

    @Test("An export asks for a folder and remembers it")
    func exporting() {
        var tracks = UIKit.tracks(2)
        tracks[0].copyPath = "/m/a.mp3"
        var state = UIKit.state(tracks)
        #expect(state.keys(.text("e")) == [])
        state.types("/tmp/ü")
        #expect(state.keys(.enter) == [.export("1_1", folder: "/tmp/ü")])
        state.keys(.text("e"))
        #expect(state.typing?.line.text == "/tmp/ü")
        state.keys(.escape)
        #expect(state.typing == nil)
    }

    @Test("What the download keys do hangs on how far the download is")
    func downloading() {
        let word: BusValue = .strings(["1_1"])
        let states: [(Download.State, UICall?, UICall?, UICall?)] = [
            (.running, nil, UICall(.downloads, "Cancel", word), UICall(.downloads, "Pause", word)),
            (.waiting, nil, UICall(.downloads, "Cancel", word), UICall(.downloads, "Pause", word)),
            (
                .paused, UICall(.downloads, "Resume", word), UICall(.downloads, "Cancel", word),
                UICall(.downloads, "Resume", word)
            ),
            (.failed, UICall(.downloads, "Retry", word), UICall(.downloads, "Cancel", word), nil),
            (.done, UICall(.downloads, "Add", word, patience: .network), nil, nil),
        ]
        for (download, d, c, w) in states {
            var state = UIKit.state(UIKit.tracks(1))
            _ = state.handle(.downloads([UIKit.download(1, download)]), at: 0)
            #expect(state.keys(.text("d")) == (d.map { [.call($0)] } ?? []), "\(download)")
            #expect(state.keys(.text("c")) == (c.map { [.call($0)] } ?? []), "\(download)")
            #expect(state.keys(.text("w")) == (w.map { [.call($0)] } ?? []), "\(download)")
        }
    }

    @Test("Downloads that run stand above those that are done, and a change moves no selection off its track")
    func downloadOrder() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.text("4"))
        _ = state.handle(
            .downloads([UIKit.download(1, .done), UIKit.download(2, .waiting), UIKit.download(3, .running)]), at: 0)
        #expect(state.list.rows.map(\.track.id) == [UIKit.id(3), UIKit.id(2), UIKit.id(1)])
        state.keys(.down)
        _ = state.handle(.downloadsChanged([UIKit.download(3, .done)]), at: 0)
        #expect(state.list.selected?.track.id == UIKit.id(2) && state.list.place == 0)
        #expect(state.isDownloaded(UIKit.track(3)))
        _ = state.handle(.downloadsRemoved([UIKit.id(2)]), at: 0)
        #expect(state.list.rows.map(\.track.id) == [UIKit.id(1), UIKit.id(3)])
    }

    @Test("A finished download makes My Music another list, a lost file takes its mark from all")
    func marks() {
        var state = UIKit.state(UIKit.tracks(1))
        state.keys(.text("2"))
        _ = state.handle(.listed(.music, []), at: 0)
        _ = state.handle(.downloads([UIKit.download(1, .running)]), at: 0)
        #expect(state.handle(.downloadsChanged([UIKit.download(1, .done)]), at: 0) == [.load(.music)])
        _ = state.handle(.listed(.music, UIKit.tracks(1)), at: 0)
        #expect(state.handle(.downloadsRemoved([UIKit.id(1)]), at: 0) == [.load(.music)])
        #expect(state.keys(.text("1")) == [.load(.profile)])
        _ = state.handle(.downloads([]), at: 0)
        _ = state.handle(.downloadsChanged([UIKit.download(2, .failed, why: "the disk is full")]), at: 0)
        #expect(state.notice?.isAlarm == true && state.notice?.text.hasSuffix("the disk is full") == true)
    }

    @Test("The queue's keys name the entry that was seen, and its place")
    func queue() {
        var state = UIKit.state([])
        state.keys(.text("5"))
        _ = state.handle(.listed(.queue, UIKit.tracks(3)), at: 0)
        state.keys(.down)
        #expect(state.keys(.text("K")) == [.queue(.move(-1), position: 2, UIKit.id(2))])
        #expect(state.keys(.text("K")) == [] && state.list.place == 0)
        // What is shown is the queue as it will be, so the next key means what is seen.
        #expect(
            state.keys(.text("J"), .text("J"), .text("J")) == [
                .queue(.move(1), position: 1, UIKit.id(2)), .queue(.move(1), position: 2, UIKit.id(2)),
            ])
        #expect(state.list.rows.map(\.track.id) == [1, 3, 2].map(UIKit.id) && state.list.place == 2)
        state.keys(.text("/"))
        state.types("t3")
        state.keys(.enter)
        #expect(state.keys(.text("K")) == [] && state.notice != nil)
        #expect(state.keys(.text("x")) == [.queue(.remove, position: 2, UIKit.id(3))])
        state.keys(.escape)
        #expect(
            state.keys(.text("x"), .text("x"), .text("x")) == [
                .queue(.remove, position: 1, UIKit.id(1)), .queue(.remove, position: 1, UIKit.id(2)),
            ])
        let remove = UICall(.queue, "Remove", .array([.uint32(3)], of: "u"))
        #expect(state.handle(.answered(remove, .success([.uint32(2)])), at: 0) == [.load(.queue)])
    }

    @Test("What plays is found in every list, in the queue by its place")
    func playing() {
        var state = UIKit.state(UIKit.tracks(50))
        _ = state.handle(.status(UIKit.status(.playing, playing: UIKit.track(40), place: 2, of: 2)), at: 0)
        state.keys(.text("f"))
        #expect(state.list.place == 39)
        state.keys(.text("5"))
        _ = state.handle(.listed(.queue, [UIKit.track(40), UIKit.track(40)]), at: 0)
        state.keys(.text("f"))
        #expect(state.list.place == 1)
        #expect(state.isCurrent(UIKit.track(40), number: 1, in: .queue))
        #expect(!state.isCurrent(UIKit.track(40), number: 0, in: .queue))
    }

    @Test("The position goes on while something plays, to its end, and stands still else")
    func position() {
        var state = UIKit.state([])
        _ = state.handle(.status(UIKit.status(.playing, playing: UIKit.track(1), at: 10)), at: 100)
        #expect(state.position(at: 103) == 13 && state.position(at: 9999) == 214 && state.position(at: 0) == 10)
        _ = state.handle(.status(UIKit.status(.paused, playing: UIKit.track(1), at: 10)), at: 100)
        #expect(state.position(at: 103) == 10)
    }

    @Test("A reading of the profile that failed is over")
    func failedSync() {
        var state = UIKit.state([])
        state.keys(.text("y"))
        #expect(state.syncing != nil)
        _ = state.handle(.syncing(200, 450), at: 0)
        #expect(state.syncing?.read == 200)
        let failure = ClientFailure.refused(Failure(.network, "VK is not reachable"))
        _ = state.handle(.answered(UICall(.library, "Sync", patience: .list), .failure(failure)), at: 0)
        #expect(state.syncing == nil && state.notice?.isAlarm == true)
    }

    @Test("A removal can be undone once")
    func undo() {
        var state = UIKit.state(UIKit.tracks(2))
        let remove = UICall(.profile, "Remove", .strings(["1_1"]), patience: .many)
        let answer: [BusValue] = [.strings(["1_1"]), .array([], of: "(ss)"), .structure([.string(""), .string("")])]
        #expect(state.handle(.answered(remove, .success(answer)), at: 0) == [.load(.profile)])
        #expect(state.keys(.text("u")) == [.call(UICall(.profile, "Restore", .string("1_1"), patience: .many))])
        #expect(state.keys(.text("u")) == [])
    }
}
