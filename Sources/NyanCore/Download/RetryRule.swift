/// Which failures are worth another try, how often, and after how long (field-issues.md C12).
enum RetryRule {
    /// Tries without progress before a download is given up.
    static let attemptLimit = 8
    /// A sound that came whole and is still wrong will hardly become right.
    static let damagedLimit = 3
    static let longestBackOff: Double = 60
    /// No server may park a download for longer.
    static let longestWish: Double = 6 * 3600

    /// Offline mode and a stop from our own side say nothing about the download.
    static func countsAsAttempt(_ failure: Failure) -> Bool { failure.code != .offline }

    /// Whether it is a server's pause, which is kept for all downloads by itself.
    static func isPause(_ failure: Failure) -> Bool {
        if failure.code == .serverBusy, failure.host != nil { return true }
        if failure.code == .serverBusy, case .after = failure.retry { return true }
        return false
    }

    static func isOver(_ failure: Failure, attempts: Int) -> Bool {
        switch failure.code {
        case .diskFull: return true
        case .offline: return false
        default: break
        }
        guard failure.retry != .never else { return true }
        return attempts >= (failure.code == .damagedSound ? damagedLimit : attemptLimit)
    }

    /// How long to wait: 1 s doubled with each attempt up to 60 s, give or take a fifth; never less than a server asked.
    static func pause(after failure: Failure, attempts: Int, chance: Double) -> Duration {
        if case .after(let seconds) = failure.retry, seconds.isFinite, seconds > 0 {
            return .seconds(min(seconds, longestWish) * (1 + 0.1 * chance))
        }
        let doublings = min(max(attempts - 1, 0), 6)
        let seconds = min(Double(1 << doublings), longestBackOff)
        return .seconds(min(seconds * (0.8 + 0.4 * chance), longestBackOff))
    }
}
