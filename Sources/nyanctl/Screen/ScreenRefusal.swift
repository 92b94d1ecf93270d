import CCurses
import NyanCore

/// Why `nyanctl ui` does not start, in words.
nonisolated enum ScreenRefusal {
    static let noTerminal = Ending.usage("ui needs a terminal to draw on and keys to hear", command: "ui")

    /// What an outcome of opening (`nyan_screen_outcome`) but success means.
    static func ending(_ outcome: Int32) -> Ending {
        let type = Terminal.environment("TERM") ?? ""
        switch UInt32(bitPattern: outcome) {
        case NYAN_SCREEN_NO_LIBRARY.rawValue:
            return ending("ui needs ncurses; install the package libncursesw6 (ncurses-libs, ncurses)")
        case NYAN_SCREEN_POOR.rawValue:
            return ending("ui needs a terminal that can move its cursor, and TERM says it is \(type)")
        case _ where type.isEmpty:
            return ending("TERM is not set: ui cannot know how to paint on this terminal")
        default:
            return ending(
                "TERM is \(type), which this system does not know; ncurses-term describes more terminals")
        }
    }

    private static func ending(_ sentence: String) -> Ending {
        .failed(code: Failure.Code.unsupported.rawValue, message: sentence, status: 1)
    }
}
