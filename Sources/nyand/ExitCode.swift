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
}
