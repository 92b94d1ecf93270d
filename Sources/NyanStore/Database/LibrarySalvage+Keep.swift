import NyanCore

/// What can be read of what rules brought and the person took away. The rules themselves come with the notes and the
/// playlists.
struct SalvagedKeep {
    var brought: [(owner: Int64, number: Int64, track: Int64)] = []
    var declined: [Int64] = []

    init() {}

    init(reading connection: Connection) {
        brought =
            LibrarySalvage.bothEnds(connection, "brought", ["owner", "number", "track"]) {
                ($0.integer(0), $0.integer(1), $0.integer(2))
            }.rows
        declined = LibrarySalvage.bothEnds(connection, "declined", ["track"]) { $0.integer(0) }.rows
    }
}

extension LibrarySalvage {
    func writeKeep(to connection: Connection) throws(DatabaseError) {
        try each(keep.brought) { mark throws(DatabaseError) in
            guard let new = try place(mark.track, in: connection) else { return }
            try connection.run(
                "INSERT OR IGNORE INTO brought (owner, number, track) VALUES (?, ?, ?)", .integer(mark.owner),
                .integer(mark.number), .integer(new))
        }
        try each(keep.declined) { row throws(DatabaseError) in
            guard let new = try place(row, in: connection) else { return }
            try connection.run("INSERT OR IGNORE INTO declined (track) VALUES (?)", .integer(new))
        }
    }
}
