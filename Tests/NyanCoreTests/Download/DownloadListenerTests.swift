import Testing

@testable import NyanCore

@Suite("Downloads beside the listener") struct DownloadListenerTests {
    private func id(_ number: Int64) -> TrackID { TrackID(owner: 1, audio: number) }
    private func track(_ number: Int64) -> Track { Track(id: id(number), artist: "A", title: "T\(number)") }

    private func machine(parallel: Int = 2) -> DownloadMachine {
        var machine = DownloadMachine(parallel: parallel, seed: 1)
        _ = machine.handle(.add((1...20).map(track)), at: .zero)
        return machine
    }

    private func running(_ machine: DownloadMachine) -> [Int64] {
        machine.downloads.filter { $0.state == .running }.map(\.id.audio)
    }

    @Test("Skipping through a queue leaves no more running than may run beside what is heard") func skips() {
        var machine = machine()
        for first in Int64(5)...18 {
            let effects = machine.handle(.listening([id(first), id(first + 1)]), at: .zero)
            #expect(running(machine) == [1, 2, first, first + 1])
            guard first > 5 else { continue }
            #expect(effects == [.save([id(first - 1)]), .stop(id(first - 1)), .start(track(first + 1))])
        }
        _ = machine.handle(.listening([]), at: .zero)
        #expect(running(machine) == [1, 2])
    }

    @Test("What is being finished goes on though nobody hears it any more") func finishing() {
        var machine = machine()
        _ = machine.handle(.listening([id(5)]), at: .zero)
        _ = machine.handle(.transferFinished(id(5)), at: .zero)
        _ = machine.handle(.listening([id(6)]), at: .zero)
        #expect(machine[id(5)]?.state == .running)
        let effects = machine.handle(.finished(id(5)), at: .zero)
        #expect(effects == [.save([id(5)])] && running(machine).contains(6))
    }

    @Test("The same number set again, or fewer, stops nothing that is heard") func fewer() {
        var machine = machine()
        _ = machine.handle(.listening([id(5), id(6)]), at: .zero)
        #expect(machine.handle(.setParallel(2), at: .zero) == [])
        _ = machine.handle(.setParallel(1), at: .zero)
        #expect(running(machine) == [1, 5, 6])
    }

    @Test("Bytes that come start nothing by themselves: the list is not gone through for each of them")
    func progress() {
        var machine = machine()
        _ = machine.handle(
            .located(Dictionary(uniqueKeysWithValues: (1...20).map { (id($0), "media.test") })), at: .zero)
        var busy = Failure(.serverBusy, "wait", retry: .after(seconds: 20))
        busy.host = "media.test"
        _ = machine.handle(.transferFailed(id(1), busy), at: .zero)
        #expect(running(machine) == [2])
        #expect(machine.handle(.progress(id(2), received: 5, total: 9), at: .seconds(30)) == [])
        #expect(machine.handle(.holdOver, at: .seconds(30)) == [.start(track(1))])
    }

    @Test("What a folder's trouble failed is known again after a restart, and goes on with any end of such trouble")
    func restart() {
        let away = Failure(.fileAccess, "/music is not there", retry: .later)
        let own = Failure(.fileAccess, "cannot create x")
        var before = machine(parallel: 1)
        _ = before.handle(.placeFailed(id(1), Failure(.fileAccess, "/music is not there")), at: .zero)
        #expect(before[id(1)]?.failure?.retry == .later)
        let rows = [away, own, Failure(.diskFull, "full")].enumerated().map { index, failure in
            Download(
                track: track(Int64(index + 1)), state: .failed, failure: failure, order: Int64(index + 1))
        }
        var machine = DownloadMachine(parallel: 3, seed: 1)
        _ = machine.handle(.restore([rows[1]]), at: .zero)
        #expect(machine.placeTrouble == nil)
        _ = machine.handle(.restore([rows[0], Download(track: track(9), order: 9)]), at: .zero)
        #expect(machine.placeTrouble?.code == .fileAccess && running(machine).isEmpty)
        _ = machine.handle(.restore(rows), at: .zero)
        _ = machine.handle(.spaceIsBack, at: .zero)
        #expect(machine.downloads.map(\.state) == [.running, .failed, .running])
    }
}
