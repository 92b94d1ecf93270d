import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// However `nyanctl ui` ends, the terminal is the person's again.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TerminalGivenBackTests {
    @Test("signals that end a program, and crashes, give the terminal back")
    func signals() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        let stage = try await UIStage(house)
        for (signal, status) in [
            (SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131), (SIGSEGV, 139), (SIGABRT, 134), (SIGILL, 132),
            (SIGTRAP, 133), (SIGBUS, 135), (SIGFPE, 136),
        ] {
            try await stage.start("nyanctl ui; echo \"status $?\"")
            try await stage.sees("[1 Profile]")
            let process = try await stage.process()
            try #require(process > 0)
            kill(process, signal)
            try await stage.sees("status \(status)")
            try await stage.isGivenBack()
        }
    }

    @Test("the end of the session bus gives the terminal back and says so")
    func busLost() async throws {
        let house = try await House(server: nil)
        let own = try PrivateBus()
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = own.address
        let daemon = try Program([House.programs + "/nyand"], environment: house.environment)
        let stage = try await UIStage(house)
        try await stage.start("until nyanctl status; do :; done; nyanctl ui; echo \"status $?\"")
        try await stage.sees("[1 Profile]")
        own.kill()
        try await stage.sees("nyanctl: there is no session bus")
        try await stage.sees("status 3")
        try await stage.isGivenBack()
        daemon.send(SIGKILL)
    }

    @Test("Ctrl-Z gives the terminal to the shell, and fg takes it again")
    func stopped() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        let stage = try await UIStage(house)
        try await stage.start()
        try await stage.sees("[1 Profile]")
        for other in ["2", "3"] {
            try await stage.tmux.press("C-z")
            try await stage.sees("Stopped")
            try await stage.isGivenBack()
            // In the background it may not paint, and the shell's keys are not its own.
            try await stage.run("clear; bg; until jobs -s | grep -q nyanctl; do :; done; echo in front")
            try await stage.sees("in front")
            #expect(try await stage.tmux.know("alternate_on") == "0")
            try await stage.tmux.resize(columns: 60, rows: 20)
            try await stage.run("fg")
            try await stage.sees("1 Profile")
            try await stage.tmux.resize(columns: 80, rows: 24)
            try await stage.until("all of the window is used") { $0.last?.isEmpty == false }
            try await stage.tmux.press(other)
            try await stage.sees("[\(other) ")
        }
        // From outside, as a job's own signal.
        kill(try await stage.process(), SIGTSTP)
        try await stage.sees("Stopped")
        try await stage.isGivenBack()
        try await stage.run("clear; kill %1; wait; echo ended")
        try await stage.sees("ended")
        try await stage.isGivenBack()
    }

    @Test("stopped behind its back, the ui waits until it is in front; keys behind Ctrl-Z are not its own")
    func stoppedBehindItsBack() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        let stage = try await UIStage(house)
        try await stage.start()
        try await stage.sees("[1 Profile]")
        kill(try await stage.process(), SIGSTOP)
        try await stage.sees("Stopped")
        try await stage.run("clear; bg; until jobs -s | grep -q nyanctl; do :; done; echo in front")
        try await stage.until("the shell's screen") { lines in
            lines.contains("in front") && !lines.contains { $0.contains("[1 Profile]") }
        }
        try await stage.run("fg")
        try await stage.sees("[1 Profile]")
        // Both in one go: a `q` of the ui's would end it.
        try await stage.tmux.type("\u{1a}q")
        try await stage.sees("Stopped")
        try await stage.tmux.press("C-u")
        try await stage.isGivenBack()
        try await stage.run("fg")
        try await stage.sees("[1 Profile]")
        try await stage.tmux.press("2")
        try await stage.sees("[2 My Music]")
        // Ended while it is stopped so: it must not wait for the terminal.
        kill(try await stage.process(), SIGSTOP)
        try await stage.sees("Stopped")
        try await stage.run("kill %1; wait; echo ended")
        try await stage.isGivenBack()
    }

    @Test("a terminal that is closed ends the ui, which does not spin")
    func closed() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        let stage = try await UIStage(house)
        // Without the shell's hangup, too, it notices by itself.
        try await stage.start("trap '' HUP; nyanctl ui")
        try await stage.sees("[1 Profile]")
        let process = try await stage.process()
        try #require(process > 0)
        try await stage.tmux.closePane()
        try await house.until("it ends") {
            // Ended and not yet waited for, by whoever inherits it here.
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
            return text.contains(") Z ")
        }
    }

    @Test("a terminal that cannot be painted on is refused with words, and left as it was")
    func refused() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        let stage = try await UIStage(house)
        // A terminal that has no places, only lines.
        try await stage.run("infocmp dumb | sed s/^dumb/lines/ | tic -o $HOME/.terminfo -")
        // A library that is none is as good as an absent one.
        try await stage.run("mkdir $HOME/none; : > $HOME/none/libncursesw.so.6")
        for (command, words) in [
            ("TERM=dumb nyanctl ui", "ui needs a terminal"),
            ("TERM=nonsense nyanctl ui", "TERM is nonsense, which this system does not know"),
            ("TERM=lines nyanctl ui", "ui needs a terminal that can move its cursor"),
            ("TERM= nyanctl ui", "TERM is not set"),
            ("nyanctl ui </dev/null", "ui needs a terminal"),
            ("nyanctl ui | cat", "ui needs a terminal"),
            ("LD_LIBRARY_PATH=$HOME/none nyanctl ui", "install the package libncursesw6"),
        ] {
            try await stage.run("clear; stty -a > $HOME/stty; \(command); echo \"status ${PIPESTATUS[0]}.\"")
            try await stage.sees(words)
            try await stage.until("a status that is no success") { lines in
                lines.contains { ["status 1.", "status 2."].contains($0) }
            }
            try await stage.isGivenBack()
        }
    }
}
