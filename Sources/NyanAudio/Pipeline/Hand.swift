internal import CGst
internal import Dispatch
internal import Synchronization

/// Does to a pipeline what may take long, on a thread of its own: state changes and seeks.
///
/// pulsesink waits for its server in most of them, for ever if the server is frozen. The main actor must go on all the
/// same, so it waits for a moment only. Going up, what is late stays under way: the server may wake. Going down, a late
/// pipeline is given up: the engine makes a new one, and the old one goes to NULL should it ever come round
/// (docs/decisions/0007).
final class Hand {
    private let pipeline: GstRef
    private let queue = DispatchQueue(label: "nyand.audio.hand")
    /// The newest wish: older ones that are still to be done are left out.
    private let newest = Wishes()
    /// How many calls are under way that did not return in time.
    private var lateOnes = 0
    /// It did not come down in time: nothing may be asked of it any more.
    private(set) var isStuck = false
    /// A call did not return in time.
    var onLate: (() -> Void)?
    /// All that was late has returned.
    var onReturn: (() -> Void)?

    private final class Wishes: Sendable {
        let number = Atomic<UInt64>(0)
    }

    init(_ pipeline: GstRef) { self.pipeline = pipeline }

    /// In the end the pipeline goes to NULL, also a stuck one should it ever come round.
    isolated deinit { queue.async { [pipeline] in cgst_end(pipeline.raw) } }

    /// Something is under way: the pipeline may hold locks that a question would wait for.
    var isLate: Bool { lateOnes > 0 }

    /// Goes to PAUSED or PLAYING.
    func raise(to state: GstState) {
        guard !isStuck else { return }
        let number = newest.number.add(1, ordering: .relaxed).newValue
        send { [pipeline, newest] in
            if newest.number.load(ordering: .relaxed) == number { gst_element_set_state(pipeline.element, state) }
        }
    }

    /// Makes a seek or the like.
    /// - Returns: what the call said; true while it is under way.
    func perform(_ work: @escaping @Sendable (GstRef) -> Bool) -> Bool {
        guard !isStuck else { return false }
        let answer = Answer()
        send { [pipeline] in answer.isYes.store(work(pipeline), ordering: .releasing) }
        return answer.isYes.load(ordering: .acquiring)
    }

    private final class Answer: Sendable {
        let isYes = Atomic(true)
    }

    private func send(_ work: @escaping @Sendable () -> Void) {
        // Behind a late one there is nothing to wait for.
        guard !isLate else {
            lateOnes += 1
            return queue.async { [weak self] in
                work()
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.returned() } }
            }
        }
        if Errand.run(on: queue, work, whenLate: { [weak self] in self?.returned() }) { return }
        lateOnes += 1
        onLate?()
    }

    private func returned() {
        lateOnes -= 1
        if !isStuck, lateOnes == 0 { onReturn?() }
    }

    /// Goes to READY or NULL. Returns when the state is reached, or with `isStuck` set.
    func lower(to state: GstState) {
        guard !isStuck else { return }
        newest.number.add(1, ordering: .relaxed)
        let work: @Sendable () -> Void = { [pipeline] in gst_element_set_state(pipeline.element, state) }
        if isLate {
            isStuck = true
            queue.async(execute: work)
        } else {
            isStuck = !Errand.run(on: queue, work, whenLate: {})
        }
    }

    /// Keeps `output` for as long as the stuck pipeline may use it: closing it would wait for the same locks.
    func bury(_ output: Output) {
        queue.async { [pipeline] in
            cgst_end(pipeline.raw)
            DispatchQueue.main.async { withExtendedLifetime(output) {} }
        }
    }
}
