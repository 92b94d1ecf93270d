import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// What a person does to My Music's files in a file manager, with the real programs.
@Suite("Files by hand, whole", .serialized, .timeLimit(.minutes(4)))
struct HandTests {
    private static let ids = (60...63).map { "123456_\(456_240_000 - $0)" }

    /// Four files in My Music: their paths by id.
    private func filled(_ house: House) async throws -> [String: String] {
        try await house.startDaemon()
        try await house.signIn()
        let words = [House.programs + "/nyanctl", "download"] + Self.ids + ["--wait"]
        let outcome = try await Program(words, environment: house.environment).outcome()
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try await house.paths()
    }

    @Test("moved and renamed files are found, edited ones stay what they are, deleted ones are gone; VK hears nothing")
    func running() async throws {
        let house = try await House.quick()
        let before = try await filled(house)
        let (a, b, c, d) = (Self.ids[0], Self.ids[1], Self.ids[2], Self.ids[3])
        let files = FileManager.default
        try files.createDirectory(atPath: house.music + "/Sub/Deep", withIntermediateDirectories: true)
        let (deep, renamed) = (house.music + "/Sub/Deep/x.mp3", house.music + "/переименовано.MP3")
        try files.moveItem(atPath: try #require(before[a]), toPath: deep)
        try files.moveItem(atPath: try #require(before[b]), toPath: renamed)
        try await house.until("both are found") {
            let now = try await house.paths()
            return now[a] == deep && now[b] == renamed && now.count == 4
        }
        try await house.retag(try #require(before[c]))
        #expect(unlink(try #require(before[d])) == 0)
        try await house.until("it is gone") { try await house.paths().count == 3 }
        let row = try #require(try await house.rows("profile").first { $0.id == d })
        #expect(row.downloaded == false && row.path == nil)
        #expect(try await house.paths()[c] == before[c])
        #expect(try await !house.downloadIDs().contains(d), "its row stands for nothing")
        // A second file of one track changes nothing until the first one goes.
        try files.copyItem(atPath: deep, toPath: house.music + "/zz.mp3")
        try files.copyItem(atPath: renamed, toPath: house.music + "/Sub/again.mp3")
        #expect(unlink(renamed) == 0)
        try await house.until("the second file counts") {
            try await house.paths()[b] == house.music + "/Sub/again.mp3"
        }
        #expect(try await house.paths()[a] == deep)
        #expect(try await house.ctl("play", c).status == 0)
        #expect(try await house.ctl("delete", a).status == 0)
        #expect(access(deep, F_OK) != 0)
        try await house.expectNoChangesAtVK()
        #expect(try await house.rows("profile").count == 450)
        try await move(house, b, leaving: c)
    }

    @Test("what is done while nyand does not run is seen at the start; deleted files of a kept list stay away")
    func stopped() async throws {
        let house = try await House.quick()
        try await house.control(#"{"cmd":"library-empty"}"#)
        let ids = try await house.add(4)
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("keep", "profile").status == 0)
        try await house.until("all are there") { try await house.musicIDs().count == 4 }
        let before = try await house.paths()
        await house.kill()
        try FileManager.default.createDirectory(atPath: house.music + "/Old", withIntermediateDirectories: true)
        let moved = house.music + "/Old/song.mp3"
        try FileManager.default.moveItem(atPath: try #require(before[ids[0]]), toPath: moved)
        #expect(unlink(try #require(before[ids[1]])) == 0)
        try await house.startDaemon()
        try await house.until("all of it is seen") {
            let now = try await house.paths()
            return now[ids[0]] == moved && now[ids[1]] == nil && now.count == 3
        }
        #expect(try await house.ctl("sync").status == 0)
        let more = try await house.add(1)
        #expect(try await house.ctl("sync").status == 0)
        try await house.until("what is new comes") { try await house.musicIDs().isSuperset(of: more) }
        #expect(try await house.musicIDs() == Set([ids[0], ids[2], ids[3]] + more))
        // Put back by hand it counts again; wished for, it is fetched.
        #expect(try await house.ctl("download", ids[1], "--wait").status == 0)
        try await house.expectNoChangesAtVK()
    }

    @Test("a folder that is away is not deleted files: nothing is forgotten or fetched, and all comes back with it")
    func away() async throws {
        let house = try await House.quick()
        let before = try await filled(house)
        let elsewhere = house.home + "/unmounted"
        #expect(rename(house.music, elsewhere) == 0)
        try await house.until("it is told") { house.daemon?.errors.contains("away as a whole") == true }
        #expect(try await house.paths() == before)
        #expect(try await house.status().problem?.code == "file-access")
        // An empty folder in its place, as a mount point is.
        #expect(mkdir(house.music, 0o755) == 0)
        #expect(try await house.ctl("sync").status == 0)
        await house.kill()
        try await house.startDaemon()
        try await house.until("it is told again") { house.daemon?.errors.contains("away as a whole") == true }
        #expect(try await house.paths() == before)
        #expect(rmdir(house.music) == 0 && rename(elsewhere, house.music) == 0)
        try await house.until("it is there again") { house.daemon?.errors.contains("is there again") == true }
        #expect(try await house.status().problem == nil)
        #expect(try await house.paths() == before)
        // Everything deleted, one by one and the folder too, is deleted.
        try FileManager.default.removeItem(atPath: house.music)
        try await house.until("all is gone") { try await house.paths().isEmpty }
        #expect(try await house.ctl("download", Self.ids[0], "--wait").status == 0)
        #expect(try await house.paths().count == 1)
        try await house.expectNoChangesAtVK()
    }

    /// Files follow into another `downloads.directory` when the settings are read again, and that one is listened to.
    private func move(_ house: House, _ id: String, leaving other: String) async throws {
        let before = try await house.paths()
        let folder = house.home + "/Other"
        #expect(mkdir(folder, 0o755) == 0)
        let path = try #require(before[id])
        #expect(rename(path, folder + "/a.mp3") == 0)
        try house.writeSettings("directory=\(folder)/\n[vk]\nmin-interval-ms=20\n")
        #expect(try await house.ctl("reload").status == 0)
        try await house.until("it is found there") { try await house.paths()[id] == folder + "/a.mp3" }
        #expect(rename(folder + "/a.mp3", folder + "/b.mp3") == 0)
        try await house.until("the new folder is listened to") { try await house.paths()[id] == folder + "/b.mp3" }
        #expect(try await house.paths()[other] == before[other])
    }
}

extension House {
    /// Files of My Music by track.
    func paths() async throws -> [String: String] {
        Dictionary(try await rows("music").map { ($0.id, $0.path ?? "") }, uniquingKeysWith: { $1 })
    }

    /// Changes a file's tags as a tag editor does, with more of them than fit into the old tag.
    func retag(_ path: String) async throws {
        let script = """
            import sys
            from mutagen.id3 import ID3, TIT2, COMM
            tags = ID3(sys.argv[1])
            tags.add(TIT2(encoding=3, text='Мой заголовок'))
            tags.add(COMM(encoding=3, lang='eng', desc='', text='x' * 60000))
            tags.save()
            """
        let outcome = try await Program(["/usr/bin/python3", "-c", script, path], environment: environment).outcome()
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    /// Not one call was made that changes anything at VK.
    func expectNoChangesAtVK() async throws {
        struct Call: Decodable { let method: String? }
        let calls = try JSONDecoder().decode([Call].self, from: Data(try await fetch("/_log?kind=api").utf8))
        let reading = ["get", "users", "account", "utils", "search", "execute"]
        let changing = calls.compactMap(\.method).filter { method in
            let name = method.split(separator: ".").last.map(String.init) ?? ""
            return !reading.contains { name.hasPrefix($0) || method.hasPrefix($0) }
        }
        #expect(changing.isEmpty, "\(changing)")
    }
}
