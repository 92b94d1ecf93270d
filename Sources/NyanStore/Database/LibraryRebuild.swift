public import NyanCore

/// A library that was begun anew: what it is to know again takes several steps and the network, and a kill may come at any
/// of them. A note that is written with its tables stands until all is done.
extension LibraryDatabase {
    private static let rebuilding = "rebuilding"

    static func file(_ path: String) -> DatabaseFile {
        DatabaseFile(
            path: path, migrations: LibrarySchema.migrations,
            beginning: "INSERT INTO notes (name, value) VALUES ('\(rebuilding)', 'on')",
            derived: "INSERT INTO words (words) VALUES ('rebuild')",
            salvage: { (damaged, connection) throws(DatabaseError) in
                try LibrarySalvage(reading: damaged).write(to: connection, exceptNote: rebuilding)
            })
    }

    static func isRebuilding(_ connection: Connection) -> Bool {
        let found = try? connection.first("SELECT 1 FROM notes WHERE name = ?", [.text(rebuilding)]) { _ in true }
        return found == true
    }

    /// My Music was read, and no unfinished download is lost any more: the next start is an ordinary one.
    public func endRebuilding() async throws(Failure) { try await setNote(Self.rebuilding, nil) }
}
