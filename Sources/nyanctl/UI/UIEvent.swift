import NyanCore
import NyanDBus
import NyanWire

/// What happens to `nyanctl ui`.
enum UIEvent {
    case screen(ScreenEvent)
    case status(StatusReport)
    /// The daemon is not there, or went away.
    case absent
    /// The whole list of downloads; what changed in it.
    case downloads([DownloadReport])
    case downloadsChanged([DownloadReport])
    case downloadsRemoved([TrackID])
    /// A tab's listing was read.
    case listed(UITab, [ListedTrack])
    /// A listing's texts are ready to be searched.
    case indexed(UITab, TrackIndex)
    case notListed(UITab, ClientFailure)
    /// What VK found for a question.
    case found(String, [ListedTrack])
    /// A tab's listing may be another now.
    case changed(UITab)
    case answered(UICall, Result<[BusValue], ClientFailure>)
    /// The daemon is there and something is wrong with it.
    case trouble(Ending)
    /// The profile is being read: so many of so many; 0 of 0 = it is over.
    case syncing(Int, Int)
    /// A moment passed.
    case tick
}

/// What the state machine wants done.
enum UIEffect: Equatable {
    /// Read this tab's listing.
    case load(UITab)
    /// Ask VK.
    case search(String)
    case call(UICall)
    /// Act upon the queue's entry that was seen at this position (from 1). Whoever does it looks whether it is still there.
    case queue(QueueDeed, position: Int, TrackID)
    /// Copy a finished file out, into a folder as the person typed it.
    case export(String, folder: String)
    /// Paint everything anew.
    case repaint
    case quit
}

/// What can be done to one entry of the queue.
enum QueueDeed: Equatable { case remove, up, down }

/// One call of the daemon.
struct UICall: Equatable {
    /// Whose member it is.
    enum Door: Equatable { case player, queue, library, downloads, profile, files, daemon }

    var door: Door
    var member: String
    var arguments: [BusValue]
    var patience: NyanClient.Patience

    nonisolated init(
        _ door: Door, _ member: String, _ arguments: BusValue..., patience: NyanClient.Patience = .quick
    ) {
        (self.door, self.member, self.arguments, self.patience) = (door, member, arguments, patience)
    }

    var interface: Interface {
        switch door {
        case .player: NyandInterfaces.player
        case .queue: NyandInterfaces.queue
        case .library: NyandInterfaces.library
        case .downloads: NyandInterfaces.downloads
        case .profile: NyandInterfaces.profile
        case .files: NyandInterfaces.files
        case .daemon: NyandInterfaces.daemon
        }
    }

    /// The listings that may be others once it is done.
    var changes: [UITab] {
        switch (door, member) {
        case (.profile, _): [.profile]
        case (.library, "DeleteCopies"): [.profile, .music, .queue]
        case (.library, "Sync"): [.profile]
        case (.queue, _), (.player, "PlayTracks"), (.player, "Play"), (.player, "SetShuffle"): [.queue]
        default: []
        }
    }
}
