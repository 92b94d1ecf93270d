import Testing

@testable import NyanCore

@Suite("Downloads") struct DownloadMachineTests {
    private static let later = Failure(.network, "gone", retry: .later)
    private static let never = Failure(.unavailableTrack, "no", retry: .never)
    private static let full = Failure(.diskFull, "full", retry: .never)

    private func id(_ number: Int64) -> TrackID { TrackID(owner: 1, audio: number) }
    private func track(_ number: Int64) -> Track { Track(id: id(number), artist: "A", title: "T\(number)") }
    private func tracks(_ numbers: ClosedRange<Int64>) -> [Track] { numbers.map(track) }

    /// A machine with some downloads added, and the clock at zero.
    private func machine(_ numbers: ClosedRange<Int64> = 1...5, parallel: Int = 2) -> DownloadMachine {
        var machine = DownloadMachine(parallel: parallel, seed: 1)
        _ = machine.handle(.add(tracks(numbers)), at: .zero)
        return machine
    }

    @Test("Added tracks are saved first and start in order, as many as may run") func starts() {
        var machine = DownloadMachine(parallel: 2, seed: 1)
        let effects = machine.handle(.add(tracks(1...4) + [track(1)]), at: .zero)
        #expect(effects == [.save([id(1), id(2), id(3), id(4)]), .start(track(1)), .start(track(2))])
        #expect(machine.downloads.map(\.state) == [.running, .running, .waiting, .waiting])
        #expect(machine.downloads.map(\.order) == [1, 2, 3, 4])
    }

    @Test("A finished transfer is made a file before the next one starts") func finishes() {
        var machine = machine()
        _ = machine.handle(.progress(id(1), received: 10, total: 100), at: .zero)
        #expect(machine[id(1)]?.received == 10 && machine[id(1)]?.total == 100)
        #expect(machine.handle(.transferFinished(id(1)), at: .zero) == [.finish(id(1))])
        #expect(machine[id(1)]?.state == .running && machine[id(1)]?.received == 100)
        #expect(machine.handle(.finished(id(1)), at: .zero) == [.save([id(1)]), .start(track(3))])
        #expect(machine[id(1)]?.state == .done)
    }

    @Test("Known downloads are left alone, failed ones wait again") func addsAgain() {
        var machine = machine(1...3)
        _ = machine.handle(.pause(.these([id(3)])), at: .zero)
        _ = machine.handle(.transferFailed(id(1), Self.never), at: .zero)
        #expect(machine.handle(.add(tracks(2...3)), at: .zero) == [])
        #expect(machine.handle(.add([track(1)]), at: .zero) == [.save([id(1)]), .start(track(1))])
        #expect(machine[id(3)]?.state == .paused && machine.downloads.map(\.id) == [id(1), id(2), id(3)])
    }

    @Test(
        "Cancel removes a download in every state and leaves nothing behind",
        arguments: ["waiting", "running", "finishing", "paused", "failed", "backing off"])
    func cancels(state: String) {
        var machine = machine(1...3)
        let target = state == "waiting" ? id(3) : id(1)
        switch state {
        case "finishing": _ = machine.handle(.transferFinished(target), at: .zero)
        case "paused": _ = machine.handle(.pause(.these([target])), at: .zero)
        case "failed": _ = machine.handle(.transferFailed(target, Self.never), at: .zero)
        case "backing off": _ = machine.handle(.transferFailed(target, Self.later), at: .zero)
        default: break
        }
        let effects = machine.handle(.cancel(.these([target, target])), at: .zero)
        #expect(effects.prefix(2) == [.remove([target]), .discard(target)])
        #expect(machine[target] == nil)
        // Whatever still arrives for it does not bring it back; a file that was finished meanwhile goes.
        for late: DownloadMachine.Input in [
            .progress(target, received: 5, total: 9), .transferFinished(target), .timeUp(target),
            .transferFailed(target, Self.later), .pause(.all), .resume(.all), .retry(.these([target])),
        ] {
            _ = machine.handle(late, at: .seconds(1))
            #expect(machine[target] == nil)
        }
        #expect(machine.handle(.finished(target), at: .zero).contains(.discard(target)))
        #expect(machine[target] == nil)
    }

    @Test("Cancel all leaves done ones, forget takes only those") func cancelsAll() {
        var machine = machine(1...3)
        _ = machine.handle(.finished(id(1)), at: .zero)
        #expect(machine.handle(.forget([id(2)]), at: .zero) == [])
        let effects = machine.handle(.cancel(.all), at: .zero)
        #expect(effects.first == .remove([id(2), id(3)]))
        #expect(machine.downloads.map(\.id) == [id(1)])
        #expect(machine.handle(.forget([id(1)]), at: .zero) == [.remove([id(1)])])
    }

