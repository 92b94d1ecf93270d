import NyanCore
import Testing

/// What a look at the music folder means, by table.
@Suite("Files by hand")
struct FolderReckoningTests {
    private static func id(_ number: Int64) -> TrackID { TrackID(owner: 1, audio: number) }
    private static func file(_ name: String, _ number: Int64?, bytes: Int64 = 10, at time: Int64 = 1) -> SeenFile {
        SeenFile(path: "/m/\(name)", bytes: bytes, modified: time, id: number.map(id))
    }
    private static func copy(_ number: Int64, _ name: String, bytes: Int64 = 10, in folder: String = "/m")
        -> FinishedCopy
    {
        FinishedCopy(id: id(number), path: "\(folder)/\(name)", bytes: bytes)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var copies: [FinishedCopy]
        var files: [SeenFile]
        var isSame = true
        var isThere = true
        var deleted: Set<String> = []
        var moved: [String] = []
        var edited: [Int64] = []
        var gone: [Int64] = []
        var found: [String] = []
        var away = false
        /// A file of the size that is known lies under the name that is known: only its time tells that it must be read.
        var isByTime = false
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "nothing happened", copies: [copy(1, "a.mp3")], files: [file("a.mp3", 1)]),
        Row(name: "renamed", copies: [copy(1, "a.mp3")], files: [file("b.mp3", 1)], moved: ["/m/b.mp3"]),
        Row(
            name: "moved into a folder", copies: [copy(1, "a.mp3")], files: [file("s/a.mp3", 1)], moved: ["/m/s/a.mp3"]),
        Row(
            name: "two changed names", copies: [copy(1, "a.mp3"), copy(2, "b.mp3")],
            files: [file("a.mp3", 2), file("b.mp3", 1)], moved: ["/m/b.mp3", "/m/a.mp3"], isByTime: true),
        Row(
            name: "a foreign file took its name", copies: [copy(1, "a.mp3")],
            files: [file("a.mp3", nil), file("b.mp3", 1)], moved: ["/m/b.mp3"], isByTime: true),
        Row(
            name: "another track took its place", copies: [copy(1, "a.mp3")], files: [file("a.mp3", 2)], gone: [1],
            found: ["/m/a.mp3"], isByTime: true),
        Row(name: "edited", copies: [copy(1, "a.mp3")], files: [file("a.mp3", 1, bytes: 20)], edited: [1]),
        Row(
            name: "edited so that it says nothing", copies: [copy(1, "a.mp3")], files: [file("a.mp3", nil, bytes: 20)],
            edited: [1]),
        Row(
            name: "deleted among others", copies: [copy(1, "a.mp3"), copy(2, "b.mp3")], files: [file("b.mp3", 2)],
            isSame: false, gone: [1]),
        Row(name: "the last one deleted", copies: [copy(1, "a.mp3")], files: [], gone: [1]),
        Row(
            name: "another empty folder stands there", copies: [copy(1, "a.mp3")], files: [], isSame: false, away: true),
        Row(
            name: "another folder with foreign files", copies: [copy(1, "a.mp3")], files: [file("x.mp3", nil)],
            isSame: false, away: true),
        Row(name: "no folder at all", copies: [copy(1, "a.mp3")], files: [], isSame: false, isThere: false, away: true),
        Row(
            name: "deleted one by one, then the folder", copies: [copy(1, "a.mp3"), copy(2, "b.mp3")], files: [],
            isSame: false, isThere: false, deleted: ["/m/a.mp3", "/m/b.mp3"], gone: [1, 2]),
        Row(
            name: "one deleted, then the disk went", copies: [copy(1, "a.mp3"), copy(2, "b.mp3")], files: [],
            isSame: false, isThere: false, deleted: ["/m/a.mp3"], gone: [1], away: true),
        Row(
            name: "a second file of a track", copies: [copy(1, "b.mp3")], files: [file("a.mp3", 1), file("b.mp3", 1)]),
        Row(
            name: "brought back", copies: [copy(2, "b.mp3")], files: [file("a.mp3", 1), file("b.mp3", 2)],
            found: ["/m/a.mp3"]),
        Row(name: "brought back twice", copies: [], files: [file("a.mp3", 1), file("b.mp3", 1)], found: ["/m/a.mp3"]),
        Row(name: "foreign files are nobody's", copies: [], files: [file("a.mp3", nil)]),
        Row(
            name: "in another folder", copies: [copy(1, "a.mp3", in: "/old")], files: [file("b.mp3", 2)],
            found: ["/m/b.mp3"]),
    ]

    @Test("A look", arguments: rows.filter { !$0.isByTime })
    func look(row: Row) {
        let sight = FolderSight(
            folder: "/m", identity: row.isThere ? "1" : nil,
            files: row.files.map { SeenFile(path: $0.path, bytes: $0.bytes, modified: $0.modified) })
        let reckoning = FolderReckoning(copies: row.copies, sight: sight, seen: [])
        let unknown = Set(reckoning.unknown.map(\.path))
        let changes = reckoning.changes(
            identified: row.files.filter { unknown.contains($0.path) }, isSameFolder: row.isSame, deleted: row.deleted)
        #expect(changes.moved.map(\.copy.path) == row.moved)
        #expect(changes.edited.map(\.id.audio) == row.edited)
        #expect(changes.gone.map(\.id.audio) == row.gone)
        #expect(changes.found.map(\.path) == row.found)
        #expect(changes.isAway == row.away)
        if row.away { #expect(changes.seen.isEmpty && changes.unseen.isEmpty) }
    }

    @Test("The same where every file was seen before and is read by its time", arguments: rows)
    func seen(row: Row) {
        let before = row.copies.map { SeenFile(path: $0.path, bytes: $0.bytes, modified: 0, id: $0.id) }
        let sight = FolderSight(folder: "/m", identity: row.isThere ? "1" : nil, files: row.files)
        let reckoning = FolderReckoning(copies: row.copies, sight: sight, seen: before)
        #expect(reckoning.unknown == row.files)
        let changes = reckoning.changes(identified: row.files, isSameFolder: row.isSame, deleted: row.deleted)
        #expect(changes.moved.map(\.copy.path) == row.moved)
        #expect(changes.edited.map(\.id.audio) == row.edited)
        #expect(changes.gone.map(\.id.audio) == row.gone)
        #expect(changes.found.map(\.path) == row.found)
        #expect(changes.isAway == row.away)
    }

    @Test("What is in a folder nobody could look into is neither gone nor forgotten as seen")
    func unread() {
        let copies = [Self.copy(1, "a.mp3"), Self.copy(2, "x/b.mp3"), Self.copy(3, "c.mp3"), Self.copy(4, "xy.mp3")]
        let sight = FolderSight(
            folder: "/m", identity: "1", files: [Self.file("a.mp3", nil)], unread: ["/m/x", "/m/c.mp3"])
        let seen = [Self.file("a.mp3", 1), Self.file("x/b.mp3", 2), Self.file("xy.mp3", 4)]
        let reckoning = FolderReckoning(copies: copies, sight: sight, seen: seen)
        let changes = reckoning.changes(identified: [], isSameFolder: true)
        #expect(changes.gone.map(\.id.audio) == [4] && changes.unseen == ["/m/xy.mp3"])
    }

    @Test("Only names that are new are read; what was seen is remembered and what went is not")
    func reading() {
        let files = [Self.file("a.mp3", nil), Self.file("b.mp3", nil), Self.file("c.mp3", nil, at: 9)]
        let seen = [Self.file("b.mp3", 2), Self.file("c.mp3", 3, at: 8), Self.file("old.mp3", 4)]
        let reckoning = FolderReckoning(
            copies: [Self.copy(1, "a.mp3")], sight: FolderSight(folder: "/m", identity: "1", files: files), seen: seen)
        #expect(reckoning.unknown.map(\.path) == ["/m/c.mp3"])
        let changes = reckoning.changes(identified: [Self.file("c.mp3", 3, at: 9)], isSameFolder: true)
        #expect(changes.seen.map(\.path) == ["/m/a.mp3", "/m/c.mp3"] && changes.unseen == ["/m/old.mp3"])
        #expect(changes.found.map(\.id.audio) == [2, 3])
    }

    @Test("A file whose tag names no track is followed by its size and time")
    func untagged() {
        let seen = Self.file("a.mp3", 1, bytes: 33, at: 5)
        let files = [Self.file("b.mp3", nil, bytes: 33, at: 6), Self.file("c.mp3", nil, bytes: 33, at: 5)]
        let reckoning = FolderReckoning(
            copies: [Self.copy(1, "a.mp3", bytes: 33)], sight: FolderSight(folder: "/m", identity: "1", files: files),
            seen: [seen])
        let changes = reckoning.changes(identified: files, isSameFolder: true)
        #expect(changes.moved.map(\.copy.path) == ["/m/c.mp3"] && changes.gone.isEmpty)
    }

    @Test("A file of another folder follows only when it is not there any more")
    func elsewhere() {
        let copy = Self.copy(1, "a.mp3", in: "/old")
        let sight = FolderSight(folder: "/m", identity: "1", files: [Self.file("a.mp3", nil)])
        let reckoning = FolderReckoning(copies: [copy], sight: sight, seen: [])
        #expect(reckoning.elsewhere == [copy])
        let files = [Self.file("a.mp3", 1)]
        #expect(!reckoning.changes(identified: files, isSameFolder: true).touchesLibrary)
        let missing = Absence(missing: [copy.id])
        let changes = reckoning.changes(identified: files, isSameFolder: true, absent: missing)
        #expect(changes.moved.map(\.copy.path) == ["/m/a.mp3"])
        let empty = FolderReckoning(copies: [copy], sight: FolderSight(folder: "/m", identity: "1"), seen: [])
        #expect(
            !empty.changes(identified: [], isSameFolder: true, absent: missing).touchesLibrary, "a disk may be away")
        let gone = Absence(missing: [copy.id], gone: [copy.id])
        #expect(empty.changes(identified: [], isSameFolder: true, absent: gone).gone == [copy])
    }
}
