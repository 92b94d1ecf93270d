import Glibc

/// Whether what is written goes to the journal: systemd names the stream it gave by device and inode, and whoever
/// redirects standard error afterwards leaves the variable behind (systemd.exec(5), `$JOURNAL_STREAM`).
public enum JournalStream {
    /// Of standard error, by this process's variable.
    public nonisolated static func isStandardError() -> Bool {
        isDescriptor(2, named: getenv("JOURNAL_STREAM").map { String(cString: $0) })
    }

    /// `name`: decimal `DEVICE:INODE`; nil and anything else = no journal.
    public nonisolated static func isDescriptor(_ descriptor: Int32, named name: String?) -> Bool {
        var facts = stat()
        guard let parts = name?.split(separator: ":", omittingEmptySubsequences: false), parts.count == 2,
            let device = UInt64(parts[0]), let inode = UInt64(parts[1]), fstat(descriptor, &facts) == 0
        else { return false }
        return UInt64(facts.st_dev) == device && UInt64(facts.st_ino) == inode
    }
}
