internal import Dispatch
internal import Glibc
public import NyanCore

/// Measures finished files with GStreamer's `rganalysis`, each in a small pipeline of its own that is gone afterwards.
public final class GstLoudnessMeter: LoudnessMeter {
    /// Where the pipeline is waited for. Labelled, as a global queue never rests again once it was used.
    private let queue = DispatchQueue(label: "org.nyantunes.Nyand.loudness", qos: .utility)

    public init() {}

    public func measure(_ path: String) async throws(Failure) -> LoudnessReading {
        try GstRuntime.start()
        let run = try LoudnessRun(path)
        let result: Result<LoudnessReading, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                queue.async {
                    done.resume(returning: Result { () throws(Failure) in try run.carryOut() })
                }
            }
        } onCancel: {
            run.cancel()
        }
        return try result.get()
    }
}
