import NyanCore
import Synchronization

/// A copy in memory that keeps to `CopySink`'s words strictly: any difference throws away what was there.
nonisolated final class MemoryCopy: CopySink {
    struct State: Sendable {
        var bytes: [UInt8] = []
        var there = RangeSet<Int64>()
        var size: Int64?
        var isComplete = false
        var kind: CopyKind?
        var validator: Validator?
        var segments: SegmentProgress?
        var resets = 0
        /// Bytes written in all: shows what was fetched twice.
        var written: Int64 = 0
        /// The disk is full after so many bytes.
        var room = Int64.max
        var onWrite: (@MainActor @Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ change: (inout State) -> Void = { _ in }) {
        var state = State()
        change(&state)
        self.state = Mutex(state)
    }

    func look<T: Sendable>(_ body: @Sendable (inout State) -> T) -> T { state.withLock { body(&$0) } }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var size: Int64? { state.withLock { $0.size } }
    var isComplete: Bool { state.withLock { $0.isComplete } }
    var kind: CopyKind? { state.withLock { $0.kind } }
    var validator: Validator? { state.withLock { $0.validator } }
    var segments: SegmentProgress? { state.withLock { $0.segments } }
    var received: Int64 { state.withLock { $0.received } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        let part = state.withLock { state in
            Array(
                state.bytes.dropFirst(Int(offset)).prefix(Int(min(state.available(from: offset), Int64(buffer.count)))))
        }
        buffer.copyBytes(from: part)
        return part.isEmpty ? .notYet : .bytes(part.count)
    }

    func available(from offset: Int64) -> Int64 { state.withLock { $0.available(from: offset) } }

    func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation { Observation {} }

    func missing(from offset: Int64) -> (lower: Int64, upper: Int64?)? {
        state.withLock { $0.missing(from: offset) }
    }

    func begin(kind: CopyKind, total: Int64?, validator: Validator?) throws(Failure) -> Bool {
        state.withLock { state in
            let fits =
                state.kind == kind && state.validator == validator
                && (state.size == nil || total == nil || state.size == total)
            if !fits { state.clear() }
            state.kind = kind
            state.validator = validator
            state.size = total ?? state.size
            return state.received > 0
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
        let isFull = state.withLock { state in
            guard offset + Int64(bytes.count) <= state.room else { return true }
            let end = Int(offset) + bytes.count
            if state.bytes.count < end { state.bytes += [UInt8](repeating: 0, count: end - state.bytes.count) }
            state.bytes.replaceSubrange(Int(offset)..<end, with: bytes)
            state.there.insert(contentsOf: offset..<Int64(end))
            state.written += Int64(bytes.count)
            return false
        }
        if isFull { throw Failure(.diskFull, "No room.") }
        if let onWrite = state.withLock({ $0.onWrite }) { MainActor.assumeIsolated { onWrite() } }
    }

    func segmentDone(_ progress: SegmentProgress) throws(Failure) {
        state.withLock { $0.segments = progress }
    }

    func finish(total: Int64) throws(Failure) {
        state.withLock { state in
            state.size = total
            state.isComplete = state.missing(from: 0) == nil
        }
    }

    func forgetValidator() throws(Failure) { state.withLock { $0.validator = nil } }

    func reset() throws(Failure) { state.withLock { $0.clear() } }
}

nonisolated extension MemoryCopy.State {
    var received: Int64 { there.ranges.reduce(0) { $0 + Int64($1.count) } }

    func available(from offset: Int64) -> Int64 {
        there.ranges.first { $0.contains(offset) }.map { $0.upperBound - offset } ?? 0
    }

    func missing(from offset: Int64) -> (lower: Int64, upper: Int64?)? {
        var gaps = RangeSet(0..<(size ?? .max))
        gaps.subtract(there)
        let gap = gaps.ranges.first { $0.upperBound > offset } ?? gaps.ranges.first
        guard let gap else { return nil }
        let lower = gap.upperBound > offset ? max(offset, gap.lowerBound) : gap.lowerBound
        return (lower, gap.upperBound == .max ? nil : gap.upperBound)
    }

    mutating func clear() {
        if received > 0 { resets += 1 }
        (bytes, there, size, kind, validator, segments) = ([], RangeSet(), nil, nil, nil, nil)
        isComplete = false
    }
}
