internal import CGst
internal import Dispatch

/// Brings a pipeline's state down on a thread of its own, within a time limit.
///
/// GStreamer 1.22's playbin3 can deadlock for good when it is stopped while it sets up its decoder, or while a sound
/// server does not answer. The main actor must go on all the same, so it waits for a moment only and then gives the
/// pipeline up: the engine makes a new one, and the stuck one is left behind with its thread.
final class Descent {
    /// Coming down takes 1–4 ms; a listener notices more than this, and nothing on the bus may wait longer.
    private static let patience: DispatchTimeInterval = .milliseconds(250)

    private let playbin: GstRef
    private let queue = DispatchQueue(label: "nyand.audio.descent")
    /// It did not come down in time: nothing may be asked of it any more.
    private(set) var isStuck = false

    init(_ playbin: GstRef) { self.playbin = playbin }

    /// In the end the pipeline goes to NULL, also a stuck one should it ever come round.
    isolated deinit { queue.async { [playbin] in gst_element_set_state(playbin.element, GST_STATE_NULL) } }

    /// Runs work that may wait for the pipeline's locks, after what was begun before; nothing waits for it.
    func later(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Returns when the state is reached, or with `isStuck` set.
    func lower(to state: GstState) {
        guard !isStuck else { return }
        let done = DispatchSemaphore(value: 0)
        queue.async { [playbin] in
            gst_element_set_state(playbin.element, state)
            done.signal()
        }
        isStuck = done.wait(timeout: .now() + Self.patience) == .timedOut
    }
}
