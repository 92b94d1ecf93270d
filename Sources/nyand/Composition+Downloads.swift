import NyanCore
import NyanService
import NyanStore

extension Composition {
    /// What the downloads are told by others: ids of one recording, room on the disk, what is heard.
    func connectDownloads() {
        downloads.twins = { [store] id throws(Failure) in try await store.twins(of: id) }
        downloads.twinsAmong = { [store] ids throws(Failure) in try await store.twins(among: ids) }
        downloads.rooms = FolderRooms(music: music, growing: places.unfinishedFolder)
        downloads.listening = { [weak player] in player?.listening ?? [] }
    }
}
