import NyanCore
import NyanDBus

/// Writes to the library one after another, in the order they were asked for. Each takes along what an earlier one could
/// not write: whether all is on disk is what the newest one met.
final class OrderedWrites {
    private var last: Task<Failure?, Never>?

    /// `isAside`: nobody's wish, and nothing to it that another write would make good.
    func add(isAside: Bool = false, _ write: @escaping @MainActor () async throws(Failure) -> Void) {
        let previous = last
        last = Task.onMain {
            let before = await previous?.value
            do throws(Failure) {
                try await write()
                return isAside ? before : nil
            } catch {
                return isAside ? before : error
            }
        }
    }

    /// Returns when everything added so far is on disk; throws why it is not.
    func flush() async throws(Failure) {
        if let failure = await last?.value { throw failure }
    }
}
