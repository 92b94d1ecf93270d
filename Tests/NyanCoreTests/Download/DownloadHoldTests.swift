import Testing

@testable import NyanCore

@Suite("Pauses of hosts") struct DownloadHoldTests {
    private func id(_ number: Int64) -> TrackID { TrackID(owner: 1, audio: number) }
    private func track(_ number: Int64) -> Track { Track(id: id(number), artist: "A", title: "T\(number)") }

    private func busy(_ host: String, _ seconds: Double? = nil) -> Failure {
        var failure = Failure(.serverBusy, "\(host) asks to wait", retry: seconds.map { .after(seconds: $0) } ?? .later)
        failure.host = host
        return failure
    }

    /// Downloads 1, 3, 5… come from host a, 2, 4, 6… from b.
    private func machine(_ count: Int64 = 6, parallel: Int = 2, located: Bool = true) -> DownloadMachine {
        var machine = DownloadMachine(parallel: parallel, seed: 1)
        _ = machine.handle(.add((1...count).map(track)), at: .zero)
        if located {
            let hosts = (1...count).map { (id($0), $0 % 2 == 1 ? "a" : "b") }
            _ = machine.handle(.located(Dictionary(uniqueKeysWithValues: hosts)), at: .zero)
        }
        return machine
    }

    private func starts(_ effects: [DownloadMachine.Effect]) -> [TrackID] {
        effects.compactMap { if case .start(let track) = $0 { track.id } else { nil } }
    }

    private func pause(_ effects: [DownloadMachine.Effect]) -> Duration? {
        effects.lazy.compactMap { if case .hold(let pause) = $0 { pause } else { nil } }.first
    }

    @Test("A host that asks for a pause holds its own downloads only") func ownOnly() throws {
        var machine = machine()
        let effects = machine.handle(.transferFailed(id(1), busy("a", 20)), at: .zero)
        let left = try #require(pause(effects))
        #expect(left >= .seconds(20) && left <= .seconds(22) && starts(effects) == [id(4)])
        #expect(machine[id(1)]?.state == .waiting && machine[id(1)]?.failure?.host == "a")
        #expect(machine.holds(at: .seconds(5)) == ["a": left - .seconds(5)])
        _ = machine.handle(.transferFinished(id(2)), at: .zero)
        #expect(starts(machine.handle(.finished(id(2)), at: .zero)) == [id(6)])
        #expect(machine.upcoming(50, at: .zero).isEmpty)
        _ = machine.handle(.transferFinished(id(4)), at: .zero)
        #expect(starts(machine.handle(.finished(id(4)), at: .seconds(19))).isEmpty)
        // A wish does not shorten what a server asked for.
        #expect(starts(machine.handle(.retry(.all), at: .seconds(19))).isEmpty)
        #expect(machine.handle(.holdOver, at: .seconds(19)) == [.hold(left - .seconds(19))])
        #expect(starts(machine.handle(.holdOver, at: left)) == [id(1)])
    }

    @Test("What all workers hear in one moment is one answer: one pause, one attempt") func once() throws {
        var machine = machine(9, parallel: 3, located: false)
        let first = try #require(pause(machine.handle(.transferFailed(id(1), busy("a", 20)), at: .zero)))
        for number in [2, 3, 4, 5] as [Int64] {
            let more = machine.handle(.transferFailed(id(number), busy("a", 20)), at: .milliseconds(number))
            #expect(pause(more) == nil)
        }
        #expect(machine.holds(at: .zero) == ["a": first])
        #expect((1...5).map { machine[id($0)]?.attempts } == [1, 0, 0, 0, 0])
        // It asks for longer: that is new.
        let longer = machine.handle(.transferFailed(id(6), busy("a", 60)), at: .seconds(1))
        #expect(pause(longer) == .seconds(60))
    }

