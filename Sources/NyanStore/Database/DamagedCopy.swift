import CSQLite
import FoundationEssentials
import Glibc
import NyanCore

/// A copy of a database that was set aside, to read what can be read of it: the file itself is not touched.
enum DamagedCopy {
    /// Hands a connection to the copy to `read`, which says whether it found what it looked for. Where it did not, the log
    /// may be another database's, left beside a file that was put back, and hides it: then once more without the log.
    /// Nothing is called where the file is no database at all.
    /// - Throws: when there is no room for the copy, or it could not be looked at: the file waits for the next start.
    static func read(_ path: String, _ read: (Connection) -> Bool) throws(DatabaseError) {
        let hasLog = access("\(path)-wal", F_OK) == 0
        if try once(path, withLog: hasLog, read) || !hasLog { return }
        _ = try once(path, withLog: false, read)
    }

    private static func once(
        _ path: String, withLog: Bool, _ read: (Connection) -> Bool
    ) throws(DatabaseError) -> Bool {
        let scratch = "\(path).reading"
        let remove = { for ending in ["", "-wal", "-shm"] { unlink(scratch + ending) } }
        // An earlier start may have been killed here.
        remove()
        defer { remove() }
        do {
            try FileManager.default.copyItem(atPath: path, toPath: scratch)
            if withLog { try FileManager.default.copyItem(atPath: "\(path)-wal", toPath: "\(scratch)-wal") }
            return read(try Connection(scratch, isDamaged: true))
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw DatabaseError(code: SQLITE_FULL, message: "no room to read the damaged one")
        } catch let error as DatabaseError where [SQLITE_FULL, SQLITE_NOMEM, SQLITE_CANTOPEN].contains(error.code) {
            // It could not be looked at, which says nothing of what it holds.
            throw error
        } catch {
            // No database: there is nothing to save.
            return false
        }
    }
}
