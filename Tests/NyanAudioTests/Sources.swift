import NyanCore
import Synchronization

/// A sound that is all in memory.
nonisolated final class MemorySource: ByteSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: Int64? { Int64(bytes.count) }
    var isComplete: Bool { true }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard offset < bytes.count else { return .end }
        let end = min(bytes.count, Int(offset) + buffer.count)
        buffer.copyBytes(from: bytes[Int(offset)..<end])
        return .bytes(end - Int(offset))
    }

    func available(from offset: Int64) -> Int64 { max(0, Int64(bytes.count) - offset) }
    func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation { Observation {} }
}

/// A sound that comes by hand, in any order; its size may stay unknown until the end.
nonisolated final class GrowingSource: ByteSource {
    private struct State {
        var there: [Range<Int>] = []
        var isSizeKnown: Bool
        var isComplete = false
        var observers: [Int: @Sendable (CopyChange) -> Void] = [:]
        var nextObserver = 0
    }
    private let bytes: [UInt8]
    private let state: Mutex<State>

    init(_ bytes: [UInt8], isSizeKnown: Bool = true) {
        self.bytes = bytes
        state = Mutex(State(isSizeKnown: isSizeKnown))
    }

    var size: Int64? { state.withLock { $0.isSizeKnown || $0.isComplete ? Int64(bytes.count) : nil } }
    var isComplete: Bool { state.withLock { $0.isComplete } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        if let size, offset >= size { return .end }
        let count = min(buffer.count, Int(available(from: offset)))
        guard count > 0 else { return .notYet }
        buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
        return .bytes(count)
    }

    func available(from offset: Int64) -> Int64 {
        state.withLock { state in
            state.there.first { $0.contains(Int(offset)) }.map { Int64($0.upperBound) - offset } ?? 0
        }
    }

    func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation {
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = change
            return state.nextObserver
        }
        return Observation { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }

    /// Bytes of this range have come.
    func come(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<bytes.count)
        state.withLock { state in
            var merged = range
            state.there = state.there.filter { one in
                guard one.lowerBound <= merged.upperBound, merged.lowerBound <= one.upperBound else { return true }
                merged = min(one.lowerBound, merged.lowerBound)..<max(one.upperBound, merged.upperBound)
                return false
            }
            state.there.append(merged)
        }
        tell(.grew)
    }

    /// Everything has come.
    func complete() {
        state.withLock {
            $0.there = [0..<bytes.count]
            $0.isComplete = true
        }
        tell(.completed)
    }

    private func tell(_ change: CopyChange) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer(change) }
    }
}
