import Dispatch
import NyanCore

/// Runs work that waits for a disk or another process on a thread of its own, so that neither the main actor nor the
/// few threads of Swift's pool stand still.
func offPool<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(returning: Result { () throws(Failure) in try body() })
        }
    }
    return try result.get()
}
