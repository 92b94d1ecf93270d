import FoundationEssentials
public import NyanCore

/// Which tracks have a cover, in step with what the cache still holds.
extension LibraryDatabase: CoverLedger {
    public func forgetCovers(_ isGone: @escaping @Sendable (String) -> Bool) async throws(Failure) {
        let known = try reading { connection throws(DatabaseError) in
            try connection.rows("SELECT DISTINCT cover_path FROM tracks WHERE cover_path IS NOT NULL") { $0.text(0) }
        }
        let gone = known.filter(isGone)
        guard !gone.isEmpty, let list = try? JSONEncoder().encode(gone) else { return }
        try writing { connection throws(DatabaseError) in
            // One pass over the tracks, however many pictures are gone.
            try connection.run(
                "UPDATE tracks SET cover_path = NULL WHERE cover_path IN (SELECT value FROM json_each(?))",
                .text(String(decoding: list, as: UTF8.self)))
        }
    }
}
