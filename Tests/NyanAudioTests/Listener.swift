import Dispatch
import Glibc
import NyanAudio
import NyanCore
import NyanTestKit
import Testing

/// An engine with everything it told, and a way to wait for what it tells next.
final class Listener {
    let engine: GstEngine
    private(set) var events: [EngineEvent] = []
    private(set) var wants: [Int64] = []
    private var waiters: [Waiter] = []
    private var nextWaiter = 0

    private struct Waiter {
        var id: Int
        var matches: (EngineEvent) -> Bool
        var wake: CheckedContinuation<EngineEvent?, Never>
        /// Cancelled when the event comes: a timer left over would wake a test that counts wakeups.
        var limit: any DispatchSourceTimer
    }

    init(sink: String = "fakesink sync=true", volume: Double = 1) {
        engine = GstEngine(sink: sink, initialVolume: volume)
        engine.onEvent = { [weak self] event in self?.took(event) }
        engine.onWant = { [weak self] _, offset in self?.wants.append(offset) }
    }

    private func took(_ event: EngineEvent) {
        events.append(event)
        let woken = waiters.filter { $0.matches(event) }
        waiters.removeAll { $0.matches(event) }
        for waiter in woken {
            waiter.limit.cancel()
            waiter.wake.resume(returning: event)
        }
    }

    /// The next event that matches, or one already told since `after` events were; fails the test when none comes.
    @discardableResult
    func wait(
        _ what: String, within limit: Duration = .seconds(20), from after: Int? = nil,
        location: SourceLocation = #_sourceLocation, _ matches: @escaping (EngineEvent) -> Bool
    ) async -> EngineEvent? {
        if let told = events.dropFirst(after ?? 0).first(where: matches) { return told }
        let event = await withCheckedContinuation { wake in
            nextWaiter += 1
            let id = nextWaiter
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now() + limit.inSeconds * Patience.factor)
            timer.setEventHandler { [weak self] in self?.giveUp(id) }
            timer.activate()
            waiters.append(Waiter(id: id, matches: matches, wake: wake, limit: timer))
        }
        if event == nil { Issue.record("no \(what) within \(limit); told: \(events)", sourceLocation: location) }
        return event
    }

    private func giveUp(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        let waiter = waiters.remove(at: index)
        waiter.limit.cancel()
        waiter.wake.resume(returning: nil)
    }

    /// Events without lengths, which come when they come.
    var plot: [EngineEvent] {
        events.filter { if case .lengthKnown = $0 { false } else { true } }
    }
}

extension Listener {
    func load(_ number: UInt64, _ bytes: [UInt8], at: Duration = .zero, playing: Bool = true) {
        load(number, MemorySource(bytes), at: at, playing: playing)
    }

    func load(
        _ number: UInt64, _ source: any ByteSource, expected: Duration? = nil, at: Duration = .zero,
        playing: Bool = true
    ) {
        engine.load(LoadNumber(number), Sound(bytes: source, expectedLength: expected), at: at, playing: playing)
    }

    func stage(_ number: UInt64, _ bytes: [UInt8]) {
        engine.stage(LoadNumber(number), Sound(bytes: MemorySource(bytes), expectedLength: nil))
    }

    func started(_ number: UInt64) async { await wait("started \(number)") { $0 == .started(LoadNumber(number)) } }
    func ended(_ number: UInt64, within limit: Duration = .seconds(30)) async {
        await wait("ended \(number)", within: limit) { $0 == .ended(LoadNumber(number)) }
    }

    /// The failure of this load.
    func failed(_ number: UInt64, within limit: Duration = .seconds(20)) async -> Failure? {
        let event = await wait("failure of \(number)", within: limit) {
            if case .failed(LoadNumber(number), _) = $0 { true } else { false }
        }
        if case .failed(_, let failure)? = event { return failure }
        return nil
    }

    /// Where it is, in seconds; -1 where there is no sound.
    var place: Double { engine.position()?.position.inSeconds ?? -1 }

    /// Waits until the clock has moved beyond this second: how soon it does is the machine's affair.
    func plays(beyond second: Double, location: SourceLocation = #_sourceLocation) async {
        for _ in 0..<2000 where place <= second { await listen(for: .milliseconds(10)) }
        #expect(place > second, sourceLocation: location)
    }

    /// Lets the main queue turn for so long, for tests that watch that nothing happens.
    func listen(for time: Duration) async {
        await withCheckedContinuation { wake in
            DispatchQueue.main.asyncAfter(deadline: .now() + time.inSeconds) { wake.resume() }
        }
    }
}

extension Duration {
    nonisolated var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
