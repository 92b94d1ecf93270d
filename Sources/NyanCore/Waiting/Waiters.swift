/// Those who wait for something, each under a mark. Whoever is to wait looks once more when nothing can come in between
/// any more: what was looked at before `withCheckedContinuation` may be otherwise inside it (measured with Swift 6.3).
@MainActor public final class Waiters<Mark, Value: Sendable> {
    private var waiting: [(mark: Mark, wake: CheckedContinuation<Value, Never>)] = []

    public init() {}

    public var isEmpty: Bool { waiting.isEmpty }

    /// What `look` finds, at once where it finds something; else what the waiter is woken with.
    ///
    /// `look` may take what it finds: it is asked until it has found something, and never after that. Whoever waits does so
    /// behind all others, but for those that `isLater` says may wait behind this one. `onWaiting` is done once it does.
    public func wait(
        as mark: Mark, before isLater: (Mark) -> Bool = { _ in false }, onWaiting: () -> Void = {},
        unless look: () -> Value?
    ) async -> Value {
        if let found = look() { return found }
        return await withCheckedContinuation { wake in
            if let found = look() { return wake.resume(returning: found) }
            waiting.insert((mark, wake), at: waiting.firstIndex { isLater($0.mark) } ?? waiting.count)
            onWaiting()
        }
    }

    /// Wakes those who are meant, in the order they wait.
    public func wake(with value: Value, where isMeant: (Mark) -> Bool = { _ in true }) {
        let woken = waiting.filter { isMeant($0.mark) }
        waiting.removeAll { isMeant($0.mark) }
        for waiter in woken { waiter.wake.resume(returning: value) }
    }

    /// Wakes the one who is first.
    public func wakeFirst(with value: Value) {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().wake.resume(returning: value)
    }
}

/// Something that happens once, and those who wait for it.
@MainActor public final class Moment {
    private let waiters = Waiters<Void, Void>()
    public private(set) var hasCome = false

    public init() {}

    /// More than once does no harm.
    public func come() {
        hasCome = true
        waiters.wake(with: ())
    }

    /// Returns at once where it has come already.
    public func wait() async { await waiters.wait(as: ()) { hasCome ? () : nil } }
}
