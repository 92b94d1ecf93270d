public import NyanDBus

/// `org.mpris.MediaPlayer2.Player` as data (mpris.md §4.1–4.3).
public enum PlayerInterface {
    public nonisolated static let name = "org.mpris.MediaPlayer2.Player"

    public nonisolated static let interface = Interface(
        name,
        methods: [
            Method("Next"), Method("Previous"), Method("Pause"), Method("PlayPause"), Method("Stop"), Method("Play"),
            Method("Seek", in: [Argument("Offset", "x")]),
            Method("SetPosition", in: [Argument("TrackId", "o"), Argument("Position", "x")]),
            Method("OpenUri", in: [Argument("Uri", "s")]),
        ],
        properties: [
            Property("PlaybackStatus", "s"), Property("LoopStatus", "s", .readWrite),
            Property("Rate", "d", .readWrite), Property("Shuffle", "b", .readWrite), Property("Metadata", "a{sv}"),
            Property("Volume", "d", .readWrite), Property("Position", "x", emitsChanged: .silent),
            Property("MinimumRate", "d"), Property("MaximumRate", "d"), Property("CanGoNext", "b"),
            Property("CanGoPrevious", "b"), Property("CanPlay", "b"), Property("CanPause", "b"),
            Property("CanSeek", "b"), Property("CanControl", "b", emitsChanged: .silent),
        ],
        signals: [Signal("Seeked", [Argument("Position", "x")])])
}
