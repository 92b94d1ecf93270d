internal import CGst
internal import Dispatch
internal import NyanCore
internal import Synchronization

/// Opens sinks. A frozen sound server takes the call and does not answer, so that is waited for on a thread of its own.
final class Opening {
    private let queue = DispatchQueue(label: "nyand.audio.opening")
    private var isPending = false
    /// A server that did not answer in time has said yes or no.
    var onAnswer: ((_ isThere: Bool) -> Void)?

    private final class Answer: Sendable {
        let isYes = Atomic(false)
    }

    /// Whether a closed sink can be opened; leaves it open.
    /// - Throws: when nobody says yes or no for a moment, and as long as one such call is still under way.
    func wakes(_ sink: GstRef) throws(Failure) -> Bool {
        guard !isPending else { throw .silentOutput }
        let answer = Answer()
        let inTime = Errand.run(on: queue) {
            let isOpen = gst_element_set_state(sink.element, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
            if !isOpen { gst_element_set_state(sink.element, GST_STATE_NULL) }
            answer.isYes.store(isOpen, ordering: .releasing)
        } whenLate: { [weak self] in
            // Nobody waits for this sink any more.
            self?.close(sink)
            self?.isPending = false
            self?.onAnswer?(answer.isYes.load(ordering: .acquiring))
        }
        isPending = !inTime
        guard inTime else { throw .silentOutput }
        return answer.isYes.load(ordering: .acquiring)
    }

    /// Closes a sink, in order with what is opened. At once where nothing is being waited for.
    func close(_ sink: GstRef) {
        let work: @Sendable () -> Void = { gst_element_set_state(sink.element, GST_STATE_NULL) }
        if isPending { queue.async(execute: work) } else { _ = Errand.run(on: queue, work) {} }
    }
}
