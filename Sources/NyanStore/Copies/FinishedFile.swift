import Glibc
import NyanCore

/// A finished file as a source of bytes: all of it is there and nothing changes.
final class FinishedFile: ByteSource {
    private let file: OpenFile
    private let length: Int64

    init(_ path: String) throws(Failure) {
        // A pipe in its place would be waited for, for ever.
        file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        var facts = stat()
        guard fstat(file.descriptor, &facts) == 0 else { throw .file(errno, "read", path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .file(EISDIR, "read", path) }
        length = Int64(facts.st_size)
    }

    var size: Int64? { length }
    var isComplete: Bool { true }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard offset >= 0 else { return .failed }
        if offset >= length { return .end }
        if buffer.isEmpty { return .notYet }
        guard let count = file.read(at: offset, into: buffer) else { return .failed }
        // Shortened by somebody since it was opened.
        return count > 0 ? .bytes(count) : .end
    }

    func available(from offset: Int64) -> Int64 { offset < 0 ? 0 : max(0, length - offset) }

    /// Nothing ever changes.
    func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation { Observation {} }
}