    @Test(
        "Without a time of its own a host's pauses double up to a minute, until bytes come", arguments: [true, false])
    func doubles(bytesCome: Bool) throws {
        var machine = machine(20, parallel: 1, located: false)
        let hosts = (1...20).map { (id($0), "a") }
        _ = machine.handle(.located(Dictionary(uniqueKeysWithValues: hosts)), at: .zero)
        var now = Duration.zero
        for round in 0..<9 {
            let running = try #require(machine.running.first)
            if bytesCome { _ = machine.handle(.progress(running, received: Int64(round + 1), total: 99), at: now) }
            let left = try #require(pause(machine.handle(.transferFailed(running, busy("a")), at: now)))
            let base = bytesCome && round > 0 ? 1 : min(Double(1 << round), 60)
            #expect(left >= .seconds(base * 0.8) && left <= .seconds(min(base * 1.2, 60)), "round \(round): \(left)")
            now += left
            _ = machine.handle(.holdOver, at: now)
        }
    }

    @Test("A host of unknown downloads is not tried by all of them in turn") func probes() {
        var machine = machine(1000, parallel: 3, located: false)
        var tried = 0
        var queue: [TrackID] = [id(1), id(2), id(3)]
        while let next = queue.popLast() {
            tried += 1
            queue += starts(machine.handle(.transferFailed(next, busy("a", 20)), at: .milliseconds(tried)))
        }
        #expect(tried == 3 + DownloadMachine.mostProbes)
        #expect(starts(machine.handle(.holdOver, at: .seconds(30))).count == 3)
    }

    @Test("Pauses of an earlier run go on; silly ones are cut") func restores() {
        var machine = DownloadMachine(parallel: 2, seed: 1)
        _ = machine.handle(
            .restoreHolds(["a": .seconds(30), "b": .seconds(1 << 40), "c": .seconds(-5)]), at: .seconds(7))
        let rows = (1...3).map { number in
            Download(
                track: track(number), failure: number < 3 ? busy("a", 60) : nil, attempts: number < 3 ? 1 : 0,
                order: number)
        }
        #expect(starts(machine.handle(.restore(rows), at: .seconds(7))) == [id(3)])
        #expect(machine.holds(at: .seconds(7)).keys.sorted() == ["a", "b"])
        #expect(machine.holds(at: .seconds(7))["b"].map { $0 < .seconds(7 * 3600) } == true)
        #expect(starts(machine.handle(.holdOver, at: .seconds(37))) == [id(1)])
    }

    @Test("VK's own pause, kept from an earlier run, holds everything") func everyHost() {
        var machine = DownloadMachine(parallel: 2, seed: 1)
        _ = machine.handle(.restoreHolds([DownloadMachine.everyHost: .seconds(30)]), at: .zero)
        let row = Download(
            track: track(1), failure: Failure(.serverBusy, "", retry: .after(seconds: 60)), attempts: 1, order: 1)
        #expect(starts(machine.handle(.restore([row]), at: .zero)).isEmpty)
        #expect(starts(machine.handle(.holdOver, at: .seconds(30))) == [id(1)])
    }

    @Test("A cancelled download of a held host is gone for good") func cancels() {
        var machine = machine()
        _ = machine.handle(.transferFailed(id(1), busy("a", 20)), at: .zero)
        #expect(machine.handle(.cancel(.these([id(1)])), at: .zero).prefix(2) == [.remove([id(1)]), .discard(id(1))])
        _ = machine.handle(.holdOver, at: .seconds(30))
        #expect(machine[id(1)] == nil)
    }
}

@Suite("Who goes first, and folders") struct DownloadPlaceTests {
    private func id(_ number: Int64) -> TrackID { TrackID(owner: 1, audio: number) }
    private func track(_ number: Int64) -> Track { Track(id: id(number), artist: "A", title: "T\(number)") }

    private func machine(_ count: Int64) -> DownloadMachine {
        var machine = DownloadMachine(parallel: 2, seed: 1)
        _ = machine.handle(.add((1...count).map(track)), at: .zero)
        return machine
    }

