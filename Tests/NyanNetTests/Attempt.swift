import NyanCore

@testable import NyanNet

/// One transfer with its events kept, and waiting for what a test wants to see.
final class Attempt {
    private(set) var events: [TransferEvent] = []
    private(set) var transfer: (any Transfer)?
    private var waiters: [(wanted: (TransferEvent) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    init(
        _ location: Location, into copy: MemoryCopy, from offset: Int64 = 0, on session: CurlSession, limit: Int? = nil
    ) {
        transfer = CurlFetcher(session: session).start(
            location, userAgent: "test/1", into: copy, from: offset
        ) { [weak self] event in self?.take(event) }
        if let limit { transfer?.limit(bytesPerSecond: limit) }
    }

    /// Nil for a good end.
    var failure: Failure? {
        if case .failed(let failure) = events.last { failure } else { nil }
    }

    var isFinished: Bool { events.last == .finished }

    /// Waits until the attempt is over.
    func end() async {
        await wait { event in
            if case .progress = event { false } else { true }
        }
    }

    /// Waits for an event.
    func wait(_ wanted: @escaping (TransferEvent) -> Bool) async {
        if events.contains(where: wanted) { return }
        await withCheckedContinuation { waiters.append((wanted, $0)) }
    }

    private func take(_ event: TransferEvent) {
        events.append(event)
        let met = waiters.filter { $0.wanted(event) }
        waiters.removeAll { $0.wanted(event) }
        for waiter in met { waiter.continuation.resume() }
    }
}

/// Runs an attempt to its end.
func attempt(
    _ location: Location, into copy: MemoryCopy, from offset: Int64 = 0, on session: CurlSession = CurlSession()
) async -> Attempt {
    let attempt = Attempt(location, into: copy, from: offset, on: session)
    await attempt.end()
    return attempt
}
