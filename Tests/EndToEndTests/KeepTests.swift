import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Keep rules with the real programs: what is kept comes by itself, and nothing goes that was not told to go.
@Suite("Keeping, whole", .serialized, .timeLimit(.minutes(4)))
struct KeepTests {
    struct Rule: Decodable { let kept: String, tracks: Int, here: Int, coming: Int, unavailable: Int }
    struct Began: Decodable { let kept: String, queued: Int, tracks: Int }
    struct Ended: Decodable { let cancelled: Int, deleted: Int, bytes: Int64, staying: Int }

    @Test("the profile is kept in VK's order, over kills; what is added comes, what is taken away stays away")
    func profile() async throws {
        let house = try await House.quick()
        try await house.control(#"{"cmd":"library-empty"}"#)
        try await house.add(4)
        try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"set","bandwidth":20000}"#)
        let profile = try await house.rows("profile").map(\.id)
        let began = try await house.ctl("--json", "keep", "profile").decoded(Began.self)
        #expect(began.kept == "profile" && began.queued == 4)
        await house.kill()
        #expect(try await house.downloadIDs() == [], "no daemon")
        try await house.startDaemon()
        #expect(try await house.downloadIDs() == profile, "in VK's order")
        try await house.control(#"{"cmd":"set","bandwidth":0}"#)
        try await house.until("all four are there") { try await house.musicIDs() == Set(profile) }
        // Added on the site, and by nyand itself.
        let added = try await house.add(1)
        #expect(try await house.ctl("sync").status == 0)
        try await house.until("the fifth is there") { try await house.musicIDs() == Set(profile + added) }
        #expect(try await house.ctl("playlist", "123456_90007").status == 0)
        #expect(try await house.ctl("add", "1").status == 0)
        try await house.until("the sixth is there") { try await house.musicIDs().count == 6 }
        // Deleted: away over a sync and a restart, until it is wished for.
        #expect(try await house.ctl("delete", profile[1]).status == 0)
        #expect(try await house.ctl("sync").status == 0)
        await house.kill()
        try await house.startDaemon()
        #expect(try await house.ctl("sync").status == 0)
        try await house.add(1)
        #expect(try await house.ctl("sync").status == 0)
        try await house.until("the seventh is there") { try await house.musicIDs().count == 6 }
        #expect(try await !house.musicIDs().contains(profile[1]))
        #expect(try await house.ctl("keep", "profile").errors.contains("1 queued now"))
        try await house.until("what was deleted is there again") { try await house.musicIDs().contains(profile[1]) }
    }

    @Test("what VK withdraws or the list loses stays on disk and is marked; what VK gives again is fetched")
    func withdrawn() async throws {
        let house = try await House.quick()
        try await house.control(#"{"cmd":"library-empty"}"#)
        let ids = try await house.add(3)
        try await house.control(#"{"cmd":"track","id":"\#(ids[2])","link":"empty","restricted":1}"#)
        try await house.startDaemon()
        try await house.signIn()
        let began = try await house.ctl("--json", "keep", "profile").decoded(Began.self)
        #expect(began.queued == 2 && began.tracks == 3)
        try await house.until("both are there") { try await house.musicIDs() == Set(ids[..<2]) }
        try await house.control(#"{"cmd":"track","id":"\#(ids[0])","link":"empty","restricted":1}"#)
        try await house.control(#"{"cmd":"library-delete","ids":["\#(ids[1])"]}"#)
        try await house.control(#"{"cmd":"track","id":"\#(ids[2])","link":"signed","restricted":0}"#)
        #expect(try await house.ctl("sync").status == 0)
        try await house.until("what VK gives again is there") { try await house.musicIDs() == Set(ids) }
        let rows = try await house.rows("profile")
        #expect(rows.map(\.id).sorted() == [ids[0], ids[2]].sorted())
        #expect(rows.first { $0.id == ids[0] }?.available == false)
        #expect(rows.allSatisfy { $0.downloaded == true && access($0.path ?? "", R_OK) == 0 })
        let rules = try await house.ctl("--json", "keep").decoded([Rule].self)
        #expect(rules.map(\.kept) == ["profile"] && rules.first?.here == 2)
    }

    @Test("a kept playlist grows by nyand and by the site; unkeep --delete deletes what only it brought")
    func playlist() async throws {
        let house = try await House.quick()
        try await house.startDaemon()
        try await house.signIn()
        let list = "123456_90001"
        let first = try await house.ctl("--json", "playlist", list).decoded([TrackRow].self).map(\.id)
        #expect(try await house.ctl("download", first[0], "--wait").status == 0, "the user's own")
        #expect(try await house.ctl("keep", list).status == 0)
        try await house.until("the list is there") { try await house.musicIDs().isSuperset(of: first) }
        struct Listed: Decodable { let id: String, kept: Bool }
        let kept = try await house.ctl("--json", "playlists").decoded([Listed].self).filter(\.kept)
        #expect(kept.map(\.id) == [list])
        let (mine, sites) = ("123456_456239965", "123456_456239963")
        #expect(try await house.ctl("playlist", "add", list, mine).status == 0)
        try await house.until("what was added here is there") { try await house.musicIDs().contains(mine) }
        try await house.siteAdds(sites, to: list)
        #expect(try await house.ctl("sync").status == 0)
        try await house.until("what was added there is there") { try await house.musicIDs().contains(sites) }
        // Another rule keeps one of them, the user wishes for another.
        let other = try await house.ctl("playlist", "create", "Other").output.split(separator: "\n").joined()
        #expect(try await house.ctl("playlist", "add", other, first[1]).status == 0)
        #expect(try await house.ctl("keep", other).status == 0)
        #expect(try await house.ctl("download", mine).status == 0)
        let refused = try await house.onTerminal("unkeep", list, "--delete", typing: "n")
        #expect(refused.contains("Delete \(first.count - 1) files (") && refused.contains("nothing was changed"))
        #expect(try await house.musicIDs() == Set(first + [mine, sites]))
        let told = try await house.ctl("unkeep", list).errors
        #expect(told.contains("\(first.count - 1) files of it stay") && told.contains("--delete"), "\(told)")
        #expect(try await house.musicIDs() == Set(first + [mine, sites]))
        #expect(try await house.ctl("unkeep", list, "--delete").status == 2, "nobody can be asked")
        let answered = try await house.onTerminal("unkeep", list, "--delete", typing: "y")
        #expect(answered.contains("deleted \(first.count - 1) files"), "\(answered)")
        #expect(try await house.musicIDs() == [first[0], first[1], mine])
        #expect(try await house.ctl("unkeep", list, "--delete", "--yes").status == 5)
        try await kill(house, whileUnkeeping: list, leaving: [first[0], first[1], mine])
    }

    /// A kill in the middle of `unkeep --delete` leaves its end, which can be finished; nothing comes again.
    private func kill(_ house: House, whileUnkeeping list: String, leaving rest: Set<String>) async throws {
        #expect(try await house.ctl("keep", list).status == 0)
        try await house.until("the list is there again") {
            let rules = try await house.ctl("--json", "keep").decoded([Rule].self)
            return rules.first { $0.kept == list }.map { $0.here == $0.tracks } == true
        }
        let all = try await house.paths()
        let path = try #require(all.first { !rest.contains($0.key) }?.value)
        let end = try Program(
            [House.programs + "/nyanctl", "unkeep", list, "--delete", "--yes"], environment: house.environment)
        let limit = ContinuousClock.now + .seconds(40)
        while access(path, F_OK) == 0, ContinuousClock.now < limit { await Task.yield() }
        await house.kill()
        _ = await end.status()
        try await house.startDaemon()
        // What was deleted and not yet forgotten is noticed.
        try await house.until("every file that is listed is there") {
            try await house.paths().values.allSatisfy { access($0, F_OK) == 0 }
        }
        #expect(try await !house.ctl("--json", "keep").decoded([Rule].self).contains { $0.kept == list })
        #expect(try await house.ctl("sync").status == 0)
        let left = try await house.musicIDs()
        #expect(left.isSubset(of: all.keys) && left.count < all.count)
        let again = try await house.ctl("unkeep", list, "--delete", "--yes").status
        #expect(again == 0 || again == 5)
        #expect(try await house.musicIDs() == rest)
    }

    @Test("the end of a rule cancels what still waits for it alone; offline it is kept and waits")
    func cancels() async throws {
        let house = try await House.quick()
        try await house.startDaemon()
        try await house.signIn()
        let list = "123456_90001"
        #expect(try await house.ctl("--json", "playlist", list).status == 0)
        #expect(try await house.ctl("offline", "on").status == 0)
        let offline = try await house.ctl("keep", "123456_90002")
        #expect(offline.status == 0 && offline.errors.contains("not known yet"), "\(offline.errors)")
        let began = try await house.ctl("--json", "keep", list).decoded(Began.self)
        let ids = try await house.downloadIDs()
        #expect(ids.count == began.queued && began.queued >= 4)
        #expect(try await house.ctl("download", ids[0]).status == 0)
        #expect(try await house.ctl("cancel", ids[1]).status == 0)
        let ended = try await house.ctl("--json", "unkeep", list).decoded(Ended.self)
        #expect(ended.cancelled == ids.count - 2 && ended.deleted == 0 && ended.staying == 0)
        #expect(try await house.downloadIDs() == [ids[0]])
        // The other one, whose tracks were never read, is read and fetched once VK may be asked.
        #expect(try await house.ctl("offline", "off").status == 0)
        #expect(try await house.ctl("sync").status == 0)
        try await house.until("all of it is there") {
            let rules = try await house.ctl("--json", "keep").decoded([Rule].self)
            return rules.map(\.kept) == ["123456_90002"] && rules[0].tracks == 3 && rules[0].here == 3
        }
        #expect(try await house.ctl("logout").status == 0)
        #expect(try await house.ctl("--json", "keep").output == "[]\n")
        #expect(try await house.musicIDs().count >= 4, "files stay")
    }
}

extension House {
    /// VK without its pauses.
    static func quick() async throws -> House {
        let house = try await House(settings: "[vk]\nmin-interval-ms=20\n")
        try await house.control(#"{"cmd":"set","rate-limit":0}"#)
        return house
    }

    /// Ends nyand as a power cut does.
    func kill() async {
        daemon?.send(SIGKILL)
        _ = await daemon?.status()
    }

    /// Puts short songs at the head of the profile at VK: their ids from the top.
    @discardableResult
    func add(_ count: Int) async throws -> [String] {
        struct Answer: Decodable { let ids: [Loose] }
        var ids: [String] = []
        for _ in 0..<count {
            let number = Int.random(in: 1...1_000_000)
            let answer = try await fetch(
                "/_control", post: #"{"cmd":"library-add","artist":"Artist","title":"Song \#(number)"}"#)
            ids.insert(
                contentsOf: try JSONDecoder().decode(Answer.self, from: Data(answer.utf8)).ids.compactMap(\.text), at: 0
            )
        }
        return ids
    }

    func rows(_ listing: String) async throws -> [TrackRow] {
        try await ctl("--json", listing).decoded([TrackRow].self)
    }

    func musicIDs() async throws -> Set<String> { Set(try await rows("music").map(\.id)) }

    /// Ids of the download list in its order; none where nobody answers.
    func downloadIDs() async throws -> [String] {
        let answer = try await ctl("--json", "downloads")
        return answer.status == 0 ? try answer.decoded([DownloadRow].self).map(\.id) : []
    }

    /// Somebody adds a track to a playlist on the site.
    func siteAdds(_ track: String, to list: String) async throws {
        let parts = list.split(separator: "_")
        let body =
            "access_token=\(token)&v=5.282&owner_id=\(parts[0])&playlist_id=\(parts[1])&audio_ids=\(track)"
        let answer = try await Program(
            [
                "/usr/bin/curl", "-sS", "-A", ready["user-agent"] ?? "Mozilla/5.0", "-d", body,
                (ready["api-url"] ?? "") + "/audio.addToPlaylist",
            ], environment: environment
        ).outcome().output
        try #require(answer.contains("response"), "\(answer)")
    }

    /// Runs nyanctl on a terminal and types a line where it asks; gives all that was shown.
    func onTerminal(_ words: String..., typing line: String) async throws -> String {
        let script = """
            import os, pty, sys
            pid, end = pty.fork()
            if pid == 0: os.execv(sys.argv[2], sys.argv[2:])
            shown, asked = b'', False
            while True:
                try: some = os.read(end, 4096)
                except OSError: break
                if not some: break
                shown += some
                if b'[y/N]' in shown and not asked:
                    asked = True
                    os.write(end, sys.argv[1].encode() + b'\\n')
            os.waitpid(pid, 0)
            sys.stdout.write(shown.decode())
            """
        let program = ["/usr/bin/python3", "-c", script, line, Self.programs + "/nyanctl"] + words
        return try await Program(program, environment: environment).outcome().output
    }
}
