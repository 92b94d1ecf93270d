import Testing

@testable import NyanCore

/// The world around the machine as far as the effects go: what runs, what was thrown away.
private struct DownloadWorld {
    var transfers: Set<TrackID> = []
    var finishing: Set<TrackID> = []
    var timers: [TrackID: Duration] = [:]
    var holdEnd: Duration?
    var complaints: [String] = []
    /// What was heard or next at some time.
    var heard: Set<TrackID> = []

    mutating func carryOut(_ effects: [DownloadMachine.Effect], at now: Duration) {
        for effect in effects {
            switch effect {
            case .start(let track):
                if transfers.contains(track.id) || finishing.contains(track.id) {
                    complaints.append("\(track.id) started twice")
                }
                transfers.insert(track.id)
            case .stop(let id):
                if transfers.remove(id) == nil { complaints.append("\(id) stopped though it did not run") }
            case .finish(let id):
                if transfers.remove(id) == nil { complaints.append("\(id) finished though it did not run") }
                finishing.insert(id)
            case .discard(let id):
                transfers.remove(id)
                finishing.remove(id)
                timers[id] = nil
            case .wait(let id, let pause):
                if pause <= .zero { complaints.append("\(id) waits for nothing") }
                timers[id] = now + pause
            case .hold(let pause): holdEnd = now + pause
            case .save, .remove, .batchEnded: break
            }
        }
    }
}

@Suite("Downloads, at random") struct DownloadWalkTests {
    @Test("No order of events breaks the promises", arguments: 1...40)
    func walks(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        var machine = DownloadMachine(parallel: 3, seed: UInt64(seed))
        var world = DownloadWorld()
        var now: Duration = .zero
        for step in 0..<600 {
            now += .milliseconds(Int.random(in: 0...5_000, using: &random))
            let input = Self.input(&random, world, machine)
            let before = machine
            let effects = machine.handle(input, at: now)
            // A transfer that ended by itself is gone before its effects are carried out.
            if case .transferFailed(let id, _) = input, before[id]?.state == .running {
                world.transfers.remove(id)
                world.finishing.remove(id)
            }
            if case .placeFailed(let id, _) = input, before[id]?.state == .running {
                world.transfers.remove(id)
                world.finishing.remove(id)
            }
            if case .listening(let ids) = input { world.heard.formUnion(ids) }
            if case .finished(let id) = input { world.finishing.remove(id) }
            if case .timeUp(let id) = input { world.timers[id] = nil }
            if case .holdOver = input { world.holdEnd = nil }
            world.carryOut(effects, at: now)
            let problems = Self.problems(machine, world, input, effects, before, at: now)
            #expect(problems.isEmpty, "seed \(seed), step \(step), \(input): \(problems)")
            if !problems.isEmpty { return }
        }
        finishCalmly(&machine, &world, now)
    }

    /// With a good network and patience every download that is not paused comes to an end.
    private func finishCalmly(_ machine: inout DownloadMachine, _ world: inout DownloadWorld, _ start: Duration) {
        var now = start
        var inputs: [DownloadMachine.Input] = [.online(true), .retry(.all), .resume(.all)]
        for _ in 0..<400 {
            now += .seconds(30_000)
            inputs += world.timers.keys.map { .timeUp($0) } + (world.holdEnd == nil ? [] : [.holdOver])
            inputs += world.transfers.map { .transferFinished($0) } + world.finishing.map { .finished($0) }
            guard !inputs.isEmpty else { break }
            world.timers = [:]
            world.holdEnd = nil
            for input in inputs {
                if case .finished(let id) = input { world.finishing.remove(id) }
                world.carryOut(machine.handle(input, at: now), at: now)
            }
            inputs = []
        }
        #expect(machine.downloads.allSatisfy { $0.state == .done }, "\(machine.downloads.map(\.state))")
        #expect(world.transfers.isEmpty && world.finishing.isEmpty && world.complaints.isEmpty)
    }

    private static func id(_ random: inout SeededNumbers) -> TrackID {
        TrackID(owner: 1, audio: Int64.random(in: 1...12, using: &random))
    }

