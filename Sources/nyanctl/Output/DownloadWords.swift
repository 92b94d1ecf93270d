import NyanCore
import NyanWire

/// What a command did to the downloads, for people.
enum DownloadWords {
    /// `named`: how many different tracks were asked for; nil = all there are. `refused`: cannot be had, told apart.
    /// - Returns: nil where there is nothing to say.
    static func queued(_ queued: Int, named: Int?, refused: Int = 0) -> String? {
        guard let named else { return queued == 0 ? "nothing new to download" : "\(queued) queued" }
        let there = max(0, named - queued - refused)
        switch (queued, there) {
        case (0, 0): return nil
        case (0, 1): return "already there"
        case (0, _): return "all \(there) already there"
        case (_, 0): return "\(queued) queued"
        default: return "\(queued) queued, \(there) already there"
        }
    }

    /// `member`: the bus method that was called.
    static func done(_ member: String, _ count: Int) -> String {
        switch member {
        case "Cancel": count == 0 ? "nothing to cancel" : "\(count) cancelled"
        case "Retry": count == 0 ? "nothing to try again" : "\(count) tried again"
        case "Pause": count == 0 ? "nothing to pause" : "\(count) paused"
        default: count == 0 ? "nothing is paused" : "\(count) resumed"
        }
    }

    /// How waiting ended, where it was for more than one.
    static func ended(_ rows: [DownloadReport]) -> String? {
        rows.count > 1 ? "\(rows.count { $0.state == .done }) downloaded" : nil
    }

    /// Why nothing runs although something waits; nil where the daemon's state does not tell.
    static func standstill(_ status: StatusReport) -> String? {
        if status.isOfflineMode { return "offline mode is on: `nyanctl offline off` lets them go on" }
        if let problem = status.problem, !status.isSignedIn || !status.isOnline { return problem.message }
        if !status.isSignedIn { return "not signed in: `nyanctl login` explains how" }
        return status.isOnline ? nil : "VK is not reachable; they go on by themselves"
    }
}
