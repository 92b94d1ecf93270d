public import NyanDBus

/// `org.mpris.MediaPlayer2` as data (mpris.md §3).
public enum RootInterface {
    public nonisolated static let name = "org.mpris.MediaPlayer2"

    public nonisolated static let interface = Interface(
        name,
        methods: [Method("Raise"), Method("Quit")],
        properties: [
            Property("CanQuit", "b"), Property("CanRaise", "b"), Property("HasTrackList", "b"),
            Property("Identity", "s"), Property("DesktopEntry", "s"), Property("SupportedUriSchemes", "as"),
            Property("SupportedMimeTypes", "as"),
        ])
}
