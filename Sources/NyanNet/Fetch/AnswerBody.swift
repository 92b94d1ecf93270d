import Glibc
import NyanCore

/// Puts the body of one answer where it belongs in the copy: what is missing is written; what is there already is passed
/// over where the server proved that it is the same file, and compared byte by byte where it did not (decision 0018).
struct AnswerBody {
    enum Problem {
        /// The answer is of another file than what is there.
        case differs
        case failed(Failure)
    }

    /// Where the next byte belongs.
    private(set) var position: Int64
    /// No byte belongs at or behind it; nil while nobody said.
    let end: Int64?
    let isComparing: Bool

    /// The next bytes. Nil: all well.
    mutating func put(_ bytes: UnsafeRawBufferPointer, into copy: any CopySink) -> Problem? {
        let behind = position + Int64(bytes.count)
        if let end, behind > end {
            return .failed(Failure(.badAnswer, "The server sent more than it announced.", retry: .later))
        }
        // Longer than what an earlier answer announced: then that was another file.
        if let size = copy.size, behind > size { return .differs }
        var rest = bytes[...]
        while !rest.isEmpty {
            let there = Int(min(Int64(rest.count), copy.available(from: position)))
            if there > 0 {
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(there))
                if isComparing, !Self.holds(copy, part, at: position) { return .differs }
                position += Int64(there)
                rest = rest.dropFirst(there)
                continue
            }
            // Bytes of the old file may lie behind: what proved them says nothing of the new ones, nor the other way round.
            if isComparing, copy.validator != nil {
                do throws(Failure) { try copy.forgetValidator() } catch { return .failed(error) }
            }
            let room = copy.missing(from: position)?.upper.map { $0 - position } ?? .max
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(min(Int64(rest.count), max(1, room)))))
            do throws(Failure) { try copy.write(part, at: position) } catch { return .failed(error) }
            position += Int64(part.count)
            rest = rest.dropFirst(part.count)
        }
        return nil
    }

    /// Whether the copy has these very bytes there.
    static func holds(_ copy: any CopySink, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { buffer in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                guard case .bytes(let count) = copy.read(at: offset + Int64(done), into: rest) else { return false }
                done += count
            }
            guard let ours = buffer.baseAddress, let theirs = bytes.baseAddress else { return true }
            return memcmp(ours, theirs, bytes.count) == 0
        }
    }
}
