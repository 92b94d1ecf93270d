public import NyanCore
import NyanDBus

/// Calls to VK in the name of whoever is signed in: not in offline mode, not without an account; how each ended is told
/// to whoever shows it.
struct AccountCalls {
    let account: AccountService
    let connectivity: Connectivity

    func ask<Answer>(_ call: () async throws(Failure) -> Answer) async throws(Failure) -> Answer {
        await account.ready()
        try connectivity.requireNetwork()
        try account.requireAccount()
        let epoch = account.epoch
        do throws(Failure) {
            let answer = try await call()
            connectivity.succeeded()
            if account.epoch == epoch { account.noted(nil) }
            return answer
        } catch {
            connectivity.failed(error)
            // What VK has against an account that is no longer in use is nobody's problem.
            if account.epoch == epoch { account.noted(error) }
            throw error
        }
    }
}

/// The first of two to say something: a wait that has a limit.
public final class LimitedWait<Value: Sendable> {
    private var waiter: CheckedContinuation<Value?, Never>?

    private init(_ waiter: CheckedContinuation<Value?, Never>) { self.waiter = waiter }

    /// The task's value; nil when it takes longer than `limit`. The task goes on then.
    public static func value(
        of task: Task<Value, Never>, within limit: Duration, by time: any TimeSource
    ) async -> Value? {
        await withCheckedContinuation { waiter in
            let wait = LimitedWait(waiter)
            let timer = Task.onMain {
                do { try await time.wait(for: limit) } catch { return }
                wait.end(nil)
            }
            Task.onMain {
                let value = await task.value
                timer.cancel()
                wait.end(value)
            }
        }
    }

    private func end(_ value: Value?) {
        waiter?.resume(returning: value)
        waiter = nil
    }
}
