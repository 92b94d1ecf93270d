import NyanCore

/// A growing copy as one reader began to read it: should everything in it be thrown away because the server has another
/// file now, this reader gets nothing any more. What it heard so far is never continued with bytes of another file.
final class EditionBytes: ByteSource {
    private nonisolated let copy: any CopySink
    private nonisolated let edition: Int

    nonisolated init(_ copy: any CopySink) {
        self.copy = copy
        edition = copy.edition
    }

    nonisolated var isCurrent: Bool { copy.edition == edition }
    nonisolated var size: Int64? { isCurrent ? copy.size : nil }
    nonisolated var isComplete: Bool { copy.isComplete && isCurrent }

    nonisolated func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        let read = copy.read(at: offset, into: buffer)
        // Looked at afterwards: an edition is over before the first byte of the next can be read.
        return isCurrent ? read : .notYet
    }

    nonisolated func available(from offset: Int64) -> Int64 {
        let there = copy.available(from: offset)
        return isCurrent ? there : 0
    }

    nonisolated func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation {
        copy.observe { [weak self] told in
            if self?.isCurrent == true { change(told) }
        }
    }
}
