import NyanCore

/// Edits of the queue that wait for each other: each names a place as it is when those before it are done, so only one is
/// on its way at a time. A value.
struct QueueEdits {
    struct Edit: Equatable {
        var deed: QueueDeed
        /// From 1.
        var position: Int
        var id: TrackID
    }

    enum Step: Equatable {
        case edit(Edit)
        /// A call that would be in the way of the edits before it.
        case call(UICall)
    }

    private var waiting: [Step] = []
    /// An edit is on its way.
    private var isOut = false
    /// Counts what was asked for: a listing that was asked for before is older than what is shown.
    private(set) var edition = 0

    var isBusy: Bool { isOut || !waiting.isEmpty }

    /// A key that is held becomes one move.
    mutating func add(_ edit: Edit) {
        edition += 1
        guard case .move(let step) = edit.deed, case .edit(var last)? = waiting.last, case .move(let sum) = last.deed,
            last.id == edit.id, last.position + sum == edit.position
        else { return waiting.append(.edit(edit)) }
        last.deed = .move(sum + step)
        waiting[waiting.count - 1] = .edit(last)
        if sum + step == 0 { waiting.removeLast() }
    }

    mutating func add(_ call: UICall) {
        edition += 1
        waiting.append(.call(call))
    }

    /// What is to be done now; nil while an edit is on its way, or nothing waits. Of an edit `done` is awaited.
    mutating func next() -> Step? {
        guard !isOut, !waiting.isEmpty else { return nil }
        let step = waiting.removeFirst()
        if case .edit = step { isOut = true }
        return step
    }

    mutating func done() { isOut = false }

    /// Something went wrong: what waits was meant for another queue.
    mutating func drop() {
        isOut = false
        waiting = []
    }
}
