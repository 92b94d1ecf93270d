import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// What the folders of downloads say of themselves.
struct FolderRoomTests {
    private let folder = TemporaryFolder()

    private func room(_ name: String, isKnown: Bool = false) async -> Room? {
        let copies = CopyFolder(cacheFolder: "\(folder.path)/cache", durableFolder: "\(folder.path)/copies")
        let music = MusicFolder(directory: "\(folder.path)/\(name)", copies: copies) { _ in isKnown }
        let rooms = await FolderRooms(music: music, growing: "\(folder.path)/copies").rooms()
        guard case .free? = rooms.last?.room, rooms.count == 2 else { return nil }
        return rooms[0].room
    }

    @Test("A folder that is there has what its file system has")
    func there() async throws {
        var facts = statvfs()
        statvfs(folder.path, &facts)
        guard case .free(let bytes) = await room("") else { throw Failure(.internal, "no room") }
        let free = Int64(facts.f_bavail) * Int64(facts.f_frsize)
        #expect(abs(bytes - free) < free / 10 + 100_000_000)
    }

    @Test("A folder that will be made is judged by the one above it; one that had files is away")
    func notThere() async {
        guard case .free = await room("a/b/c") else {
            Issue.record("no room")
            return
        }
        #expect(await room("a/b/c", isKnown: true) == .away)
    }

    @Test("A file where the folder should be is no folder")
    func file() async throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/music"))
        #expect(await room("music") == .away)
        #expect(await room("music/deeper") == .away)
    }

    @Test("An empty place of a disk that is away is not written to")
    func unmounted() async throws {
        let place = "\(folder.path)/disk"
        mkdir(place, 0o755)
        // No rights to mount, as in a container: nothing to be seen here.
        guard mount("none", place, "tmpfs", 0, "size=1m") == 0 else { return }
        let mounts = MountPlaces()
        #expect(!mounts.isAway(place))
        umount2(place, Int32(MNT_DETACH))
        #expect(mounts.isAway(place) && !MountPlaces().isAway(place))
        try Data().write(to: URL(fileURLWithPath: "\(place)/mine.mp3"))
        #expect(!mounts.isAway(place))
    }

    @Test("The system's table names its places")
    func table() {
        let text =
            "# <file system> <mount point>\nUUID=1 / ext4 defaults 0 1\n\n/dev/sdb1\t/mnt/My\\040Music ext4 noauto\n"
        #expect(MountPlaces.places(in: text) == ["/", "/mnt/My Music"])
    }
}
