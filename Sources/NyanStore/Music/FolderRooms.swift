import Glibc
public import NyanCore

/// Looks at the folders downloads are written to: My Music, and where growing files and the database are.
public final class FolderRooms: RoomSource {
    private let music: MusicFolder
    private let growing: String

    /// `growing`: absolute; counts as there before it was made.
    public init(music: MusicFolder, growing: String) {
        self.music = music
        self.growing = growing
    }

    public func rooms() async -> [FolderRoom] {
        let (folder, growing, mounts) = (music.directory, growing, music.mounts)
        // Made anew on another disk, it would hide that the files are away.
        let isExpected = (try? await music.isKnown(folder)) ?? false
        let seen = try? await offPool { () throws(Failure) in
            [
                FolderRoom(
                    folder, for: .music,
                    mounts.isAway(folder) ? .away : Self.room(in: folder, mayBeMade: !isExpected)),
                FolderRoom(growing, for: .growing, Self.room(in: growing, mayBeMade: true)),
            ]
        }
        return seen ?? []
    }

    /// `mayBeMade`: where it is not there yet, the nearest folder above it decides.
    static func room(in folder: String, mayBeMade: Bool) -> Room {
        var place = folder
        while access(place, F_OK) != 0 {
            guard mayBeMade, errno == ENOENT, place != "/" else { return .away }
            place = splitPath(place).folder
        }
        guard Folder.isThere(place) else { return .away }
        guard access(place, W_OK | X_OK) == 0 else { return .closed }
        var facts = statvfs()
        guard statvfs(place, &facts) == 0 else { return .away }
        let free = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return .free(Int64(clamping: free.overflow ? .max : free.partialValue))
    }
}
