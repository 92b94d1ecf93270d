import CSQLite
import Glibc
import NyanCore

/// What SQLite refused, inside this module; outside it is a `Failure`.
struct DatabaseError: Error, Equatable {
    /// The primary result code, such as `SQLITE_FULL`.
    var code: Int32
    /// SQLite's own words; may quote SQL, never a bound value.
    var message: String
    /// The system's last error, where SQLite met one; else 0 or an older one.
    var systemError: Int32 = 0

    static func == (one: Self, other: Self) -> Bool { one.code == other.code && one.message == other.message }

    /// A row of a track does not say which: no listing it stands in could be given. Such a row is not saved from the file.
    static let nameless = DatabaseError(code: SQLITE_ERROR, message: "a track in it has no number")

    /// The file is no usable database: it is set aside when it is opened next.
    var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT }

    /// A table or a column is missing, or what says which track a row is. Where the file lacks what the schema's number promises (`isAtFault`), something
    /// else has written to it: damage, too. Else, and in a migration, it is our own mistake.
    var isMisshapen: Bool {
        if self == .nameless { return true }
        guard code == SQLITE_ERROR else { return false }
        return message.hasPrefix("no such table") || message.hasPrefix("no such column")
            || message.contains("has no column named")
    }

    /// The same for a person, about the database at `path`.
    func failure(at path: String) -> Failure {
        let (folder, name) = splitPath(path)
        let place = "\"\(name)\" in \(folder)"
        switch code {
        case SQLITE_FULL:
            let words = Failure.fullness([EDQUOT, EFBIG].contains(systemError) ? systemError : ENOSPC, in: folder)
            return Failure(.diskFull, "\(words ?? "no room"); \"\(name)\" cannot be written until then", retry: .later)
        case SQLITE_BUSY, SQLITE_LOCKED:
            return Failure(.conflict, "\(place) is in use by another program", retry: .later)
        case _ where isDamage:
            return Failure(.fileAccess, "\(place) is damaged (\(message)); it is set aside at the next start")
        case SQLITE_IOERR:
            return Failure(.fileAccess, "the disk has trouble with \(place) (\(message))", retry: .later)
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return Failure(.fileAccess, "cannot use \(place): \(message)")
        default:
            return Failure(.internal, "\(place): \(message)")
        }
    }
}
