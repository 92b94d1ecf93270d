import NyanCore

extension DatabaseFile {
    /// Whether the file is at fault, and a new one would help: it is damaged, or misses what its number promises. SQLite's
    /// words alone do not tell that from a mistake in a query of ours.
    func isAtFault(_ error: DatabaseError, _ connection: Connection?) -> Bool {
        error.isDamage || error == .nameless || (error.isMisshapen && connection.map(isWhole) == false)
    }

    /// Every table and column of the schema is there.
    private func isWhole(_ connection: Connection) -> Bool {
        guard let wanted = try? wantedShape() else { return true }
        guard let found = try? Self.shape(of: connection) else { return false }
        return wanted.isSubset(of: found)
    }

    private func wantedShape() throws(DatabaseError) -> Set<[String]> {
        let model = try Connection(":memory:")
        for migration in migrations { try model.execute(migration.sql) }
        return try Self.shape(of: model)
    }

    /// Each table with each of its columns.
    private static func shape(of connection: Connection) throws(DatabaseError) -> Set<[String]> {
        let columns = try connection.rows(
            """
            SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type IN ('table', 'view')
            """, [], { [$0.text(0), $0.text(1)] })
        return Set(columns)
    }
}
