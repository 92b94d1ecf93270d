import Glibc
import NyanCore

extension CopyFile {
    /// In a folder of our own whatever has the name but is no file is rubbish and gives way: a link, a pipe, a folder. A
    /// file whose rights somebody took gets them back. One that has a second name is left to that: what is written here
    /// must not be written there.
    static func openFile(_ path: String, _ id: TrackID) throws(Failure) -> OpenFile {
        var facts = stat()
        if lstat(path, &facts) == 0 {
            if facts.st_mode & S_IFMT != S_IFREG {
                if unlink(path) != 0 { rmdir(path) }
            } else if facts.st_nlink > 1 {
                unlink(path)
            } else if facts.st_mode & 0o600 != 0o600 {
                chmod(path, 0o600)
            }
        }
        return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, subject: id)
    }
}
