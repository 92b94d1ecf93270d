public import NyanDBus

/// The names both sides of the bus share (CONTRACT.md §4).
public enum Names {
    public nonisolated static let mpris = "org.mpris.MediaPlayer2.nyand"
    public nonisolated static let mprisPath: ObjectPath = "/org/mpris/MediaPlayer2"
    public nonisolated static let nyand = "org.nyantunes.Nyand"
    public nonisolated static let nyandPath: ObjectPath = "/org/nyantunes/Nyand"

    public nonisolated static let identity = "Nyan Tunes"
    public nonisolated static let desktopEntry = "nyand"
    public nonisolated static let version = "0.1.0"

    /// `mpris:trackid` of "no current track" (mpris.md §5).
    public nonisolated static let noTrack: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    /// Parent of every entry's `mpris:trackid`.
    public nonisolated static let entries: ObjectPath = "/org/nyantunes/Nyand/entry"
    /// Parent of every playlist's path (mpris.md §7).
    public nonisolated static let playlists: ObjectPath = "/org/nyantunes/Nyand/playlist"
}
