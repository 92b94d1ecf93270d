import Testing

@testable import NyanStore

@Suite("The copy of a damaged database")
struct DamagedCopyTests {
    let folder = TemporaryFolder()

    @Test("of which the end is cut off gives the rows before the cut, though the file's own head promises more")
    func cut() throws {
        let path = folder("a.db")
        do {
            let whole = try Connection(path)
            try whole.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, words TEXT)")
            for number in 1...3000 { try whole.run("INSERT INTO t (words) VALUES (?)", .text("Песня \(number)")) }
        }
        let bytes = Disk.bytes(path)
        try Disk.write(path, Array(bytes[..<(bytes.count / 2 + 100)]))
        var found: [Int64] = []
        try DamagedCopy.read(path) { connection in
            _ = try? connection.rows("SELECT id FROM t ORDER BY id") { row in found.append(row.integer(0)) }
            return !found.isEmpty
        }
        // The page of the cut itself may give anything.
        #expect(Array(found.prefix(1000)) == Array(1...1000))
    }
}
