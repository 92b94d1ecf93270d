import CSQLite
import Dispatch
@testable import NyanCore
@testable import NyanStore

extension Fuzz {
    /// Readers of rows out of a database that something else has written to: of any type, and of any length.
    static let rows: [String: Target] = [
        "rows": { bytes in
            var making = RowMaking(bytes)
            guard let connection = try? Connection(":memory:") else { return }
            var columns = ""
            for column in 0..<TrackColumns.count + 4 { columns += (column > 0 ? ", c" : "c") + "\(column)" }
            guard (try? connection.run("CREATE TABLE t (\(columns))")) != nil else { return }
            let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
            for _ in 0..<4 {
                let values = (0..<TrackColumns.count + 4).map { _ in making.value() }
                guard (try? connection.run("INSERT INTO t VALUES (\(marks))", values: values)) != nil else { continue }
            }
            let tracks = try? connection.rows("SELECT * FROM t") { row -> Track in
                for column in 0..<TrackColumns.count + 4 {
                    _ = (row.integer(column), row.real(column), row.text(column), row.value(column))
                    hold(row.blob(column).count <= bytes.count + 64, "a blob is what was written")
                    _ = EntryBytes.ids(row.blob(column))
                }
                return TrackColumns.track(row)
            }
            for track in tracks ?? [] {
                _ = (track.length, track.reference.description, SearchText.folded(track), track.soundAddress)
                _ = FileName.make(template: "{artist} - {title}", track: track)
            }
        }
    ]
}

/// Makes SQL values out of bytes.
private struct RowMaking {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func value() -> SQLValue {
        guard let kind = rest.popFirst() else { return .null }
        let taken = Array(rest.prefix(Int(kind >> 3)))
        rest = rest.dropFirst(taken.count)
        let number = taken.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch kind & 7 {
        case 0: return .null
        case 1: return .integer(Int(truncatingIfNeeded: number))
        case 2: return .real(Double(bitPattern: number))
        case 3: return .integer(taken.isEmpty ? Int.max : Int.min)
        case 4, 5: return .text(text(taken))
        default: return .blob(taken)
        }
    }
}
