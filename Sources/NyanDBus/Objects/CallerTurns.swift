/// A call that was read and waits for its turn.
struct WaitingCall {
    let address: ReturnAddress
    /// About what it keeps, in bytes.
    let weight: Int
    /// Carries the call out and gives the load back once it is answered; an error thrown is its answer, and whoever
    /// catches it gives the load back.
    let work: (CallLoad, Connection) throws(BusError) -> Void
}

/// The calls that wait, and whose turn it is: one call of each caller after the other, so that a caller with twenty
/// thousand holds up nobody with one. A caller's own keep their order.
///
/// What one caller and all of them may have waiting and unanswered is bounded; what goes beyond is refused. A little is
/// taken of everybody, so that a few with much do not keep out all others. What waits goes with its caller.
final class CallerTurns {
    fileprivate final class Caller {
        let name: String
        /// nil once everything was dropped.
        weak var line: CallerTurns?
        var waiting = Line<WaitingCall>()
        /// Of what waits and of what is not answered yet.
        var weight = 0
        var unanswered = 0
        /// Whether it stands in `turns`.
        var hasTurn = false
        /// Tells when it leaves the bus; only where it has much here.
        var watch: Subscription?

        init(_ name: String, in line: CallerTurns) { (self.name, self.line) = (name, line) }

        /// Too many long calls at once wait for the earlier ones.
        var mayGoOn: Bool { !waiting.isEmpty && unanswered < CallerTurns.mostUnanswered }
    }

    /// Long calls of one caller that go on at once; its other calls wait.
    private static let mostUnanswered = 64
    /// Bytes of waiting and unanswered calls: of one caller, some 30,000 small ones, and of all.
    private static let mostOfOne = 32 << 20
    private static let mostOfAll = 128 << 20
    /// What each may have whatever the others have; a bus has some hundred callers of one person.
    private static let littleOfOne = 64 << 10
    /// From here on it is worth asking the bus to tell when the caller leaves.
    private static let muchOfOne = 1 << 20
    /// What the least call keeps.
    private static let leastWeight = 1024

    private var callers: [String: Caller] = [:]
    /// The last one that has nothing here any more, kept as it is: who asks once a second is not made anew each time.
    private var resting: Caller?
    private var turns = Line<Caller>()
    /// Of all callers, in bytes.
    private(set) var weight = 0
    /// Called when a caller that had to wait for its own earlier calls may go on.
    var onReady: () -> Void = {}
    /// Watches a caller that has much here; whoever does so calls `forget` when it has left the bus.
    var watch: (String) -> Subscription? = { _ in nil }

    var isEmpty: Bool { turns.isEmpty }

    /// False where the caller has too much here already.
    func add(_ call: WaitingCall) -> Bool {
        let name = call.address.sender ?? ""
        let caller = find(name)
        let cost = call.weight + Self.leastWeight
        let isLittle = caller.weight + cost <= Self.littleOfOne
        let isWithin = caller.weight == 0 || caller.weight + cost <= Self.mostOfOne
        guard isLittle || isWithin && weight + cost <= Self.mostOfAll else { return false }
        if caller === resting {
            resting = nil
        } else if caller.weight == 0 {
            callers[name] = caller
        }
        weight += cost
        caller.weight += cost
        caller.waiting.append(call)
        giveTurn(caller)
        if caller.weight > Self.muchOfOne, caller.watch == nil { caller.watch = watch(name) }
        return true
    }

    /// The call whose turn it is, and what it weighs on its caller until it is answered.
    func next() -> (WaitingCall, CallLoad)? {
        while let caller = turns.popFirst() {
            caller.hasTurn = false
            // One that left has nothing waiting.
            guard let call = caller.waiting.popFirst() else { continue }
            caller.unanswered += 1
            giveTurn(caller)
            return (call, CallLoad(cost: call.weight + Self.leastWeight, caller: caller))
        }
        return nil
    }

    /// Drops what waits of a caller that left the bus. What is under way ends as ever.
    func forget(_ name: String) {
        guard let caller = callers[name] else { return }
        while let call = caller.waiting.popFirst() {
            weight -= call.weight + Self.leastWeight
            caller.weight -= call.weight + Self.leastWeight
        }
        guard caller.unanswered == 0 else { return }
        callers[name] = nil
        if caller === resting { resting = nil }
    }

    func removeAll() {
        // A call that is not answered yet keeps its caller, but nothing else.
        for caller in callers.values {
            caller.line = nil
            caller.waiting = Line()
            caller.watch = nil
        }
        callers = [:]
        resting = nil
        turns = Line()
        weight = 0
    }

    private func find(_ name: String) -> Caller {
        if let resting, resting.name == name { return resting }
        return callers[name] ?? Caller(name, in: self)
    }

    fileprivate func release(_ cost: Int, of caller: Caller) {
        weight -= cost
        caller.weight -= cost
        caller.unanswered -= 1
        guard !caller.waiting.isEmpty else {
            if caller.unanswered == 0 { rest(caller) }
            return
        }
        guard !caller.hasTurn else { return }
        giveTurn(caller)
        if caller.hasTurn { onReady() }
    }

    private func rest(_ caller: Caller) {
        if caller.watch != nil { caller.watch = nil }
        if let resting { callers[resting.name] = nil }
        resting = caller
    }

    private func giveTurn(_ caller: Caller) {
        guard !caller.hasTurn, caller.mayGoOn else { return }
        caller.hasTurn = true
        turns.append(caller)
    }
}

/// What one call weighs on its caller. Whoever has it calls `release()`, exactly once.
struct CallLoad {
    fileprivate let cost: Int
    fileprivate let caller: CallerTurns.Caller

    func release() { caller.line?.release(cost, of: caller) }
}

/// First in, first out, without moving what stays at each step.
private struct Line<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 1024, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
