import Dispatch
import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What is pasted or typed around a prompt never reaches the shell behind nyanctl, which would run it and keep it in its
/// history, and is never shown.
@Suite("Pastes at prompts", .serialized, .enabled(if: Desk.hasProgram), .timeLimit(.minutes(2)))
struct PasteTests {
    /// As browsers' extensions write it; each line would be a command to a shell.
    private static let cookies = [
        "# Netscape HTTP Cookie File", "# by an extension", ".vk.ru\tTRUE\t/\tTRUE\t0\tremixlang\t0",
        ".vk.ru\tTRUE\t/\tTRUE\t0\tremixsid\tSeCrEtSeCrEt", "echo LeAkEd",
    ]

    private func shell(_ desk: Desk) async throws -> TerminalProgram {
        var environment = desk.environment
        environment.merge(["TERM": "xterm", "PATH": "/usr/bin:/bin", "PS1": "ready> "]) { $1 }
        let shell = try TerminalProgram(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"], environment: environment)
        try await shell.until(contains: "ready> ")
        return shell
    }

    /// The shell's next prompt after nyanctl's end, and all that was shown up to there and a moment later.
    private func rest(_ shell: TerminalProgram, since mark: Int, status: Int32) async throws -> String {
        try await shell.until(contains: "ready> ", since: mark)
        shell.type("echo over $?\r")
        return try await shell.until(contains: "over \(status)\r\nready> ", since: mark)
    }

    private func leaks(_ shown: String) -> Bool {
        ["SeCrEt", "LeAkEd", "command not found"].contains(where: shown.contains)
    }

    private func pause(_ seconds: Double) async {
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { done.resume() }
        }
    }

    @Test("A cookies.txt pasted where a number was asked for is not shown, not used and not run")
    func atTheChoice() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let shell = try await shell(desk)
        let mark = shell.mark
        shell.type("'\(Desk.programPath)' login\r")
        for round in 1...3 {
            try await shell.until("the question", since: mark) {
                $0.components(separatedBy: "1, 2, 3 or 4 (").count == round + 1
            }
            shell.type(Self.cookies.map { $0 + "\r" }.joined())
        }
        let shown = try await rest(shell, since: mark, status: 2)
        #expect(shown.contains("what you pasted was not used") && shown.contains("Nothing was changed"))
        #expect(!leaks(shown), "\(shown)")
        #expect(!daemon.calls.contains("Account.Login"))
    }

    @Test("A paste that comes in pieces is one secret; one for which there is no room is dropped to its end")
    func pieces() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.refuses("Account.Login", .notSignedIn, "VK does not know this session")
        let shell = try await shell(desk)
        var mark = shell.mark
        shell.type("'\(Desk.programPath)' login --cookies\r")
        try await shell.until(contains: "(they are not shown): ", since: mark)
        for line in Self.cookies {
            shell.type(line + "\r")
            await pause(0.25)
        }
        var shown = try await rest(shell, since: mark, status: 4)
        #expect(!leaks(shown), "\(shown)")
        #expect(daemon.calls.count { $0 == "Account.Login" } == 1)

        mark = shell.mark
        shell.type("'\(Desk.programPath)' login --cookies\r")
        try await shell.until(contains: "(they are not shown): ", since: mark)
        // The kernel keeps 4095 bytes for a program that reads; more wait for it.
        for _ in 0..<80 {
            shell.type(String(repeating: "x=SeCrEt; ", count: 99) + "\recho LeAkEd\r")
            await pause(0.005)
        }
        shown = try await rest(shell, since: mark, status: 1)
        #expect(shown.contains("could not be read") && !shown.contains("SeCrEt") && !shown.contains("LeAkEd"))
    }

    @Test("What is typed while VK is asked is neither shown nor left for the shell; Ctrl-C still ends it")
    func whileAsking() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        var asking: CallContext?
        func wait(_ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            asking = context
            return .taken
        }
        daemon.replies["Account.Login"] = wait
        let shell = try await shell(desk)
        for words in ["login", "login --token"] {
            let mark = shell.mark
            asking = nil
            shell.type("'\(Desk.programPath)' \(words)\r")
            if words == "login" {
                try await shell.until(contains: "1, 2, 3 or 4 (", since: mark)
                shell.type("2\r")
            }
            try await shell.until(contains: "(it is not shown): ", since: mark)
            shell.type("vk1.a." + String(repeating: "x", count: 60) + "\r")
            while asking == nil { await settle() }
            shell.type("echo LeAkEd\r")
            shell.type("\u{1a}")
            await settle()
            let settings = try shell.settings
            #expect(!settings.echoes && settings.makesSignals)
            shell.type("\u{3}")
            let shown = try await rest(shell, since: mark, status: 130)
            #expect(!shown.contains("LeAkEd"), "\(shown)")
            #expect(shell.isRestored)
        }
    }

    @Test("Stopped at a secret prompt the shell has its terminal; `fg` asks again, unseen")
    func stopped() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.refuses("Account.Login", .notSignedIn, "no")
        let shell = try await shell(desk)
        var mark = shell.mark
        shell.type("'\(Desk.programPath)' login --token\r")
        try await shell.until(contains: "(it is not shown): ", since: mark)
        shell.type("SeCrEt\u{1a}")
        mark = shell.mark
        let found = try await Program(
            ["/usr/bin/pkill", "-TSTP", "-P", "\(shell.processID)"], environment: desk.environment
        ).status()
        #expect(found == 0)
        #expect(try await shell.until(contains: "ready> ", since: mark).contains("Stopped"))
        #expect(shell.isRestored)
        mark = shell.mark
        shell.type("fg\r")
        try await shell.until(contains: "(it is not shown): ", since: mark)
        let settings = try shell.settings
        #expect(!settings.echoes)
        shell.type("SeCrEt\r")
        let shown = try await rest(shell, since: mark, status: 4)
        #expect(!shown.contains("SeCrEt") && shell.isRestored)
    }
}
