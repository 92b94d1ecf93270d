import Glibc
import NyanCore

/// The thin client: asks the daemon, prints, ends.
@main
enum Nyanctl {
    static func main() {
        // A reader that closes its end of the pipe is no error of ours: end silently (CONTRACT.md "Exit status").
        signal(SIGPIPE, SIG_DFL)
        setlocale(LC_CTYPE, "")
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Carries the arguments out; returns the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        let asJSON = arguments.contains("--json")
        do throws(Ending) {
            let invocation = try CommandLineParser.parse(arguments)
            try invocation.command.run(invocation)
            return 0
        } catch {
            return report(error, asJSON: asJSON)
        }
    }

    static func report(_ ending: Ending, asJSON: Bool) -> Int32 {
        switch ending {
        case .quietly(let status): return status
        case .failed(let code, let message, let status):
            let document = JSONText.encode(ErrorDocument(code: code, message: message))
            Terminal.complain(asJSON ? document : "nyanctl: \(Terminal.printable(message))")
            return status
        case .usage(let sentence, let name):
            let command = name.flatMap { CommandTable.command($0) }
            let usage = command?.usage ?? "nyanctl [--json] [--timeout SECONDS] COMMAND …"
            if asJSON {
                Terminal.complain(JSONText.encode(ErrorDocument(code: "usage", message: "\(sentence); usage: \(usage)")))
            } else {
                Terminal.complain("nyanctl: \(sentence)\nusage: \(usage)")
                if command == nil { Terminal.complain("`nyanctl help` lists the commands") }
            }
            return 2
        }
    }
}
