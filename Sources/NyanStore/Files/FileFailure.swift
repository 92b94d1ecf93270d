import CGLib
import Glibc
public import NyanCore

extension Failure {
    /// A failed file operation in words: what was tried, on which name in which folder, and what the system said.
    ///
    /// A full disk, a used-up quota and a size limit (`ulimit -f`) are `.diskFull`; all else is `.fileAccess`.
    /// `number`: the `errno` of the failed call, read right after it.
    public static func file(
        _ number: Int32, _ action: String, _ path: String, subject: TrackID? = nil
    ) -> Failure {
        let text = g_strerror(number).map { String(cString: $0) } ?? "error \(number)"
        let (folder, name) = splitPath(path)
        let message = "cannot \(action) \"\(name)\" in \(folder): \(text)"
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            // The name may be a temporary one; the folder is what a person can make room in.
            let full = "there is no room left in \(folder) (\(text)): make some, then try again"
            return Failure(.diskFull, full, subject: subject, retry: .later)
        default: return Failure(.fileAccess, message, subject: subject)
        }
    }
}

/// The folder and the last name of a path; a bare name is in `.`.
func splitPath(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
}
