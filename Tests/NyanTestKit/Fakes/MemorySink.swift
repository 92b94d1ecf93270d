public import NyanCore
import Synchronization

/// A growing copy in memory, filled from its start on.
public nonisolated final class MemorySink: CopySink {
    private struct State {
        var bytes: [UInt8] = []
        var size: Int64?
        var isComplete = false
        var kind: CopyKind?
        var validator: Validator?
        var segments: SegmentProgress?
        var observers: [Int: @Sendable (CopyChange) -> Void] = [:]
        var tickets = 0
        var edition = 0
    }

    private let state = Mutex(State())

    public init(bytes: Int = 0, isComplete: Bool = false) {
        state.withLock { state in
            state.bytes = [UInt8](repeating: 1, count: bytes)
            state.isComplete = isComplete
            state.kind = bytes > 0 ? .direct : nil
            state.size = isComplete ? Int64(bytes) : nil
        }
    }

    public var size: Int64? { state.withLock { $0.size } }
    public var isComplete: Bool { state.withLock { $0.isComplete } }
    public var kind: CopyKind? { state.withLock { $0.kind } }
    public var validator: Validator? { state.withLock { $0.validator } }
    public var segments: SegmentProgress? { state.withLock { $0.segments } }
    public var edition: Int { state.withLock { $0.edition } }
    public var received: Int64 { state.withLock { Int64($0.bytes.count) } }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        state.withLock { state in
            guard offset < Int64(state.bytes.count) else { return state.isComplete ? .end : .notYet }
            let part = state.bytes[Int(offset)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            return .bytes(part.count)
        }
    }

    public func available(from offset: Int64) -> Int64 { max(0, received - offset) }

    public func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation {
        let ticket = state.withLock { state in
            state.tickets += 1
            state.observers[state.tickets] = change
            return state.tickets
        }
        return Observation { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: ticket) } }
    }

    public func missing(from offset: Int64) -> (lower: Int64, upper: Int64?)? {
        isComplete ? nil : (received, size)
    }

    public func begin(kind: CopyKind, total: Int64?, validator: Validator?) throws(Failure) -> Bool {
        state.withLock { state in
            state.kind = kind
            state.size = total ?? state.size
            state.validator = validator
            return !state.bytes.isEmpty
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
        let isNext = state.withLock { state in
            guard offset == Int64(state.bytes.count) else { return false }
            state.bytes += bytes
            return true
        }
        guard isNext else { throw Failure(.internal, "this copy is filled in order only") }
        tell(.grew)
    }

    public func segmentDone(_ progress: SegmentProgress) throws(Failure) {
        state.withLock { $0.segments = progress }
    }

    public func finish(total: Int64) throws(Failure) {
        state.withLock { state in
            state.size = total
            state.isComplete = Int64(state.bytes.count) == total
        }
        tell(.completed)
    }

    public func reset() throws(Failure) {
        state.withLock { state in
            (state.bytes, state.size, state.isComplete, state.kind) = ([], nil, false, nil)
            state.edition += 1
        }
    }

    private func tell(_ change: CopyChange) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer(change) }
    }
}

/// Growing copies, and finished files by path, in memory.
public nonisolated final class MemoryCopies: CopyStore {
    private struct State {
        var growing: [TrackID: MemorySink] = [:]
        var durable: Set<TrackID> = []
        var files: [String: MemorySink] = [:]
        var opened = 0
        var pruned: [Set<TrackID>] = []
        var openFailure: Failure?
    }

    private let state = Mutex(State())

    public init() {}

    /// Ids that have a growing copy, and those of them that are kept beside the library.
    public var growing: Set<TrackID> { state.withLock { Set($0.growing.keys) } }
    public var durable: Set<TrackID> { state.withLock { $0.durable } }
    /// Whom each pruning kept.
    public var pruned: [Set<TrackID>] { state.withLock { $0.pruned } }

    /// Leaves a copy as an earlier run would.
    public func leave(_ id: TrackID, _ sink: MemorySink, durable: Bool) {
        state.withLock { state in
            state.growing[id] = sink
            if durable { state.durable.insert(id) }
        }
    }

    public func addFile(_ path: String) {
        state.withLock { $0.files[path] = MemorySink(bytes: 1000, isComplete: true) }
    }
    public func failOpening(_ failure: Failure?) { state.withLock { $0.openFailure = failure } }

    public func open(_ id: TrackID, durable: Bool) throws(Failure) -> any CopySink {
        try state.withLock { state throws(Failure) in
            if let failure = state.openFailure { throw failure }
            if durable { state.durable.insert(id) }
            if let sink = state.growing[id] { return sink }
            let sink = MemorySink()
            state.growing[id] = sink
            return sink
        }
    }

    public func makeDurable(_ id: TrackID) throws(Failure) { state.withLock { _ = $0.durable.insert(id) } }

    public func discard(_ id: TrackID) throws(Failure) {
        state.withLock { state in
            state.growing[id] = nil
            state.durable.remove(id)
        }
    }

    public func sweep(keeping: Set<TrackID>) {
        state.withLock { state in
            for id in state.durable where !keeping.contains(id) { state.growing[id] = nil }
            state.durable.formIntersection(keeping)
        }
    }

    public func openFile(_ path: String) throws(Failure) -> any ByteSource {
        try state.withLock { state throws(Failure) in
            guard let file = state.files[path] else { throw Failure(.fileAccess, "there is no such file") }
            return file
        }
    }

    public func describeFile(_ path: String) async throws(Failure) -> FileDescription {
        _ = try openFile(path)
        return FileDescription(title: "Title of \(path)", seconds: 200)
    }

    public func prune(to bytes: Int64, keeping: Set<TrackID>) { state.withLock { $0.pruned.append(keeping) } }
}
