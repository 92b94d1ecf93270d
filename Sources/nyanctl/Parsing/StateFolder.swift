import Glibc

/// A folder of the user's own for what is kept, made where it is missing.
///
/// After `su` or `sudo` the variables may still name somebody else's, which root could write to: nothing is made there, for
/// it would be in that user's way.
enum StateFolder {
    /// False where the folder is not this user's. `path` begins at the root.
    static func make(_ path: String) -> Bool {
        var path = path
        while path.last == "/", path.utf8.count > 1 { path.removeLast() }
        var found = stat()
        var missing: [String] = []
        var there = path
        while stat(there, &found) != 0 {
            guard errno == ENOENT, let slash = there.lastIndex(of: "/") else { return false }
            missing.append(there)
            there = slash == there.startIndex ? "/" : String(there[..<slash])
        }
        // A folder of root's that others may write to, such as /tmp, is nobody's in particular.
        guard found.st_uid == geteuid() || found.st_uid == 0 && !missing.isEmpty else { return false }
        for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST { return false }
        return stat(path, &found) == 0 && found.st_uid == geteuid()
    }
}
