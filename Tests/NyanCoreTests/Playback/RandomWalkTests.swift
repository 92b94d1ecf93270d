import NyanCore
import Testing

/// Thousands of inputs at random, with everything that must always be true checked after each.
@Suite("Random walks")
struct RandomWalkTests {
    @Test("in a world that tells the truth, no effect is senseless and no load is lost", arguments: 1...24)
    func truthful(_ seed: Int) { walk(seed, steps: 1_000, nonsense: 0) }

    @Test("in a confused world the state stays sound", arguments: 1...12)
    func confused(_ seed: Int) { walk(seed, steps: 1_000, nonsense: 4) }

    private func walk(_ seed: Int, steps: Int, nonsense: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var scene = Scene(seed: UInt64(seed))
        var world = World()
        var trail: [String] = []
        for step in 1...steps {
            if Bool.random(using: &random) { scene.wait(.milliseconds(Int.random(in: 0...8_000, using: &random))) }
            guard let input = input(nonsense, &world, scene, &random) else { continue }
            let before = scene
            let effects = scene.send(input)
            // A jump in the world's answer is judged by the length that held when it was asked for.
            world.run(effects, length: nonsense > 0 ? nil : scene.state.length ?? before.state.length)
            trail = trail.suffix(6) + ["\(input) → \(short(effects))"]
            let complaints = world.complaints + Self.complaints(about: scene, world)
            guard complaints.isEmpty else {
                Issue.record("seed \(seed), step \(step): \(complaints)\n\(trail.joined(separator: "\n"))")
                return
            }
        }
        world.run(scene.command(.stop), length: nil)
        #expect(world.complaints == [])
        #expect(world.alive.isEmpty)
        #expect(world.prepared == world.released)
        #expect(world.prepared > steps / 40, "the walk stood still")
    }

    private func input(
        _ nonsense: Int, _ world: inout World, _ scene: Scene, _ random: inout SeededRandom
    ) -> PlaybackInput? {
        if Int.random(in: 0..<20, using: &random) == 0 { return Bool.random(using: &random) ? .willSleep : .didWake }
        return switch Int.random(in: 0...(9 + nonsense), using: &random) {
        case 0...3: .command(World.wish(with: &random, entries: scene.state.entries))
        case 4...9: world.event(with: &random)
        default: World.nonsense(with: &random)
        }
    }

    /// What is wrong with a state; empty when nothing is.
    private static func complaints(about scene: Scene, _ world: World) -> [String] {
        let state = scene.state
        var found: [String] = []
        func check(_ isTrue: Bool, _ complaint: String) { if !isTrue { found.append(complaint) } }
        let ids = Set(state.entries.map(\.id))
        check(ids.count == state.entries.count, "ids are not unique")
        check(state.current.map(ids.contains) ?? state.entries.isEmpty, "current is not an entry")
        check(state.nearby.count == min(20, state.entries.count), "\(state.nearby.count) are near")
        check(state.nearby.contains { $0.id == state.current } || state.current == nil, "the current one is not near")
        check(state.nearby.allSatisfy(state.entries.contains), "what is near is not in the queue")
        check(state.current != nil || state.status == .stopped, "\(state.status) without an entry")
        check(scene.position >= .zero, "position below zero")
        check(state.length.map { scene.position <= $0 } ?? true, "position beyond the end")
        check((0...1).contains(state.volume), "volume \(state.volume)")
        check(state.status != .stopped || scene.position == .zero, "stopped at \(scene.position)")
        check(state.status != .stopped || (world.alive.isEmpty && world.loaded == nil), "stopped but not silent")
        check(
            state.status != .playing || scene.machine.isHeldForSleep
                || world.alive.values.contains { $0 == state.current }, "playing without a load")
        check(!scene.machine.isHeldForSleep || state.isBuffering, "held for the sleep without a sign of it")
        check(state.status == .playing || state.position.runningSince == nil, "the clock runs while \(state.status)")
        check(!state.isBuffering || state.status == .playing, "buffering while \(state.status)")
        check(!state.isBuffering || state.position.runningSince == nil, "the clock runs while buffering")
        check(state.sleepTimer == nil || state.status != .stopped, "a sleep timer while stopped")
        check(!world.isFading || state.status == .playing && state.sleepTimer != nil, "fades for nothing")
        // What is joined to a dead load is silent, and goes with it.
        let isJoined = world.staged != nil && world.loaded.map { world.alive[$0] != nil } ?? false
        check(state.sleepTimer != .endOfTrack || !isJoined, "a sound is joined to the last before sleep")
        return found + steps(scene) + restart(scene)
    }

    /// canGoNext and canGoPrevious say what the commands do.
    private static func steps(_ scene: Scene) -> [String] {
        var (ahead, behind, back) = (scene, scene, scene)
        let isAlone = scene.state.entries.count == 1
        let goes = !ahead.command(.next).isEmpty
        // From the very start of the track, so that `previous` does not mean its beginning.
        behind.command(.stop)
        let returns = !behind.command(.previous).isEmpty
        var found: [String] = []
        if goes != scene.state.canGoNext { found.append("canGoNext is \(!goes)") }
        if goes, !isAlone, ahead.state.current == scene.state.current { found.append("next stays") }
        if returns != scene.state.canGoPrevious { found.append("canGoPrevious is \(!returns)") }
        if returns, !isAlone, behind.state.current == scene.state.current { found.append("previous stays") }
        if goes, scene.state.repeatMode != .track {
            back.command(.stop)
            back.command(.next)
            back.command(.previous)
            if back.state.current != scene.state.current { found.append("previous does not undo next") }
        }
        return found
    }

    /// A restart finds the same way back as far as it was played, and the same way forth as far as it is known.
    private static func path(_ scene: Scene, _ saved: SavedPlayback) -> [String] {
        guard let current = saved.order.firstIndex(where: { $0 == saved.current }) else { return [] }
        let loops = saved.repeatMode == .queue
        let known = [
            (PlaybackCommand.previous, current + (loops ? saved.roundsBefore.joined().count : 0)),
            (.next, saved.order.count - 1 - current + (loops ? saved.roundsAfter.joined().count : 0)),
        ]
        return known.compactMap { command, steps in
            var (one, other) = (scene, Scene(restoring: saved, seed: 3))
            one.command(.stop)
            other.command(.stop)
            for _ in 0..<min(steps, 40) {
                one.command(command)
                other.command(command)
                if one.state.current != other.state.current { return "a restart changes the way of \(command)" }
            }
            return nil
        }
    }

    /// A restart now would find the same.
    private static func restart(_ scene: Scene) -> [String] {
        let saved = scene.machine.saved(at: scene.now)
        let again = PlaybackMachine(restoring: saved, seed: 3).state
        let isSame =
            again.entries == scene.state.entries && again.current == scene.state.current
            && again.volume == scene.state.volume && again.repeatMode == scene.state.repeatMode
            && again.shuffle == scene.state.shuffle && again.status != .playing
            && again.canGoNext == scene.state.canGoNext && again.canGoPrevious == scene.state.canGoPrevious
        let order = saved.shuffle ? Set(saved.order) == Set(saved.entries.map(\.id)) : saved.order.isEmpty
        let numbers = saved.entries.allSatisfy { $0.id.number < saved.nextEntry }
        return (isSame ? [] : ["a restart changes the state"]) + path(scene, saved)
            + (order ? [] : ["the saved order is not the queue"])
            + (numbers && saved.order.count == (saved.shuffle ? saved.entries.count : 0) ? [] : ["saved numbers"])
    }
}