    @Test("Pause stops transfers but not the finishing of one") func pauses() {
        var machine = machine(1...3)
        _ = machine.handle(.transferFinished(id(1)), at: .zero)
        let effects = machine.handle(.pause(.all), at: .zero)
        #expect(effects == [.save([id(2), id(3)]), .stop(id(2))])
        #expect(machine.downloads.map(\.state) == [.running, .paused, .paused])
        let resumed = machine.handle(.resume(.these([id(3)])), at: .zero)
        #expect(resumed == [.save([id(3)]), .start(track(3))])
        _ = machine.handle(.finished(id(1)), at: .zero)
        #expect(machine.downloads.map(\.state) == [.done, .paused, .running])
    }

    @Test("Back-off doubles up to a minute and ends after eight tries without progress") func backsOff() throws {
        var machine = machine(1...1)
        var now: Duration = .zero
        for attempt in 1...7 {
            let effects = machine.handle(.transferFailed(id(1), Self.later), at: now)
            guard case .wait(_, let pause)? = effects.last else { throw Failure(.internal, "no wait") }
            let base = min(Double(1 << (attempt - 1)), 60)
            #expect(pause >= .seconds(base * 0.8) && pause <= .seconds(min(base * 1.2, 60)))
            #expect(machine[id(1)]?.state == .waiting && machine[id(1)]?.failure?.code == .network)
            #expect(machine[id(1)]?.failure?.subject == id(1))
            now += pause
            #expect(machine.handle(.timeUp(id(1)), at: now) == [.start(track(1))])
            #expect(machine[id(1)]?.failure == nil)
        }
        let end = machine.handle(.transferFailed(id(1), Self.later), at: now)
        #expect(end == [.save([id(1)]), .batchEnded(finished: 0, failed: 1)])
        #expect(machine[id(1)]?.state == .failed && machine[id(1)]?.attempts == 8)
        #expect(machine.handle(.retry(.all), at: now) == [.save([id(1)]), .start(track(1))])
        #expect(machine[id(1)]?.attempts == 0)
    }

    @Test("Only bytes beyond what was there before count as progress") func countsProgress() {
        var machine = machine(1...1)
        func failAndStart() {
            _ = machine.handle(.transferFailed(id(1), Self.later), at: .zero)
            _ = machine.handle(.timeUp(id(1)), at: .seconds(100))
        }
        _ = machine.handle(.progress(id(1), received: 50, total: 100), at: .zero)
        failAndStart()
        #expect(machine[id(1)]?.attempts == 1)
        _ = machine.handle(.progress(id(1), received: 10, total: 100), at: .zero)
        #expect(machine[id(1)]?.attempts == 1 && machine[id(1)]?.received == 10)
        _ = machine.handle(.progress(id(1), received: 51, total: 100), at: .zero)
        #expect(machine[id(1)]?.attempts == 0)
    }

    @Test("A damaged sound is fetched three times at most") func givesUpDamaged() {
        var machine = machine(1...1)
        for _ in 0..<3 {
            _ = machine.handle(.progress(id(1), received: 100, total: 100), at: .zero)
            _ = machine.handle(.transferFinished(id(1)), at: .zero)
            _ = machine.handle(.transferFailed(id(1), Failure(.damagedSound, "x", retry: .later)), at: .zero)
            _ = machine.handle(.timeUp(id(1)), at: .seconds(1000))
        }
        #expect(machine[id(1)]?.state == .failed)
    }

    @Test("A busy server holds every start until its time is over") func holds() throws {
        var machine = machine(1...9)
        let busy = Failure(.serverBusy, "429", retry: .after(seconds: 20))
        let effects = machine.handle(.transferFailed(id(1), busy), at: .seconds(5))
        guard effects.count == 3, case .wait(_, let pause) = effects[1] else { throw Failure(.internal, "\(effects)") }
        #expect(pause >= .seconds(20) && pause <= .seconds(22))
        #expect(effects == [.save([id(1)]), .wait(id(1), pause), .hold(pause)])
        _ = machine.handle(.transferFinished(id(2)), at: .seconds(6))
        #expect(machine.handle(.finished(id(2)), at: .seconds(6)) == [.save([id(2)])])
        #expect(machine.handle(.retry(.all), at: .seconds(6)) == [.save([id(1)])])
        #expect(machine.handle(.holdOver, at: .seconds(10)) == [.hold(pause - .seconds(5))])
        #expect(machine.handle(.holdOver, at: .seconds(5) + pause) == [.start(track(1)), .start(track(3))])
    }

    @Test(
        "Nothing is started into a full disk until somebody says so",
        arguments: [
            DownloadMachine.Input.retry(.all), .resume(.all), .spaceIsBack,
            .retry(.these([TrackID(owner: 1, audio: 1)])),
            .add([Track(id: TrackID(owner: 1, audio: 1), artist: "A", title: "T1")]),
        ])
    func mindsFullDisk(way: DownloadMachine.Input) {
        var machine = machine(1...5)
        #expect(machine.handle(.transferFailed(id(1), Self.full), at: .zero) == [.save([id(1)])])
        #expect(machine[id(1)]?.state == .failed && machine.isDiskFull)
        #expect(machine.handle(.add([track(6)]), at: .zero) == [.save([id(6)])])
        #expect(machine.handle(.online(true), at: .zero) == [])
        let effects = machine.handle(way, at: .zero)
        #expect(effects == [.save([id(1)]), .start(track(1))])
        #expect(!machine.isDiskFull)
    }

