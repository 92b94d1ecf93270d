import NyanCore
import NyanDBus

/// Something somebody asked for. While a call of it is parked because VK wants an answer from the person, whoever asked
/// is told so at once; the operation itself goes on after the answer.
public final class Operation {
    /// The operation that the running task belongs to; tasks begun by it inherit it.
    @TaskLocal public static var current: Operation?

    enum Event {
        case ended(Result<[BusValue], Failure>)
        /// It waits for this.
        case parked(Failure)
        /// Nothing of the kind within the time that was given.
        case late
    }

    private var outcome: Result<[BusValue], Failure>?
    private var parked: Failure?
    /// The open question is its own: without it nobody could be answered.
    private(set) var holdsQuestion = false
    private let listeners = Waiters<Int, Event>()
    private var tickets = 0
    /// Operations that wait for the same work; told what this one is told.
    private var members: [Member] = []
    private var words: ([BusValue]) -> String

    private struct Member { weak var operation: Operation? }

    /// What is said of an outcome that has no words of its own.
    nonisolated static func done(_ values: [BusValue]) -> String { "VK took the answer; what waited for it is done" }

    init(words: @escaping ([BusValue]) -> String = Operation.done) { self.words = words }

    /// Begins work as an operation of its own.
    static func begin(
        words: @escaping ([BusValue]) -> String, _ work: @escaping @MainActor () async throws(Failure) -> [BusValue]
    ) -> Operation {
        let operation = Operation(words: words)
        Task.onMain {
            let outcome = await $current.withValue(operation) { () async -> Result<[BusValue], Failure> in
                do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
            }
            operation.end(outcome)
        }
        return operation
    }

    /// What a person is told of the outcome.
    func said(_ values: [BusValue]) -> String { words(values) }

    /// Waits until it is parked or over; returns at once where it is. With a time source, `.late` after `limit`.
    func next(within limit: Duration? = nil, _ time: (any TimeSource)? = nil) async -> Event {
        if let reached { return reached }
        tickets += 1
        let ticket = tickets
        var timer: Task<Void, Never>?
        let beginTimer = {
            guard let limit, let time else { return }
            timer = Task.onMain { [weak self] in
                do { try await time.wait(for: limit) } catch { return }
                self?.listeners.wake(with: .late, where: { $0 == ticket })
            }
        }
        let event = await listeners.wait(as: ticket, onWaiting: beginTimer) { reached }
        timer?.cancel()
        return event
    }

    /// Where it stands, if there is something to tell.
    private var reached: Event? { outcome.map { .ended($0) } ?? parked.map { .parked($0) } }

    var hasEnded: Bool { outcome != nil }

    /// A call of it waits for the person. `isHolder`: the question is that call's own; else it waits for another one's.
    func park(_ failure: Failure, isHolder: Bool) {
        parked = failure
        holdsQuestion = isHolder
        tell(.parked(failure))
        for member in members { member.operation?.park(failure, isHolder: false) }
    }

    /// It goes on.
    func unpark() {
        parked = nil
        holdsQuestion = false
        for member in members { member.operation?.unpark() }
    }

    func end(_ outcome: Result<[BusValue], Failure>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        tell(.ended(outcome))
    }

    /// The running operation waits for this one's work, which another one began.
    func join() {
        guard let other = Operation.current, other !== self else { return }
        members.removeAll { $0.operation == nil }
        members.append(Member(operation: other))
        if let parked { other.park(parked, isHolder: false) }
    }

    private func tell(_ event: Event) {
        listeners.wake(with: event)
    }
}

extension Operation {
    /// Work that several operations may wait for: runs as an operation of its own, which each of them joins.
    /// `words` are what the person who answered VK is told of the outcome.
    static func shared<Value: Sendable>(
        words: @escaping (Value) -> String, _ work: @escaping @MainActor () async -> Result<Value, Failure>
    ) -> (operation: Operation, task: Task<Result<Value, Failure>, Never>) {
        let operation = Operation()
        let task = Task.onMain {
            let outcome = await $current.withValue(operation) { await work() }
            if case .success(let value) = outcome { operation.words = { _ in words(value) } }
            operation.end(outcome.map { _ in [] })
            return outcome
        }
        return (operation, task)
    }

    /// Work whose caller may lose interest (a track that is skipped): cancelled with it, unless VK's question is this
    /// work's own. That one stays open: its answer lets the others through, and VK would only ask them the same.
    static func outlasting<Value: Sendable>(
        _ work: @escaping @MainActor () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let (operation, task) = shared(words: { (_: Value) in done([]) }) { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { @MainActor in if !operation.holdsQuestion { task.cancel() } }
        }
        return try outcome.get()
    }
}