    @Test("What is heard now and next starts at once, beside the others; the rest keeps its order") func listening() {
        var machine = machine(9)
        #expect(machine.handle(.listening([id(7), id(5), id(6)]), at: .zero) == [.start(track(7)), .start(track(5))])
        #expect(machine.running == [id(1), id(2), id(7), id(5)])
        _ = machine.handle(.transferFinished(id(7)), at: .zero)
        #expect(machine.handle(.finished(id(7)), at: .zero) == [.save([id(7)])])
        for number in [5, 2] as [Int64] { _ = machine.handle(.finished(id(number)), at: .zero) }
        #expect(machine.running == [id(1), id(3)])
        #expect(machine.downloads.map(\.order) == Array(1...9))
    }

    @Test("What is heard is not started when it is paused, backs off, or nothing may start") func listeningHeld() {
        var machine = machine(9)
        _ = machine.handle(.pause(.these([id(7)])), at: .zero)
        #expect(machine.handle(.listening([id(7)]), at: .zero).isEmpty)
        _ = machine.handle(.online(false), at: .zero)
        #expect(machine.handle(.listening([id(8)]), at: .zero).isEmpty)
    }

    @Test("A folder that is away holds the list until it is back; those that met it go on then")
    func placeFailed() {
        var machine = machine(5)
        let away = Failure(.fileAccess, "/music is not there")
        #expect(machine.handle(.placeFailed(id(1), away), at: .zero) == [.save([id(1)])])
        #expect(machine[id(1)]?.state == .failed && machine.placeTrouble?.code == .fileAccess && !machine.isDiskFull)
        #expect(machine.handle(.finished(id(2)), at: .zero).contains(.batchEnded(finished: 1, failed: 1)))
        #expect(machine.handle(.spaceIsBack, at: .zero) == [.save([id(1)]), .start(track(1)), .start(track(3))])
        #expect(machine.placeTrouble == nil)
    }

    @Test("Once those that met the trouble are cancelled, it is not known any more") func cancelled() {
        var machine = machine(5)
        _ = machine.handle(.transferFailed(id(1), Failure(.diskFull, "full")), at: .zero)
        _ = machine.handle(.transferFailed(id(2), Failure(.diskFull, "full")), at: .zero)
        _ = machine.handle(.cancel(.these([id(1)])), at: .zero)
        #expect(machine.isDiskFull)
        let effects = machine.handle(.cancel(.these([id(2)])), at: .zero)
        #expect(!machine.isDiskFull && effects.suffix(2) == [.start(track(3)), .start(track(4))])
    }

    @Test("A full disk that an earlier run met is waited for, not run into again") func restored() {
        var machine = DownloadMachine(parallel: 2, seed: 1)
        let failed = Download(track: track(1), state: .failed, failure: Failure(.diskFull, "full"), order: 1)
        #expect(machine.handle(.restore([failed, Download(track: track(2), order: 2)]), at: .zero).isEmpty)
        #expect(machine.isFresh && machine.isDiskFull)
        #expect(machine.handle(.spaceIsBack, at: .zero).suffix(2) == [.start(track(1)), .start(track(2))])
    }

    @Test("A cancel in a hold of the disk leaves nothing, whatever state it meets") func cancelHeld() {
        var machine = machine(5)
        _ = machine.handle(.transferFailed(id(1), Failure(.diskFull, "full")), at: .zero)
        _ = machine.handle(.transferFinished(id(2)), at: .zero)
        let effects = machine.handle(.cancel(.all), at: .zero)
        #expect(effects.dropLast() == [.remove((1...5).map(id))] + (1...5).map { .discard(id($0)) })
        #expect(effects.last == .batchEnded(finished: 0, failed: 1))
        #expect(machine.handle(.finished(id(2)), at: .zero) == [.discard(id(2))])
        #expect(machine.handle(.spaceIsBack, at: .zero).isEmpty && machine.downloads.isEmpty)
    }
}
