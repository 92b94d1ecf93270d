import Glibc
import NyanCore

extension FinishedCopy {
    /// Whether somebody took the file away: its folder is there and it is not. False while a whole disk is away.
    var isGone: Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return access(path, F_OK) != 0 && errno == ENOENT && access(folder, F_OK) == 0
    }
}
