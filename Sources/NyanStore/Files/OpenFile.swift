import Glibc
import NyanCore

/// An open file, closed with its last reference; any thread may read and write it at an offset.
final class OpenFile: Sendable {
    let descriptor: Int32
    let path: String

    /// `mode`: permissions of a file this call creates, before the umask.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600, subject: TrackID? = nil) throws(Failure) {
        descriptor = retrying { Int(Glibc.open(path, flags | O_CLOEXEC, mode)) }.map(Int32.init) ?? -1
        self.path = path
        if descriptor < 0 { throw .file(errno, "open", path, subject: subject) }
    }

    /// Takes over an open descriptor. `path`: for messages.
    init(taking descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes in the file; nil when the system will not say.
    var size: Int64? {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : nil
    }

    /// When its bytes last changed, or were said to; 1970 for an empty file.
    var changed: timespec {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_size > 0 ? facts.st_mtim : timespec()
    }

    /// Reads up to the buffer's size; 0 at the end, nil on an error (`errno`).
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        retrying { pread(descriptor, buffer.baseAddress, buffer.count, Int(offset)) }
    }

    /// Writes all of the buffer at `offset`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, subject: TrackID? = nil) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = retrying { pwrite(descriptor, rest.baseAddress, rest.count, Int(offset) + done) }
            guard let count, count > 0 else { throw .file(errno, "write", path, subject: subject) }
            done += count
        }
    }

    /// Writes all of these bytes at `offset`.
    func write(_ bytes: [UInt8], at offset: Int64) throws(Failure) {
        let result: Result<Void, Failure> = bytes.withUnsafeBytes { buffer in
            Result { () throws(Failure) in try write(buffer, at: offset) }
        }
        try result.get()
    }

    func truncate(to size: Int64, subject: TrackID? = nil) throws(Failure) {
        if retrying({ Int(ftruncate(descriptor, Int(size))) }) == nil {
            throw .file(errno, "shorten", path, subject: subject)
        }
    }

    /// Returns when the bytes are on the disk.
    func sync(subject: TrackID? = nil) throws(Failure) {
        if retrying({ Int(fsync(descriptor)) }) == nil { throw .file(errno, "save", path, subject: subject) }
    }
}

/// Repeats a system call while signals interrupt it; nil when it failed (`errno`).
func retrying(_ call: () -> Int) -> Int? {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { return nil }
    }
}