    private static func input(
        _ random: inout SeededNumbers, _ world: DownloadWorld, _ machine: DownloadMachine
    ) -> DownloadMachine.Input {
        let one = id(&random)
        let some: DownloadMachine.Selection =
            Int.random(in: 0..<4, using: &random) == 0 ? .all : .these([one, id(&random)])
        // Often something about a download that really runs.
        let live = (world.transfers.union(world.finishing)).sorted { $0.audio < $1.audio }
        let target =
            live.isEmpty || Int.random(in: 0..<5, using: &random) == 0
            ? one : live[Int.random(in: 0..<live.count, using: &random)]
        switch Int.random(in: 0..<25, using: &random) {
        case 0...2: return .add([one, id(&random)].map { Track(id: $0, artist: "", title: "") })
        case 3: return .cancel(some)
        case 4: return .pause(some)
        case 5: return .resume(some)
        case 6: return .retry(some)
        case 7: return .forget([one])
        case 8...10: return .progress(target, received: Int64.random(in: 0...99, using: &random), total: 99)
        case 11...12: return .transferFinished(target)
        case 13...14 where world.finishing.contains(target) || machine[target] == nil: return .finished(target)
        case 15...16: return .transferFailed(target, failure(&random))
        case 17: return .timeUp(one)
        case 18: return world.holdEnd == nil ? .spaceIsBack : .holdOver
        case 19: return .online(Int.random(in: 0..<3, using: &random) > 0)
        case 20: return .setParallel(Int.random(in: 0...5, using: &random))
        case 21: return .located([one: Int.random(in: 0..<2, using: &random) == 0 ? "a" : "b"])
        case 22: return .listening([one, id(&random)])
        case 23: return .placeFailed(target, Failure(.fileAccess, ""))
        default: return .timeUp(target)
        }
    }

    private static func failure(_ random: inout SeededNumbers) -> Failure {
        let all: [Failure] = [
            Failure(.network, "", retry: .later), Failure(.unavailableTrack, ""), Failure(.diskFull, ""),
            Failure(.serverBusy, "", retry: .after(seconds: 20)), Failure(.timeout, "", retry: .after(seconds: .nan)),
            Failure(.damagedSound, "", retry: .later), Failure(.offline, ""), Failure(.timeout, "", retry: .later),
            busy("a", .after(seconds: 7)), busy("b", .later), busy("a", .later),
        ]
        return all[Int.random(in: 0..<all.count, using: &random)]
    }

    private static func busy(_ host: String, _ retry: Failure.Retry) -> Failure {
        var failure = Failure(.serverBusy, "", retry: retry)
        failure.host = host
        return failure
    }

    private static func problems(
        _ machine: DownloadMachine, _ world: DownloadWorld, _ input: DownloadMachine.Input,
        _ effects: [DownloadMachine.Effect], _ before: DownloadMachine, at now: Duration
    ) -> [String] {
        var problems = world.complaints
        let downloads = machine.downloads
        let running = Set(downloads.filter { $0.state == .running }.map(\.id))
        if running != world.transfers.union(world.finishing) { problems.append("what runs is not what was started") }
        let startedNow = effects.compactMap { if case .start(let track) = $0 { track.id } else { nil } }
        let started = startedNow.count
        // What is heard now and next needs no place among them.
        let most = machine.parallel + running.intersection(world.heard).count
        if started > 0, running.count > most { problems.append("too many run") }
        let isIntoHold = startedNow.contains { machine.isHeld(machine.items[$0]?.host, at: now) }
        if isIntoHold { problems.append("started though its host asks for a pause") }
        if !machine.hostHolds.isEmpty, world.holdEnd == nil { problems.append("a host's hold without a timer") }
        if !world.finishing.isSubset(of: running) { problems.append("a finishing one is not running") }
        let atMost = machine.parallel + running.intersection(machine.listening).count
        if running.subtracting(world.finishing).count > atMost { problems.append("too many transfers") }
        if !machine.isOnline, !world.transfers.isEmpty { problems.append("a transfer runs offline") }
        let isHeld = machine.placeTrouble != nil || machine.holdUntil != nil
        if started > 0, isHeld { problems.append("started in spite of a hold") }
        if downloads.map(\.order) != downloads.map(\.order).sorted() { problems.append("order is lost") }
        if Set(downloads.map(\.id)).count != downloads.count { problems.append("one is listed twice") }
        for download in downloads where before[download.id] == nil {
            guard case .add = input else { return problems + ["\(download.id) came back"] }
        }
        for download in downloads where download.state == .waiting && machine.items[download.id]?.waitsUntil != nil {
            if world.timers[download.id] == nil { problems.append("\(download.id) waits without a timer") }
        }
        if machine.holdUntil != nil, world.holdEnd == nil { problems.append("a hold without a timer") }
        // Room, network and a ready download: then something must run.
        let isFree = machine.isOnline && !isHeld
        let isReady = machine.items.values.contains { item in
            // A pause is over when its timer says so.
            item.download.state == .waiting && item.waitsUntil == nil
                && item.host.map { machine.hostHolds[$0] == nil } ?? true
                && (machine.hostHolds.isEmpty || item.host != nil || machine.probes < DownloadMachine.mostProbes)
        }
        if isFree, isReady, running.count < machine.parallel { problems.append("idle though there is work") }
        return problems
    }
}
