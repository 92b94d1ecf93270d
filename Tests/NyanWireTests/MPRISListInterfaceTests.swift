import NyanCore
import NyanDBus
import NyanWire
import Testing

@Suite("MPRIS' lists on the bus")
struct MPRISListInterfaceTests {
    @Test("TrackList and Playlists are declared as the specification has them")
    func shapes() {
        #expect(
            shape(TrackListInterface.interface) == [
                "GetTracksMetadata(TrackIds:ao) -> (Metadata:aa{sv})",
                "AddTrack(Uri:s AfterTrack:o SetAsCurrent:b) -> ()", "RemoveTrack(TrackId:o) -> ()",
                "GoTo(TrackId:o) -> ()", "Tracks: ao read invalidates", "CanEditTracks: b read true",
                "signal TrackListReplaced(Tracks:ao CurrentTrack:o)",
                "signal TrackAdded(Metadata:a{sv} AfterTrack:o)", "signal TrackRemoved(TrackId:o)",
                "signal TrackMetadataChanged(TrackId:o Metadata:a{sv})",
            ])
        #expect(
            shape(PlaylistsInterface.interface) == [
                "ActivatePlaylist(PlaylistId:o) -> ()",
                "GetPlaylists(Index:u MaxCount:u Order:s ReverseOrder:b) -> (Playlists:a(oss))",
                "PlaylistCount: u read true", "Orderings: as read true", "ActivePlaylist: (b(oss)) read true",
                "signal PlaylistChanged(Playlist:(oss))",
            ])
    }

    nonisolated private static let lists: [(MusicList, ObjectPath)] = [
        (.music, "/org/nyantunes/Nyand/playlist/music"), (.profile, "/org/nyantunes/Nyand/playlist/profile"),
        (.playlist(PlaylistID(owner: 12, number: 3)), "/org/nyantunes/Nyand/playlist/12_5f3"),
        (.playlist(PlaylistID(owner: -12, number: -3)), "/org/nyantunes/Nyand/playlist/_2d12_5f_2d3"),
    ]

    @Test("each list has a path of its own, and back", arguments: lists)
    func paths(_ list: MusicList, _ path: ObjectPath) {
        #expect(PlaylistsInterface.path(of: list) == path && PlaylistsInterface.list(path) == list)
    }

    @Test("no other path names a list")
    func strangers() {
        let paths: [ObjectPath] = [
            "/", "/music", "/org/nyantunes/Nyand/playlist", "/org/nyantunes/Nyand/playlist/other",
            "/org/nyantunes/Nyand/entry/music", "/org/nyantunes/Nyand/playlist/music/more",
        ]
        for path in paths { #expect(PlaylistsInterface.list(path) == nil, "\(path)") }
    }
}
