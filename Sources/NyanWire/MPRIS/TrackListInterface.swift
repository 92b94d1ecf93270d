public import NyanDBus

/// `org.mpris.MediaPlayer2.TrackList` as data (mpris.md §6).
public enum TrackListInterface {
    public nonisolated static let name = "org.mpris.MediaPlayer2.TrackList"

    public nonisolated static let interface = Interface(
        name,
        methods: [
            Method(
                "GetTracksMetadata", in: [Argument("TrackIds", "ao")], out: [Argument("Metadata", "aa{sv}")]),
            Method(
                "AddTrack",
                in: [Argument("Uri", "s"), Argument("AfterTrack", "o"), Argument("SetAsCurrent", "b")]),
            Method("RemoveTrack", in: [Argument("TrackId", "o")]),
            Method("GoTo", in: [Argument("TrackId", "o")]),
        ],
        properties: [Property("Tracks", "ao", emitsChanged: .invalidates), Property("CanEditTracks", "b")],
        signals: [
            Signal("TrackListReplaced", [Argument("Tracks", "ao"), Argument("CurrentTrack", "o")]),
            Signal("TrackAdded", [Argument("Metadata", "a{sv}"), Argument("AfterTrack", "o")]),
            Signal("TrackRemoved", [Argument("TrackId", "o")]),
            Signal("TrackMetadataChanged", [Argument("TrackId", "o"), Argument("Metadata", "a{sv}")]),
        ])
}
