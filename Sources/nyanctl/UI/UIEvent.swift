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
    /// What VK found for a question; what kept it from being answered.
    case found(String, [ListedTrack])
    case notFound(String, ClientFailure)
    /// A tab's listing may be another now.
    case changed(UITab)
    case answered(UICall, Result<[BusValue], ClientFailure>)
    /// The daemon is there and something is wrong with it.
    case trouble(Ending)
    /// The profile is being read: so many of so many; 0 of 0 = it is over.
    case syncing(Int, Int)
    /// The running downloads that were told of in the last seconds; the others have stopped for now.
    case moving(Set<TrackID>)
    /// A track's file is to be copied into a folder that is not there yet.
    case folderIsNew(String, path: String)
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
    /// Act upon the queue's entry that stands at this position (from 1) once everything asked for before is done; the list
    /// shows it done already. Whoever does it looks whether it is still there.
    case queue(QueueDeed, position: Int, TrackID)
    /// Copy a finished file out, into a folder as the person typed it.
    case export(String, folder: String)
    /// Paint everything anew.
    case repaint
    case quit
}

/// What can be done to one entry of the queue.
enum QueueDeed: Equatable {
    case remove
    /// So many places towards the end; negative = towards the beginning.
    case move(Int)
}

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

    /// A finished file's copying into a folder, by its path from the root.
    nonisolated static func export(_ word: String, into path: String) -> UICall {
        UICall(.files, "Export", .strings([word]), .string(path), patience: .many)
    }

    /// It makes another queue.
    var changesQueue: Bool { door == .queue || door == .player && member == "PlayTracks" }

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
