import Glibc
import Synchronization

/// Knows folders that are a disk's place, so that an empty one is not written to while the disk is away: its files would
/// lie hidden beneath once it is back.
final class MountPlaces: Sendable {
    private let seen = Mutex<Set<String>>([])
    /// The system's table of disks, see fstab(5).
    private let table: String

    init(table: String = "/etc/fstab") { self.table = table }

    /// A disk that should be mounted right at `folder` is not, and nothing is there instead. It should be where it was
    /// seen mounted since the start, or the system's table says so.
    func isAway(_ folder: String) -> Bool {
        if Self.isMounted(folder) {
            seen.withLock { _ = $0.insert(folder) }
            return false
        }
        guard Folder.isThere(folder), seen.withLock({ $0.contains(folder) }) || isInTable(folder) else {
            return false
        }
        return Folder.names(in: folder).isEmpty
    }

    /// Another file system than the folder above it.
    private static func isMounted(_ folder: String) -> Bool {
        var (here, above) = (stat(), stat())
        guard stat(folder, &here) == 0, stat("\(folder)/..", &above) == 0 else { return false }
        return here.st_dev != above.st_dev
    }

    /// Not by Foundation, which loses 4 KiB each time it reads an empty file; the table of a container is one.
    private func isInTable(_ folder: String) -> Bool {
        guard let bytes = try? WholeFile.read(table) else { return false }
        return Self.places(in: String(decoding: bytes, as: UTF8.self)).contains(folder)
    }

    /// The second field of each line of a table as fstab(5) describes it; a blank in it is written `\040`.
    static func places(in table: String) -> [String] {
        table.split(separator: "\n").compactMap { line -> String? in
            let fields = line.split { $0 == " " || $0 == "\t" }
            guard fields.count > 1, !fields[0].hasPrefix("#") else { return nil }
            return String(fields[1]).replacing("\\040", with: " ").replacing("\\011", with: "\t")
        }
    }
}
