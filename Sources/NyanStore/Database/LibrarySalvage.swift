import NyanCore

/// What can still be read of a damaged library: each table from both ends up to the first unreadable page.
///
/// The file that was set aside is not touched; a copy is read. What cannot be read comes from VK and from My Music.
struct LibrarySalvage {
    private(set) var account: String?
    private(set) var notes: [(name: String, value: String)] = []
    private(set) var tracks: [Int64: Track] = [:]
    private(set) var covers: [Int64: String] = [:]
    /// Rows of tracks by position, the top last.
    private(set) var profile: [(position: Int64, track: Int64)] = []
    private(set) var copies: [(sequence: Int64, track: Int64, path: String, bytes: Int64)] = []
    private(set) var downloads: [Download] = []
    /// VK never tells again which tracks are one recording.
    private(set) var twins: [(track: Int64, recording: Int64)] = []
    private(set) var removals: [(track: Int64, below: Int64?, ordinal: Int64)] = []
    private(set) var departed: [Int64] = []
    private(set) var loudness: [(track: Int64, values: [SQLValue])] = []
    /// Rows of playlists with the values of `playlistColumns`.
    private(set) var playlists: [(row: Int64, values: [SQLValue])] = []
    /// Those all of whose entries were read.
    private(set) var wholePlaylists: Set<Int64> = []
    private(set) var entries: [(playlist: Int64, place: Int64, track: Int64)] = []
    private(set) var lyrics: [[SQLValue]] = []
    private(set) var keep = SalvagedKeep()

    static let playlistColumns = [
        "owner", "number", "access_key", "title", "about", "count", "followed", "follow_owner", "follow_number",
        "place", "kept", "is_read",
    ]

    /// Reads what there is; nothing where the file is no database at all.
    /// - Throws: when there is no room for the copy that is read.
    init(reading path: String) throws(DatabaseError) {
        try DamagedCopy.read(path) { connection in
            self = LibrarySalvage()
            return read(connection)
        }
    }

    private init() {}

    /// Whether tracks could be read, or there are none.
    private mutating func read(_ connection: Connection) -> Bool {
        account = try? connection.first("SELECT description FROM account") { $0.text(0) }
        notes = (try? connection.rows("SELECT name, value FROM notes") { ($0.text(0), $0.text(1)) }) ?? []
        let next = TrackColumns.count
        let described = Self.bothEnds(connection, "tracks", ["id"], "\(TrackColumns.names), cover_path") {
            (
                row: $0.integer(0), track: TrackColumns.isTrack($0, from: 1) ? TrackColumns.track($0, from: 1) : nil,
                cover: $0.optionalText(next + 1)
            )
        }
        for (row, track, cover) in described.rows where track != nil {
            tracks[row] = track
            covers[row] = cover
        }
        profile = Self.bothEnds(connection, "profile", ["position"], "track") { ($0.integer(0), $0.integer(1)) }.rows
        copies =
            Self.bothEnds(connection, "copies", ["sequence"], "track, path, bytes") {
                ($0.integer(0), $0.integer(1), $0.text(2), $0.count(3))
            }.rows
        let tracks = tracks
        downloads = Self.bothEnds(
            connection, "downloads", ["track"], "state, received, total, failure, attempts, ordinal"
        ) { row in tracks[row.integer(0)].map { LibraryDatabase.download(of: $0, row, from: 1) } }.rows
            .compactMap(\.self)
        twins = Self.bothEnds(connection, "twins", ["track"], "recording") { ($0.integer(0), $0.integer(1)) }.rows
        removals =
            Self.bothEnds(connection, "removals", ["track"], "below, ordinal") {
                ($0.integer(0), $0.optionalInteger(1), $0.integer(2))
            }.rows
        departed = Self.bothEnds(connection, "departed", ["track"]) { $0.integer(0) }.rows
        loudness =
            Self.bothEnds(connection, "loudness", ["track"], "bytes, gain, peak") { row in
                (row.integer(0), (1...3).map { row.value($0) })
            }.rows
        lyrics =
            Self.bothEnds(connection, "lyrics", ["owner", "audio"], "asked_at, words") { row in
                (0...3).map { row.value($0) }
            }.rows
        readPlaylists(connection)
        keep = SalvagedKeep(reading: connection)
        return described.gap == nil || !described.rows.isEmpty
    }

    private mutating func readPlaylists(_ connection: Connection) {
        let names = Self.playlistColumns
        playlists =
            Self.bothEnds(connection, "playlists", ["id"], names.joined(separator: ", ")) { row in
                (row.integer(0), names.indices.map { row.value(Int32($0) + 1) })
            }.rows
        let found = Self.bothEnds(connection, "playlist_entries", ["playlist", "place"], "track") {
            (playlist: $0.integer(0), place: $0.integer(1), track: $0.integer(2))
        }
        entries = found.rows
        wholePlaylists = Set(playlists.map(\.row))
        if let gap = found.gap {
            let first = gap > 0 ? entries[gap - 1].playlist : .min
            let last = gap < entries.count ? entries[gap].playlist : .max
            wholePlaylists = wholePlaylists.filter { $0 < first || $0 > last }
        }
        for entry in entries where tracks[entry.track] == nil { wholePlaylists.remove(entry.playlist) }
    }

    /// Rows in rising order of their key; a row that both directions reached is there once. The columns are the whole
    /// numbers of the key, then the others. `gap`: how many rows stand before what could not be read; nil = all was read.
    static func bothEnds<Element>(
        _ connection: Connection, _ table: String, _ key: [String], _ others: String? = nil, _ read: (Row) -> Element
    ) -> (rows: [Element], gap: Int?) {
        let columns = (key + (others.map { [$0] } ?? [])).joined(separator: ", ")
        let names = key.joined(separator: ", ")
        var rising: [Element] = []
        var last = key.map { _ in Int64.min }
        do throws(DatabaseError) {
            _ = try connection.rows("SELECT \(columns) FROM \(table) ORDER BY \(names)") { row in
                rising.append(read(row))
                last = key.indices.map { row.integer(Int32($0)) }
            }
            return (rising, nil)
        } catch {
            var falling: [Element] = []
            let marks = key.map { _ in "?" }.joined(separator: ", ")
            let order = key.map { "\($0) DESC" }.joined(separator: ", ")
            _ = try? connection.rows(
                "SELECT \(columns) FROM \(table) WHERE (\(names)) > (\(marks)) ORDER BY \(order)",
                last.map { .integer($0) }
            ) { row in falling.append(read(row)) }
            return (rising + falling.reversed(), rising.count)
        }
    }
}
