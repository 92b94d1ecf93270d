import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// Long listings on a terminal, and the program that shows them.
@Suite("nyanctl and the pager", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct PagerTests {
    private func desk(_ count: Int64 = 40) throws -> (Desk, ScriptedDaemon) {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let tracks = (1...count).map { number in
            ListedTrack(
                track: Track(
                    id: TrackID(owner: 1, audio: number), artist: "Исполнитель 坂本",
                    title: "T\(number) \u{1B}[2J " + String(repeating: "длинно ", count: Int(number) % 20)))
        }
        daemon.answers("Library.Profile", TrackCoding.list(tracks))
        desk.environment["N"] = Desk.programPath
        desk.environment["TERM"] = "xterm"
        desk.environment["SHELL"] = "/bin/sh"
        desk.environment["PATH"] = "/usr/bin:/bin"
        return (desk, daemon)
    }

    /// Runs shell at a terminal of 60 columns and 10 rows; `$N` is nyanctl, `$O` a file for the pager. Gives what the
    /// terminal showed.
    private func shown(_ desk: Desk, _ script: String) async throws -> String {
        var environment = desk.environment
        environment["O"] = desk.home + "/paged"
        unlink(desk.home + "/paged")
        let words = ["/usr/bin/script", "-qec", "stty cols 60 rows 10; " + script, "/dev/null"]
        return try await Program(words, environment: environment).outcome().output
    }

    private func paged(_ desk: Desk) -> String? { try? String(contentsOfFile: desk.home + "/paged", encoding: .utf8) }

    @Test(
        "A listing taller than the terminal goes through the person's pager, cut and harmless; its rows are remembered")
    func pages() async throws {
        let (desk, daemon) = try desk()
        let output = try await shown(
            desk, "NYANCTL_PAGER='cat >$O' PAGER=false $N profile; echo ended $?; $N delete 30")
        let lines = (paged(desk) ?? "").split(separator: "\n")
        #expect(lines.count == 40)
        #expect(lines.allSatisfy { DisplayText.columns($0) <= 60 && !$0.contains("\u{1B}") && $0.contains("T") })
        #expect(output.contains("ended 0") && !output.contains("T1"))
        #expect(daemon.arguments["Library.DeleteCopies"] == [.strings(["1_30"])])
    }

    @Test(
        "There is none for what fits, where it is not wanted, and where nobody could use it",
        arguments: [
            "$N profile", "NYANCTL_PAGER= PAGER='touch $O' $N profile", "NYANCTL_PAGER=cat $N profile",
            "$N --no-pager profile", "$N profile --no-pager", "TERM=dumb $N profile", "TERM= $N profile",
            "$N profile </dev/null", "$N profile | cat", "$N profile --json", "PAGER= $N profile",
        ])
    func none(command: String) async throws {
        let isShort = command == "$N profile"
        let (desk, daemon) = try desk(isShort ? 9 : 40)
        if !command.contains("PAGER=") { desk.environment["NYANCTL_PAGER"] = "touch $O" }
        let output = try await shown(desk, command + "; echo ended $?")
        #expect(paged(desk) == nil && output.contains("ended 0"))
        #expect(output.contains("T1 ") && output.contains(isShort ? "T9 " : "T40"), "\(output.suffix(300))")
        _ = daemon
    }

    @Test(
        "One that is missing, or cannot be run, is done without",
        arguments: ["/nowhere/at/all", "no-such-pager -x", "/etc"])
    func missing(pager: String) async throws {
        let (desk, daemon) = try desk()
        desk.environment["PAGER"] = pager
        let output = try await shown(desk, "$N profile; echo ended $?")
        #expect(output.contains("T40") && output.contains("ended 0"))
        // Nor is `less` there.
        desk.environment["PAGER"] = nil
        let bare = try await shown(desk, "PATH=/nowhere $N profile; echo ended $?")
        #expect(bare.contains("T40") && bare.contains("ended 0") && !bare.contains("not found"))
        _ = daemon
    }

    @Test("Leaving it early is no error, and nothing is said")
    func left() async throws {
        let (desk, daemon) = try desk(3000)
        desk.environment["PAGER"] = "head -n 1 >$O"
        let output = try await shown(desk, "$N profile; echo ended $?")
        #expect(output == "ended 0\r\n")
        #expect(paged(desk)?.contains("T1 ") == true)
        desk.environment["PAGER"] = "exit 3"
        #expect(try await shown(desk, "$N profile; echo ended $?") == "ended 0\r\n")
        _ = daemon
    }

    @Test("Ctrl-C is the pager's: nyanctl outlives it and ends as ever")
    func interrupted() async throws {
        let (desk, daemon) = try desk()
        desk.environment["PAGER"] = "cat >/dev/null; kill -INT $PPID; kill -QUIT $PPID; echo lives >$O"
        let output = try await shown(desk, "$N profile; echo ended $?")
        #expect(output == "ended 0\r\n" && paged(desk) == "lives\n")
        // It may end the pager itself, as it ends any program.
        desk.environment["PAGER"] = "kill -INT $$; touch $O"
        #expect(try await shown(desk, "$N profile; echo ended $?").hasSuffix("ended 0\r\n"))
        #expect(paged(desk) == nil)
        _ = daemon
    }

    @Test("Whoever ends nyanctl ends the pager with it")
    func terminated() async throws {
        let (desk, daemon) = try desk()
        desk.environment["PAGER"] = "kill -TERM $PPID; exec tail -f /dev/null"
        #expect(try await shown(desk, "$N profile; echo ended $?").hasSuffix("ended 143\r\n"))
        _ = daemon
    }

    @Test(
        "So it does where a shell waits for the pager, and ends behind it",
        arguments: ["$HOME/pager", "$HOME/pager; true", "X=1 $HOME/pager", "cat | $HOME/pager"])
    func terminatedChild(pager: String) async throws {
        // Some kernels do not tell what a process has started: there only the shell's last deed is ended.
        let isTold = access("/proc/self/task/\(getpid())/children", R_OK) == 0
        guard isTold || !pager.contains(where: { ";|".contains($0) }) else { return }
        let (desk, daemon) = try desk()
        let path = desk.home + "/pager"
        // Whoever has the terminal behind it is nyanctl's caller.
        let text = "#!/bin/sh\necho $$ >$O; kill -TERM $(cat $HOME/nyanctl); exec tail -f /dev/null </dev/null\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o700)
        desk.environment["PAGER"] = pager.replacing("$HOME", with: desk.home)
        let output = try await shown(
            desk,
            """
            sh -c 'echo $$ >$HOME/nyanctl; exec $N profile'; e=$?; p=$(cat $O)
            for i in 1 2 3 4 5 6 7 8 9 10; do grep -qs '^State:.[^Z]' /proc/$p/status || { echo gone $e; break; }; sleep 0.1; done
            """)
        #expect(output.hasSuffix("gone 143\r\n"), "\(output)")
        _ = daemon
    }

    @Test("less is told to show letters as they are and to leave one screen alone, unless the person says otherwise")
    func variables() async throws {
        let (desk, daemon) = try desk()
        desk.environment["PAGER"] = "echo $LESS $LESSCHARSET >$O"
        _ = try await shown(desk, "$N profile")
        #expect(paged(desk) == "FRX utf-8\n")
        _ = try await shown(desk, "LESS=i LESSCHARSET=latin1 $N profile")
        #expect(paged(desk) == "i latin1\n")
        _ = daemon
    }

    @Test(
        "A real less shows the first screen and gives the terminal back",
        .enabled(if: access("/usr/bin/less", X_OK) == 0))
    func less() async throws {
        let (desk, daemon) = try desk()
        // Typed beforehand: `less` reads its keys from the terminal.
        let script =
            "stty cols 60 rows 10; before=$(stty -g); $N profile; e=$?; [ $before = $(stty -g) ] && echo same $e"
        let output = try await Program(
            ["/usr/bin/script", "-qec", script, "/dev/null"], environment: desk.environment, input: "q"
        ).outcome().output
        #expect(output.contains("T9 ") && !output.contains("T40") && output.contains("same 0"), "\(output)")
        _ = daemon
    }
}
