import Glibc
import NyanService

/// How the daemon ends (CONTRACT.md §1); the unit does not restart it on 2, 3 and 4.
nonisolated enum ExitCode: Int32 {
    case asked = 0, failed = 1, badSettings = 2, noBus = 3, nameTaken = 4

    /// One line on standard error, then the end. For starts that cannot go on; a running daemon stops in order.
    static func stop(_ code: ExitCode, _ message: String) -> Never {
        Log(level: .error, toJournal: JournalStream.isStandardError()).error(message)
        exit(code.rawValue)
    }

    /// The end of a daemon whose all is on the disk. Not exit(3): that takes down what libraries hold while their threads
    /// go on, and one in forty stops right after a start ended with SIGSEGV there.
    static func leave(_ code: ExitCode) -> Never {
        // Only there a build with AddressSanitizer looks for leaks.
        if dlsym(nil, "__lsan_do_leak_check") != nil { exit(code.rawValue) }
        _exit(code.rawValue)
    }
}
