import FoundationEssentials
public import NyanCore

/// Words of tracks that VK was asked for, also that it has none.
extension LibraryDatabase: LyricsStore {
    public func lyrics(of id: TrackID) async throws(Failure) -> StoredLyrics? {
        let found = try reading { connection throws(DatabaseError) in
            try connection.first(
                "SELECT asked_at, words FROM lyrics WHERE owner = ? AND audio = ?",
                [.integer(id.owner), .integer(id.audio)]
            ) { (askedAt: $0.integer(0), words: $0.optionalText(1)) }
        }
        guard let found else { return nil }
        guard let words = found.words else { return StoredLyrics(lyrics: nil, askedAt: found.askedAt) }
        // What cannot be read is as good as never asked for.
        let lyrics = try? JSONDecoder().decode(Lyrics.self, from: Data(words.utf8))
        return lyrics.map { StoredLyrics(lyrics: $0, askedAt: found.askedAt) }
    }

    public func setLyrics(_ lyrics: StoredLyrics, of id: TrackID) async throws(Failure) {
        let words = lyrics.lyrics.flatMap { try? JSONEncoder().encode($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        try writing { connection throws(DatabaseError) in
            try connection.run(
                "INSERT OR REPLACE INTO lyrics (owner, audio, asked_at, words) VALUES (?, ?, ?, ?)",
                .integer(id.owner), .integer(id.audio), .integer(lyrics.askedAt), .text(words))
        }
    }
}
