import FoundationEssentials
import Glibc
import NyanTestKit
import NyanWire
import Testing

/// What every command prints with `--json`, in a house with the oddest titles, against docs/json.
@Suite("Documents, whole", .serialized, .timeLimit(.minutes(3)))
struct JSONDocumentTests {
    /// One run, as Tests/schema/validate.py reads it.
    private struct Case: Encodable {
        var form: String
        var words: String
        var output: String
        var errors: String
        var status: Int32
    }

    private struct Given: Encodable {
        var help: String
        var cases: [Case]
    }

    /// Runs commands and keeps what came.
    private final class Recorder {
        let house: House
        var cases: [Case] = []
        init(_ house: House) { self.house = house }

        /// `form` is the key in docs/json/commands.json. The command must succeed unless `status` says otherwise.
        @discardableResult
        func run(
            _ form: String, _ words: String..., input: String? = nil, status: Int32 = 0,
            at location: SourceLocation = #_sourceLocation
        ) async throws -> Program.Outcome {
            let program = [House.programs + "/nyanctl", "--json"]
            let outcome = try await Program(
                program + words, environment: house.environment, input: input ?? ""
            ).outcome()
            #expect(outcome.status == status, "\(words): \(outcome.errors)", sourceLocation: location)
            keep(form, words, (outcome.status, outcome.output, outcome.errors))
            return outcome
        }

        func keep(_ form: String, _ words: [String], _ outcome: (status: Int32, output: String, errors: String)) {
            cases.append(
                Case(
                    form: form, words: words.joined(separator: " "), output: outcome.output, errors: outcome.errors,
                    status: outcome.status))
        }
    }

    private struct Named: Decodable { let id: String }
    private static let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    private let a = "123456_456239999"
    private let b = "123456_456239998"
    private let long = "123456_456239965"

