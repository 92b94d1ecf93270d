import Glibc
import NyanCore
import NyanWire

/// The thin client: asks the daemon, prints, ends.
// For the fuzz program it is a library (Package.swift).
#if !NYAND_FUZZ
    @main
#endif
enum Nyanctl {
    static func main() {
        Terminal.fillStandardDescriptors()
        // A reader that closes its end of the pipe is no error of ours: end silently (CONTRACT.md "Exit status").
        signal(SIGPIPE, SIG_DFL)
        // Otherwise Dispatch writes to the system's log that an ordinary user's threads get no higher priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        let arguments = Array(CommandLine.arguments.dropFirst())
        // What shells ask while a line is being typed; no command of people's.
        if arguments.first == CompletionCommand.name { exit(CompletionCommand.run(Array(arguments.dropFirst()))) }
        exit(run(arguments))
    }

    /// Carries the arguments out; returns the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        let asJSON = CommandLineParser.asksForJSON(arguments)
        do throws(Ending) {
            let invocation = try CommandLineParser.parse(arguments)
            if invocation.isUnpaged { Pager.turnOff() }
            Hints.before(invocation)
            try carryOut(invocation)
            Hints.after()
            return 0
        } catch {
            defer { Hints.after(error) }
            return report(error, asJSON: asJSON)
        }
    }

    private static func carryOut(_ invocation: Invocation) throws(Ending) {
        // Rows of whoever was signed in before are not for the next one; `answer` may still end this login.
        let changesAccount = ["login", "logout"].contains(invocation.command.name)
        do throws(Ending) {
            try invocation.command.run(invocation)
            if changesAccount { LastListing.forget() }
        } catch {
            let code = Failure.Code.challengeNeeded.rawValue
            if changesAccount, case .failed(code, _, _) = error { LastListing.forget() }
            throw error
        }
    }

    /// Says on standard error why the run ends; returns the exit status.
    static func report(_ ending: Ending, asJSON: Bool) -> Int32 {
        switch ending {
        case .quietly(let status): return status
        case .failed(let code, let words, let status):
            let message = code == Daemon.misunderstood ? VersionLook.misunderstanding(words) : words
            if asJSON {
                Terminal.complain(JSONText.encode(ErrorDocument(code: code, message: message), to: 2))
            } else {
                Terminal.complain("nyanctl: \(Terminal.printableMessage(message))")
            }
            return status
        case .usage(let sentence, let name):
            let command = name.flatMap { CommandTable.command($0) }
            let usage = command?.usage ?? HelpText.usage
            if asJSON {
                let document = ErrorDocument(code: "usage", message: "\(sentence); usage: \(usage)")
                Terminal.complain(JSONText.encode(document, to: 2))
            } else {
                Terminal.complain("nyanctl: \(Terminal.printableMessage(sentence))")
                Terminal.complain(command.map { HelpText.usage(of: $0) } ?? "usage: \(usage)")
                if command == nil { Terminal.complain("`nyanctl help` lists the commands") }
            }
            return 2
        }
    }
}