    @Test("Offline stops transfers, online goes on at once") func goesOffline() {
        var machine = machine(1...3)
        _ = machine.handle(.transferFinished(id(1)), at: .zero)
        #expect(machine.handle(.online(false), at: .zero) == [.save([id(2)]), .stop(id(2))])
        #expect(machine.handle(.add([track(4)]), at: .zero) == [.save([id(4)])])
        #expect(machine.handle(.finished(id(1)), at: .zero) == [.save([id(1)])])
        #expect(machine.handle(.online(true), at: .zero) == [.start(track(2)), .start(track(3))])
        _ = machine.handle(.transferFailed(id(2), Self.later), at: .zero)
        // Track 4 has taken its place; once that is done, track 2 needs no timer any more.
        #expect(machine.handle(.online(true), at: .zero) == [.save([id(2)])])
        #expect(machine[id(2)]?.attempts == 0)
        #expect(machine.handle(.transferFailed(id(4), Self.never), at: .zero) == [.save([id(4)]), .start(track(2))])
    }

    @Test("Fewer at once stops those that started last; more starts the next") func changesParallel() {
        var machine = machine(1...5, parallel: 3)
        _ = machine.handle(.transferFinished(id(3)), at: .zero)
        #expect(machine.handle(.setParallel(1), at: .zero) == [.save([id(2), id(1)]), .stop(id(2)), .stop(id(1))])
        #expect(machine.handle(.finished(id(3)), at: .zero) == [.save([id(3)]), .start(track(1))])
        #expect(machine.handle(.setParallel(99), at: .zero) == [.start(track(2)), .start(track(4)), .start(track(5))])
        #expect(machine.parallel == 16)
    }

    @Test("After a restart what ran waits, what backed off backs off, and order is kept") func restores() {
        var machine = DownloadMachine(parallel: 2, seed: 9)
        let stored = [
            Download(track: track(3), state: .waiting, failure: Self.later, attempts: 3, order: 30),
            Download(track: track(1), state: .running, received: 7, order: 10),
            Download(track: track(2), state: .failed, failure: Self.never, order: 20),
            Download(track: track(4), state: .paused, order: 40), Download(track: track(5), state: .done, order: 5),
            Download(track: track(1), state: .done, order: 99),
        ]
        let effects = machine.handle(.restore(stored), at: .zero)
        #expect(machine.downloads.map(\.id) == [id(5), id(1), id(2), id(3), id(4)])
        #expect(machine.downloads.map(\.state) == [.done, .running, .failed, .waiting, .paused])
        #expect(effects.count == 2 && effects.last == .start(track(1)))
        if case .wait(let waiting, let pause)? = effects.first {
            #expect(waiting == id(3) && pause >= .seconds(3.2) && pause <= .seconds(4.8))
        } else {
            Issue.record("no wait")
        }
        _ = machine.handle(.add([track(6)]), at: .zero)
        #expect(machine[id(6)]?.order == 41)
    }

    @Test("A batch's end is told once") func tellsBatch() {
        var machine = machine(1...2)
        #expect(!machine.handle(.finished(id(1)), at: .zero).contains(.batchEnded(finished: 1, failed: 0)))
        let effects = machine.handle(.transferFailed(id(2), Self.never), at: .zero)
        #expect(effects.last == .batchEnded(finished: 1, failed: 1))
        #expect(machine.handle(.online(true), at: .zero) == [])
    }

    @Test("Cancelled while finishing and wished for again: the file is taken") func takesLateFile() {
        var machine = machine(1...1)
        _ = machine.handle(.transferFinished(id(1)), at: .zero)
        _ = machine.handle(.cancel(.all), at: .zero)
        _ = machine.handle(.add([track(1)]), at: .zero)
        let effects = machine.handle(.finished(id(1)), at: .zero)
        #expect(effects == [.save([id(1)]), .stop(id(1)), .batchEnded(finished: 1, failed: 0)])
    }

    @Test("Ten thousand downloads run through in no time") func isFast() {
        var machine = machine(1...10_000, parallel: 3)
        let clock = ContinuousClock()
        let took = clock.measure {
            for number in 1...10_000 as ClosedRange<Int64> {
                _ = machine.handle(.progress(id(number), received: 1, total: 2), at: .zero)
                _ = machine.handle(.transferFinished(id(number)), at: .zero)
                _ = machine.handle(.finished(id(number)), at: .zero)
            }
        }
        #expect(machine.downloads.allSatisfy { $0.state == .done })
        #expect(took < .seconds(10))
    }
}