    @Test("every command's documents fit their schemas, which take no key too few and none too many; errors too")
    func documents() async throws {
        let house = try await House(settings: "[vk]\nmin-interval-ms=0\n")
        try await house.control(#"{"cmd":"set","rate-limit":0}"#)
        let sites = try Program(
            ["/usr/bin/python3", Self.tests + "/scrobbleserver/scrobbleserver.py", "--die-with-parent"],
            environment: house.environment)
        let line = try #require(await sites.line(), "\(sites.errors)")
        let ready = try JSONDecoder().decode([String: Loose].self, from: Data(line.utf8)).compactMapValues(\.text)
        try house.writeSettings(
            "[vk]\nmin-interval-ms=0\n[scrobble]\nlistenbrainz-url=\(ready["url"] ?? "")\n"
                + "lastfm-url=\(ready["lastfm-url"] ?? "")")
        try await house.startDaemon()
        let recorder = Recorder(house)
        try await account(recorder)
        try await listings(recorder)
        try await files(recorder)
        try await scrobbling(recorder, ready)
        try await playing(recorder)
        try await ends(recorder)

        let given = Given(help: try await house.ctl("help", "--json").output, cases: recorder.cases)
        let path = house.home + "/cases.json"
        try JSONEncoder().encode(given).write(to: URL(filePath: path))
        let script = "exec /usr/bin/python3 -W ignore '\(Self.tests)/schema/validate.py' <'\(path)'"
        let judged = try await Program(["/bin/sh", "-c", script], environment: house.environment).outcome()
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
    }

    private func account(_ house: Recorder) async throws {
        try await house.run("--version", "--version")
        try await house.run("help", "help")
        try await house.run("help COMMAND", "help", "profile")
        try await house.run("status", "status")
        try await house.run("profile", "profile", status: 4)
        try await house.run("whoami", "whoami", status: 4)
        try await house.run("login", "login", "--token", input: "not a token", status: 4)
        try await house.run("login", "login", "--token", input: house.house.token)
        try await house.run("sync", "sync")
        try await house.run("whoami", "whoami")
        try await house.run("doctor", "doctor", status: 0)
        try await house.run("login", "login", status: 2)
    }

    private func listings(_ house: Recorder) async throws {
        try await house.run("profile", "profile")
        try await house.run("profile", "profile", "--owner", "77")
        try await house.run("profile", "profile", "nothing-like-it")
        let found = try await house.run("search", "search", "Found", "Song", "--count", "3").decoded([Named].self)
        try await house.run("recommendations", "recommendations")
        try await house.run("friends", "friends")
        try await house.run("groups", "groups")
        try await house.run("lyrics", "lyrics", a)
        try await house.run("lyrics", "lyrics", b)
        try await house.run("lyrics", "lyrics", "123456_456239997", status: 5)
        let title = "Мой \"список\" \u{202e}\u{7}"
        let list = try await house.run("playlist create", "playlist", "create", title).decoded(Named.self).id
        try await house.run("playlist add", "playlist", "add", list, a, b)
        try await house.run("playlist remove", "playlist", "remove", list, b)
        try await house.run("playlist rename", "playlist", "rename", list, "🐈\\n")
        try await house.run("playlist", "playlist", list)
        try await house.run("playlists", "playlists")
        try await house.run("keep LIST", "keep", list)
        try await house.run("keep", "keep")
        try await house.run("unkeep", "unkeep", list)
        try await house.run("playlist delete", "playlist", "delete", list)
        try await house.run("playlist delete", "playlist", "delete", list, status: 5)
        let added = try #require(found.first?.id)
        try await house.run("add", "add", added)
        let mine = try await house.run("profile", "profile").decoded([Named].self)
        let copy = try #require(mine.first?.id)
        try await house.run("remove", "remove", copy)
        try await house.run("restore", "restore", copy)
        try await house.run("remove", "remove", "1_2", status: 5)
    }

    private func files(_ house: Recorder) async throws {
        try await house.run("download", "download", a)
        try await house.run("download --wait", "download", a, b, "--wait")
        try await house.run("downloads pause", "downloads", "pause")
        try await house.run("download", "download", long)
        try await house.run("downloads", "downloads")
        try await house.run("downloads resume", "downloads", "resume")
        try await house.run("cancel", "cancel", "--all")
        try await house.run("retry", "retry", "--all")
        try await house.run("retry", "retry", "1_2", status: 5)
        try await house.run("music", "music")
        let folder = house.house.home + "/out"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await house.run("export", "export", a, folder)
        try await house.run("export", "export", "1_2", folder, status: 5)
        try "no sound".write(toFile: folder + "/bad.mp3", atomically: false, encoding: .utf8)
        try await house.run("import", "import", folder)
        try await house.run("delete", "delete", b)
        try await house.run("delete", "delete", "1_2", status: 5)
    }

    private func scrobbling(_ house: Recorder, _ ready: [String: String]) async throws {
        try await house.run("scrobble login", "scrobble", "login", "listenbrainz", input: ready["token"])
        let keys = "\(ready["api-key"] ?? "")\n\(ready["secret"] ?? "")\n"
        try await house.run("scrobble login lastfm", "scrobble", "login", "lastfm", input: keys)
        try await house.run("scrobble login", "scrobble", "login", "lastfm", "--finish", status: 4)
        try await house.run("scrobble", "scrobble")
        try await house.run("scrobble logout", "scrobble", "logout", "listenbrainz")
    }

    private func playing(_ house: Recorder) async throws {
        // However slow the machine is, something plays up to the last of these.
        try await house.house.ctl("repeat", "queue")
        try await house.run("play", "play", long, a, b)
        try await house.house.until("it plays") { try await house.house.status().state == "playing" }
        try await house.run("status", "status")
        try await house.run("like", "like")
        let before = try await house.run("queue", "queue").decoded([Named].self)
        #expect(before.count == 3)
        try await house.run("queue add", "queue", "add", a)
        try await house.run("queue move", "queue", "move", "2", "3")
        try await house.run("queue remove", "queue", "remove", "3")
        try await house.run("queue remove", "queue", "remove", "99", status: 5)
        for name in ["pause", "toggle", "next", "prev"] { try await house.run(name, name) }
        try await house.run("seek", "seek", "1")
        try await house.run("volume", "volume")
        try await house.run("volume N", "volume", "50")
        try await house.run("shuffle", "shuffle")
        try await house.run("shuffle on|off", "shuffle", "on")
        try await house.run("repeat", "repeat")
        try await house.run("repeat MODE", "repeat", "queue")
        try await house.run("sleep", "sleep")
        try await house.run("sleep TIME", "sleep", "30")
        try await house.run("sleep", "sleep")
        try await house.run("sleep TIME", "sleep", "track")
        try await house.run("sleep", "sleep")
        try await house.run("status", "status")
        try await house.run("sleep TIME", "sleep", "off")
        try await house.run("player", "player", status: 2)
        try await house.house.until("something was heard") {
            try await house.house.ctl("--json", "history").output != "[]\n"
        }
        try await house.run("history", "history")
        try await house.run("stop", "stop")
        try await house.run("queue clear", "queue", "clear")
    }

    /// Followers up to the daemon's end, a question of VK's, offline mode, and nobody there.
    private func ends(_ house: Recorder) async throws {
        let world = house.house
        try await house.run("play", "play", long)
        let lines = [["status", "--follow"], ["downloads", "--follow"], ["lyrics", "--follow"]]
        let followers = try lines.map {
            try Program([House.programs + "/nyanctl", "--json"] + $0, environment: world.environment)
        }
        var heard: [String] = []
        for follower in followers { heard.append((await follower.line() ?? "") + "\n") }
        try await world.control(#"{"cmd":"captcha","form":"old","method":"audio.get"}"#)
        try await house.run("sync", "sync", status: 4)
        try await house.run("status", "status")
        try await house.run("answer", "answer", "nyan")
        try await house.run("answer", "answer", "nyan", status: 1)
        try await house.run("offline", "offline", "on")
        try await house.run("search", "search", "x", status: 6)
        try await house.run("offline", "offline", "off")
        try await house.run("reload", "reload")
        try await house.run("logout", "logout")
        world.daemon?.send(SIGTERM)
        _ = await world.daemon?.status()
        for (place, follower) in followers.enumerated() {
            while let line = await follower.line() {
                heard[place] += line + "\n"
                if line.contains("absent") { break }
            }
            follower.send(SIGKILL)
            house.keep(lines[place].joined(separator: " "), lines[place], (0, heard[place], follower.errors))
        }
        #expect(heard.allSatisfy { $0.contains(#"{"state":"absent"}"#) })
        try await house.run("status", "status", status: 3)
        try await house.run("sync", "nonsense", status: 2)
    }
}
