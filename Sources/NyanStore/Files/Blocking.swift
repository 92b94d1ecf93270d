import Dispatch
import NyanCore

/// Runs work that waits for a disk or another process on a thread of its own, so that the main actor does not stand
/// still.
///
/// The queue is a labelled serial one, made for this call: the global queues, once used, make libdispatch look after
/// them every second until the process ends.
func offPool<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "org.nyantunes.Nyand.blocking").async {
            continuation.resume(returning: Result { () throws(Failure) in try body() })
        }
    }
    return try result.get()
}
