import CGLib
import Glibc
public import NyanCore

extension Failure {
    /// A failed file operation in words: what was tried, on which name in which folder, and what the system said.
    ///
    /// A full disk, a used-up quota and a size limit (`ulimit -f`) are `.diskFull`; all else is `.fileAccess`, with advice
    /// where there is any.
    /// `number`: the `errno` of the failed call, read right after it.
    public static func file(
        _ number: Int32, _ action: String, _ path: String, subject: TrackID? = nil
    ) -> Failure {
        let text = g_strerror(number).map { String(cString: $0) } ?? "error \(number)"
        let (folder, name) = splitPath(path)
        // The name may be a temporary one; the folder is what a person can make room in.
        if let full = fullness(number, in: folder) {
            return Failure(.diskFull, "\(full) (\(text))", subject: subject, retry: .later)
        }
        let advice = advice(number).map { "; \($0)" } ?? ""
        return Failure(
            .fileAccess, "cannot \(action) \"\(name)\" in \(folder): \(text)\(advice)", subject: subject)
    }

    /// Words for a folder that takes no more bytes; nil for any other error.
    static func fullness(_ number: Int32, in folder: String) -> String? {
        switch number {
        case ENOSPC: "there is no room left in \(folder): make some, then try again"
        case EDQUOT: "your share of the disk that has \(folder) is used up: delete something, then try again"
        case EFBIG: "files in \(folder) may not become so large (ulimit -f, or the disk's own limit): raise it"
        default: nil
        }
    }

    /// What a person can do about it; nil where the error says it, or nobody can tell.
    private static func advice(_ number: Int32) -> String? {
        switch number {
        case EROFS: "mount it for writing, or choose another folder"
        case EACCES, EPERM: "allow yourself to use it, or choose another folder"
        case EIO: "the disk has trouble: look into the system's log, and save what is on it"
        case ENODEV, ENXIO, ESTALE, ENOTCONN, EHOSTDOWN: "is its disk still there?"
        default: nil
        }
    }
}

/// The folder and the last name of a path; a bare name is in `.`. By scalars: a name may begin with a mark, which is one
/// `Character` with the `/` before it.
func splitPath(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.unicodeScalars.index(after: slash)...]))
}
