import CSQLite
import Glibc

/// A value on its way into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func integer(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
    static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
    static func bool(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
}

/// A prepared statement, kept by its connection and used over and over. Not to be nested in itself.
final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw Statement.error(code, connection) }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    static func error(_ code: Int32, _ connection: OpaquePointer?) -> DatabaseError {
        let text = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
        let number = connection.map { sqlite3_system_errno($0) } ?? 0
        // The index of the log on a full disk, a used-up quota and a size limit are input/output errors to SQLite.
        let isFull =
            [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) && [ENOSPC, EDQUOT, EFBIG].contains(number)
        return DatabaseError(code: isFull ? SQLITE_FULL : code & 0xff, message: text, systemError: number)
    }

    /// Runs the statement from the start and hands each row to `read`.
    func run(_ values: [SQLValue], _ read: (Row) throws(DatabaseError) -> Void) throws(DatabaseError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            if code != SQLITE_OK { throw Statement.error(code, connection) }
        }
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw Statement.error(code, connection) }
            try read(Row(statement: handle))
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                // An empty text may have no address, which SQLite would take for NULL.
                guard let start = bytes.baseAddress else { return nyan_bind_text(handle, index, "", 0) }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    nyan_bind_text(handle, index, $0, Int32(bytes.count))
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                nyan_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
            }
        }
    }
}

/// One row of an answer; only valid while it is being read.
struct Row {
    let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    func bool(_ column: Int32) -> Bool { integer(column) != 0 }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// A number to count with: no less than 0, and far from where adding to it would end the process.
    func count(_ column: Int32) -> Int64 { min(max(integer(column), 0), 1 << 52) }

    func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_INTEGER }

    /// The text; empty for NULL.
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Whatever stands there, to be written elsewhere as it is.
    func value(_ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .text(text(column))
        }
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
