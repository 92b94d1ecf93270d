import Glibc
import NyanCore

extension CopyFile {
    /// In a folder of our own whatever has the name but is no file is rubbish and gives way: a link, a pipe, a folder. A
    /// file whose rights somebody took gets them back. One that has a second name, as a backup by hard links gives it, is
    /// left to that, and its bytes are copied: what is written here must not be written there.
    static func openFile(_ path: String, _ id: TrackID) throws(Failure) -> OpenFile {
        var facts = stat()
        if lstat(path, &facts) == 0 {
            if facts.st_mode & S_IFMT != S_IFREG {
                if unlink(path) != 0 { rmdir(path) }
            } else if facts.st_nlink > 1 {
                // Without room for both the sound is fetched anew.
                do throws(Failure) { try part(path, facts, id) } catch { unlink(path) }
            } else if facts.st_mode & 0o600 != 0o600 {
                chmod(path, 0o600)
            }
        }
        return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, subject: id)
    }

    /// Puts a file of the same bytes, gaps and time in the name's place.
    private static func part(_ path: String, _ facts: stat, _ id: TrackID) throws(Failure) {
        let source = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, subject: id)
        let (folder, name) = splitPath(path)
        // Swept as a half-written sidecar where a kill leaves it.
        let temporary = "\(folder)/.\(name).tmp"
        unlink(temporary)
        let target = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, subject: id)
        do throws(Failure) {
            for range in source.extents.ranges { try copy(range, from: source, to: target, id) }
            try target.truncate(to: Int64(facts.st_size), subject: id)
            var times = [facts.st_atim, facts.st_mtim]
            futimens(target.descriptor, &times)
            if rename(temporary, path) != 0 { throw .file(errno, "replace", path, subject: id) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func copy(
        _ range: Range<Int64>, from source: OpenFile, to target: OpenFile, _ id: TrackID
    ) throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let most = Int(min(Int64(buffer.count), range.upperBound - offset))
            let count = buffer.withUnsafeMutableBytes { source.read(at: offset, into: .init(rebasing: $0[..<most])) }
            guard let count else { throw .file(errno, "read", source.path, subject: id) }
            if count == 0 { return }
            try target.write(Array(buffer[..<count]), at: offset)
            offset += Int64(count)
        }
    }
}
