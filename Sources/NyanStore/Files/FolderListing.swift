import Glibc
import NyanCore

/// The system's reason why something could not be looked at.
struct LookError: Error, Equatable {
    /// An `errno`.
    var number: Int32
    var path: String

    init(_ number: Int32, _ path: String) {
        self.number = number
        self.path = path
    }

    /// There is nothing of this path: that is an answer, too.
    var isAbsence: Bool { number == ENOENT || number == ENOTDIR }
    /// It stays so however often one looks, and is about this path alone; all else passes, or is about the whole disk.
    var isOfPath: Bool { [EACCES, EPERM, ENAMETOOLONG, ELOOP].contains(number) }
    var failure: Failure { .file(number, "read", path) }
}

extension Folder {
    /// Names in the folder without `.` and `..`, for those who take a name that is not among them for gone.
    static func listing(_ path: String) throws(LookError) -> [String] {
        guard let folder = opendir(path) else { throw LookError(errno, path) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            // The end and an error look the same but for this.
            errno = 0
            guard let entry = readdir(folder) else {
                guard errno == 0 else { throw LookError(errno, path) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }
}
