import NyanCore
import NyanDBus

/// Work that is done one piece after the other, in the order it was asked for.
final class Turns {
    /// The last piece that was asked for; the next one waits for it.
    private var last: Task<Void, Never>?

    /// Does `work` after all that was asked for before has ended.
    func run<Answer: Sendable>(
        _ work: @escaping () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await begin(work).value.get()
    }

    /// Its place in the order is taken when this returns.
    func begin<Answer: Sendable>(
        _ work: @escaping () async throws(Failure) -> Answer
    ) -> Task<Result<Answer, Failure>, Never> {
        let before = last
        let task = Task.onMain { () -> Result<Answer, Failure> in
            await before?.value
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        last = Task.onMain { _ = await task.value }
        return task
    }
}
