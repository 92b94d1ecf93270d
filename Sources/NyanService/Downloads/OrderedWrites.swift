import NyanCore
import NyanDBus

/// Writes to the library one after another, in the order they were asked for.
final class OrderedWrites {
    private var last: Task<Void, Never>?
    private var failure: Failure?

    func add(_ write: @escaping @MainActor () async throws(Failure) -> Void) {
        let previous = last
        last = Task.onMain { [self] in
            await previous?.value
            do throws(Failure) {
                try await write()
            } catch {
                failure = error
            }
        }
    }

    /// Returns when everything added so far is on disk; throws what went wrong since the last call.
    func flush() async throws(Failure) {
        await last?.value
        if let failure {
            self.failure = nil
            throw failure
        }
    }
}
