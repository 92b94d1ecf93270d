import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What row numbers mean, and when they mean nothing any more.
@Suite("nyanctl: rows", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct RowTests {
    private func track(_ number: Int64) -> ListedTrack {
        ListedTrack(track: Track(id: TrackID(owner: 1, audio: number), artist: "A", title: "T\(number)"))
    }

    /// A desk where the profile's tracks 1_1 … 1_10 were listed.
    private func listed() async throws -> (Desk, ScriptedDaemon) {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Library.Profile", TrackCoding.list((1...10).map(track)))
        #expect(try await desk.ctl("profile").status == 0)
        return (desk, daemon)
    }

    private func ids(_ numbers: [Int]) -> BusValue { .strings(numbers.map { "1_\($0)" }) }

    @Test(
        "Rows, ranges and lists name the printed ids, in the order they were typed",
        arguments: [
            (["3"], [3]), (["3-5"], [3, 4, 5]), (["3,5,8-10"], [3, 5, 8, 9, 10]), (["5,", "3"], [5, 3]),
            (["10-10"], [10]), (["2", "1-2"], [2, 1, 2]), (["9,1_77"], []), (["1-1,1"], [1, 1]),
        ] as [([String], [Int])])
    func ranges(words: [String], numbers: [Int]) async throws {
        let (desk, daemon) = try await listed()
        // What is removed is removed once.
        var once: [Int] = []
        for number in numbers where !once.contains(number) { once.append(number) }
        for (command, call, numbers) in [
            (["delete"], "Library.DeleteCopies", once), (["queue", "add"], "Queue.Add", numbers),
        ] {
            let outcome = try await Program(
                [Desk.programPath] + command + words, environment: desk.environment
            ).outcome()
            guard !numbers.isEmpty else {
                if command == ["delete"] { #expect(outcome.status == 2) }
                continue
            }
            #expect(daemon.arguments[call]?.first == ids(numbers), "\(outcome.errors)")
        }
    }

    @Test("One row plays the whole listing from there on, several play just these")
    func played() async throws {
        let (desk, daemon) = try await listed()
        #expect(try await desk.ctl("play", "4").status == 0)
        #expect(daemon.arguments["Player.PlayTracks"] == [ids(Array(1...10)), .uint32(3)])
        #expect(try await desk.ctl("play", "4-6").status == 0)
        #expect(daemon.arguments["Player.PlayTracks"] == [ids([4, 5, 6]), .uint32(0)])
        for word in ["4-4", "4,"] {
            #expect(try await desk.ctl("play", word).status == 0)
            #expect(daemon.arguments["Player.PlayTracks"] == [ids([4]), .uint32(0)])
        }
        daemon.answers("Library.Select", TrackCoding.list([track(77)]))
        #expect(try await desk.ctl("play", " 4-6").status == 0)
        #expect(daemon.arguments["Library.Select"] == [.string(" 4-6")])
    }

    @Test(
        "A row that is not there fails the whole command: nothing is done and nothing is taken for a text",
        arguments: ["0", "11", "3-11", "0-2", "1,11", "9999999", "12345678", "99999999999999999999"])
    func beyond(word: String) async throws {
        let (desk, daemon) = try await listed()
        let before = daemon.calls.count
        for command in ["play", "delete", "remove", "lyrics"] {
            let outcome = try await desk.ctl(command, word)
            #expect(outcome.status == 5 && outcome.errors.contains("the last listing had 1 to 10"), "\(outcome.errors)")
        }
        #expect(try await desk.ctl("delete", "1", word).status == 5)
        let backwards = try await desk.ctl("play", "5-3")
        #expect(backwards.status == 2 && backwards.errors.contains("3-5, not 5-3"))
        #expect(daemon.calls.count == before)
    }

    @Test("A row is the id that was printed, also when the list has changed and the daemon was restarted")
    func restarted() async throws {
        var (desk, daemon) = try await listed()
        daemon.connection.close()
        // By now the bus has noticed it.
        #expect(try await desk.ctl("status").status == 3)
        daemon = try desk.daemon()
        daemon.answers("Library.Profile", TrackCoding.list((1...10).reversed().map(track)))
        #expect(try await desk.ctl("delete", "2").status == 1)
        #expect(daemon.arguments["Library.DeleteCopies"] == [ids([2])])
        #expect(try await desk.ctl("--json", "profile").status == 0)
        #expect(try await desk.ctl("play", "2").status == 0)
        #expect(daemon.arguments["Player.PlayTracks"] == [ids(Array(1...10)), .uint32(1)])
        #expect(try await desk.ctl("profile").status == 0)
        #expect(try await desk.ctl("delete", "2").status == 1)
        #expect(daemon.arguments["Library.DeleteCopies"] == [ids([9])])
    }

    @Test("Queue positions are places in the queue, whatever was listed last")
    func positions() async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("Queue.Remove", .uint32(0))
        #expect(try await desk.ctl("queue", "remove", "11").status == 0)
        #expect(daemon.arguments["Queue.Remove"] == [.array([.uint32(11)], of: "u")])
        #expect(try await desk.ctl("queue", "remove", "1-3").status == 2)
        daemon.answers("Queue.List", TrackCoding.list([track(50)]), .uint32(0))
        #expect(try await desk.ctl("queue").status == 0)
        #expect(try await desk.ctl("delete", "1").status == 1)
        #expect(daemon.arguments["Library.DeleteCopies"] == [ids([50])])
        daemon.answers("Queue.List", TrackCoding.list([]), .uint32(0))
        #expect(try await desk.ctl("queue").status == 0)
        #expect(try await desk.ctl("delete", "1").errors == "nyanctl: there is no row 1: the last listing was empty\n")
    }

    @Test(
        "A listing that is old, cut off, of another version or no listing at all gives no rows",
        arguments: ["old", "cut", "longer", "line", "version", "link", "folder", "empty"])
    func stale(kind: String) async throws {
        let (desk, daemon) = try await listed()
        let path = desk.home + "/nyanctl-rows"
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        func write(_ text: String) throws { try text.write(toFile: path, atomically: false, encoding: .utf8) }
        switch kind {
        case "old":
            var times = [
                timeval(tv_sec: time(nil) - 90_000, tv_usec: 0), timeval(tv_sec: time(nil) - 90_000, tv_usec: 0),
            ]
            #expect(utimes(path, &times) == 0)
        case "cut": try write(String(whole.prefix(20)))
        case "longer": try write(whole + "1_11\n")
        case "line": try write(whole.replacing("1_4", with: "1-4"))
        case "version": try write(String(whole.drop { $0 != "\n" }.dropFirst()))
        case "empty": try write("")
        default:
            unlink(path)
            #expect(kind == "link" ? symlink("/etc/passwd", path) == 0 : mkdir(path, 0o700) == 0)
        }
        let before = daemon.calls.count
        for command in ["play", "delete"] {
            let outcome = try await desk.ctl(command, "1")
            #expect(outcome.status == 5 && outcome.output.isEmpty)
            let reason = kind == "old" ? "the last listing is more than a day old" : "the last listing cannot be read"
            #expect(outcome.errors.hasPrefix("nyanctl: there is no row 1: \(reason)"), "\(outcome.errors)")
        }
        #expect(daemon.calls.count == before)
        guard kind != "folder" else { return }
        #expect(try await desk.ctl("profile").status == 0)
        #expect(try await desk.ctl("play", "1").status == 0)
    }

    @Test(
        "After a login or a logout rows of before are refused, until something is listed anew; a refused login keeps them"
    )
    func account() async throws {
        let (desk, daemon) = try await listed()
        daemon.refuses("Account.Login", .notSignedIn, "no")
        #expect(try await desk.ctl("login", "--token", input: "x\n").status == 4)
        #expect(try await desk.ctl("play", "1").status == 0)
        daemon.answers(
            "Account.Login",
            .structure([.int64(9), .string("Кот"), .uint32(3), .string("token"), .string("mp3")]))
        daemon.answers("Account.Logout")
        for words in [["login", "--token"], ["logout"]] {
            let outcome = try await Program(
                [Desk.programPath] + words, environment: desk.environment, input: "x\n"
            ).outcome()
            #expect(outcome.status == 0, "\(outcome.errors)")
            let refused = try await desk.ctl("play", "1")
            #expect(refused.status == 5 && refused.errors.contains("you signed in or out since"), "\(refused.errors)")
            #expect(try await desk.ctl("profile").status == 0)
            #expect(try await desk.ctl("play", "1").status == 0)
        }
    }

    /// Runs lines of shell on a terminal of their own; `$N` is nyanctl. Gives what the terminal showed.
    private func onTerminal(_ desk: Desk, _ script: String) async throws -> String {
        var environment = desk.environment
        environment["N"] = Desk.programPath
        environment["TERM"] = "dumb"
        environment["SHELL"] = "/bin/sh"
        let words = ["/usr/bin/script", "-qec", script, "/dev/null"]
        return try await Program(words, environment: environment).outcome().output
    }

    @Test("Each terminal has its own last listing; one that has none, and scripts, have the newest")
    func terminals() async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("Library.Search", TrackCoding.list([track(70)]))
        daemon.answers("Library.Music", TrackCoding.list([track(80)]))
        // The second `script` is another terminal.
        let elsewhere = "script -qec '$N search x; $N delete 1' /dev/null"
        _ = try await onTerminal(desk, "$N music; \(elsewhere); $N queue add 1")
        #expect(daemon.arguments["Library.DeleteCopies"] == [ids([70])])
        #expect(daemon.arguments["Queue.Add"]?.first == ids([80]))
        #expect(try await desk.ctl("delete", "1").status == 1)
        #expect(daemon.arguments["Library.DeleteCopies"] == [ids([70])])
        _ = try await onTerminal(desk, "$N queue add 1")
        #expect(daemon.arguments["Queue.Add"]?.first == ids([70]))
        // What ended is tidied away by the next listing on a terminal.
        _ = try await onTerminal(desk, "$N music")
        let kept = try FileManager.default.contentsOfDirectory(atPath: desk.home + "/nyanctl-terminals")
        #expect(kept.count == 1)
    }

    @Test("What is typed at a terminal means its rows, wherever the answer goes; a job behind has the newest")
    func redirected() async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("Library.Search", TrackCoding.list([track(70)]))
        daemon.answers("Library.Music", TrackCoding.list([track(80)]))
        let elsewhere = "script -qec '$N search x' /dev/null </dev/null >/dev/null"
        for command in ["$N delete 1 2>&1 | cat", "x=$($N delete 1 2>&1)", "$N delete 1 >/dev/null 2>&1"] {
            for listing in ["$N music", "$N music 2>&1 | cat"] {
                daemon.answers("Library.DeleteCopies")
                _ = try await onTerminal(desk, "\(listing); \(elsewhere); \(command)")
                #expect(daemon.arguments["Library.DeleteCopies"] == [ids([80])], "\(listing); \(command)")
            }
        }
        _ = try await onTerminal(desk, "$N music; \(elsewhere); set -m; $N delete 1 >/dev/null 2>&1 & wait")
        #expect(daemon.arguments["Library.DeleteCopies"] == [ids([70])])
    }

    @Test("After a login a terminal's rows are refused there, also when another terminal has listed since")
    func accountElsewhere() async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("Library.Music", TrackCoding.list([track(80)]))
        daemon.answers("Account.Logout")
        // A listing kept where there was no runtime directory goes, too.
        let bare = "env -u XDG_RUNTIME_DIR"
        #expect(try await onTerminal(desk, "\(bare) $N profile; echo $?").hasSuffix("0\r\n"))
        let elsewhere = "script -qec '$N logout; $N music' /dev/null"
        let shown = try await onTerminal(
            desk, "$N profile; \(bare) $N profile; \(elsewhere); $N delete 1; echo $?; \(bare) $N delete 1; echo $?")
        #expect(shown.split(separator: "signed in or out").count == 3 && shown.hasSuffix("5\r\n"), "\(shown)")
        #expect(daemon.arguments["Library.DeleteCopies"] == nil)
    }

    @Test("A session without a runtime directory does not go on with a listing from before")
    func places() async throws {
        let (desk, daemon) = try await listed()
        defer { daemon.connection.close() }
        let runtime = desk.environment["XDG_RUNTIME_DIR"]
        desk.environment["XDG_RUNTIME_DIR"] = nil
        #expect(try await desk.ctl("profile").status == 0)
        #expect(try await desk.ctl("play", "1").status == 0)
        desk.environment["XDG_RUNTIME_DIR"] = runtime
        #expect(try await desk.ctl("profile").status == 0)
        desk.environment["XDG_RUNTIME_DIR"] = nil
        #expect(try await desk.ctl("play", "1").status == 5)
    }

    @Test("Rows that cannot be kept are refused: those kept before stand beside other tracks now")
    func unkept() async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("Library.Music", TrackCoding.list([track(80)]))
        daemon.answers("Library.Search", TrackCoding.list([track(70)]))
        let elsewhere = "script -qec '$N search x' /dev/null </dev/null >/dev/null"
        // No file may grow, as on a full disk.
        let shown = try await onTerminal(
            desk, "$N profile; (trap '' XFSZ; ulimit -f 0; $N music; echo $?); \(elsewhere); $N delete 1; echo $?")
        #expect(shown.contains("T80") && shown.contains("cannot be read any more"), "\(shown)")
        #expect(shown.hasSuffix("5\r\n") && daemon.arguments["Library.DeleteCopies"] == nil)
    }

    @Test("A terminal's own listing is stale for itself: it does not get another one's rows instead")
    func staleTerminal() async throws {
        let (desk, daemon) = try await listed()
        daemon.answers("Library.Music", TrackCoding.list([track(80)]))
        let shown = try await onTerminal(
            desk, "$N music; touch -d '2 days ago' $HOME/nyanctl-terminals/*; $N delete 1; echo $?")
        #expect(shown.contains("more than a day old") && shown.contains("5\r\n"))
        #expect(daemon.arguments["Library.DeleteCopies"] == nil)
    }
}
