import NyanCore

// Friends' and groups' lists.
extension LibraryService {
    /// The greatest page VK gives (vk-api.md §2.2).
    private static let ownerPage = 200
    /// 200,000 tracks in whole pages: no list is longer, and one that never ends is left.
    private static let mostRequests = 1_000
    /// Pages in a row without a row: a hole of blocked tracks is seldom that long.
    private static let mostEmpty = 5

    /// Somebody else's whole list in its order, each track once. Nothing is ever removed by it, so a list that moves
    /// while it is read is not read again: at worst a row is missing.
    func readWhole(owner: Int64) async throws(Failure) -> [Track] {
        var tracks: [Track] = []
        var seen: Set<TrackID> = []
        var offset = 0
        var empty = 0
        for _ in 0..<Self.mostRequests {
            let page = try await calling { () throws(Failure) in
                try await source.profilePage(owner: owner, offset: offset, count: Self.ownerPage)
            }
            for track in page.tracks where seen.insert(track.id).inserted { tracks.append(track) }
            empty = page.itemCount == 0 ? empty + 1 : 0
            offset += page.itemCount == 0 ? Self.ownerPage : page.itemCount
            let isFull = tracks.count >= Self.ownerPage * Self.mostRequests
            if offset >= page.count || empty >= Self.mostEmpty || isFull { break }
        }
        return tracks
    }
}
