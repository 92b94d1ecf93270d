import NyanCore
import NyanDBus

extension Answer {
    /// Answers a call of a desktop's later, once `work` is done. What goes wrong has one of D-Bus' own names: some
    /// clients do not survive others (mpris.md §2). Work that waits for a person's answer to VK is answered with that.
    static func desktop(_ work: @escaping @MainActor () async throws(Failure) -> Void) -> Answer {
        .later { () async throws(BusError) in
            let operation = Operation.begin(words: Operation.done) { () async throws(Failure) in
                try await work()
                return []
            }
            switch await operation.next() {
            case .ended(.success): return []
            case .ended(.failure(let failure)), .parked(let failure): throw BusError(desktop: failure)
            case .late: throw .failed("nothing was answered")
            }
        }
    }
}

extension BusError {
    /// A failure under the name that D-Bus has for its kind.
    init(desktop failure: Failure) {
        switch failure.code {
        case .unsupported: self = .notSupported(failure.message)
        case .badArgument: self = .invalidArguments(failure.message)
        default: self = .failed(failure.message)
        }
    }
}
