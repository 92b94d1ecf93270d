import Glibc
import NyanCore

extension FinishedCopy {
    private var folder: String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether the file is not where it was although its folder is there: somebody who wishes for it may have it anew.
    /// False while a whole disk is away.
    var isMissing: Bool {
        guard let folder else { return false }
        return access(path, F_OK) != 0 && errno == ENOENT && access(folder, F_OK) == 0
    }

    /// Whether somebody took the file away, so that the library may forget it: it is missing among others. An empty
    /// folder may be the place of a disk that is away.
    var isGone: Bool { isMissing && folder.map(Self.holdsSound) == true }

    private static func holdsSound(_ folder: String) -> Bool {
        guard let open = opendir(folder) else { return false }
        defer { closedir(open) }
        while let entry = readdir(open) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".mp3") || name.hasSuffix(".m4a"), !name.hasPrefix(".") { return true }
        }
        return false
    }
}
