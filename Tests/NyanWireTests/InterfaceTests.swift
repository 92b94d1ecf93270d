import NyanDBus
import NyanWire
import Testing

/// An interface as short text: one line per member.
func shape(_ interface: Interface) -> [String] {
    func types(_ arguments: [Argument]) -> String {
        arguments.map { "\($0.name):\($0.type.text)" }.joined(separator: " ")
    }
    return interface.methods.map { "\($0.name)(\(types($0.input))) -> (\(types($0.output)))" }
        + interface.properties.map { "\($0.name): \($0.type.text) \($0.access.rawValue) \($0.changes.rawValue)" }
        + interface.signals.map { "signal \($0.name)(\(types($0.arguments)))" }
}

/// Introspection is part of the contract: a changed line here is a change for whoever calls us.
@Suite("Interfaces on the bus")
struct InterfaceTests {
    private static let tracks = "tracks:a(sssssubsbbssx)"
    private static let rows = "downloads:a(ssssxxssx)"
    private static let account = "account:(xsuss)"

    @Test("Their names are there once and in this order")
    func names() {
        #expect(
            NyandInterfaces.all.map(\.name)
                == [
                    "Player", "Queue", "Library", "History", "Downloads", "Playlists", "Lyrics", "Account", "Daemon",
                    "Profile", "People", "Files", "Keep", "Scrobble", "Doctor", "Completion",
                ].map { "org.nyantunes.Nyand1.\($0)" }
        )
    }

    @Test("Player")
    func player() {
        #expect(
            shape(NyandInterfaces.player) == [
                "GetStatus() -> (status:a{sv})", "Play() -> ()", "PlayTracks(tracks:as start:u) -> ()",
                "Pause() -> ()", "Toggle() -> ()", "Stop() -> ()", "Next() -> ()", "Previous() -> ()",
                "SeekBy(offset:x) -> ()", "SeekTo(position:x) -> ()", "SeekToFraction(fraction:d) -> ()",
                "SetVolume(volume:d) -> (volume:d)", "ChangeVolume(change:d) -> (volume:d)", "SetShuffle(on:b) -> ()",
                "SetRepeat(mode:s) -> ()", "SetSleepTimer(mode:s after:x) -> ()", "signal StatusChanged(status:a{sv})",
            ])
    }

    @Test("Queue and Library")
    func listings() {
        #expect(
            shape(NyandInterfaces.queue) == [
                "List() -> (\(Self.tracks) current:u)", "Add(tracks:as next:b) -> (length:u)",
                "Remove(positions:au) -> (length:u)", "Move(from:u to:u) -> ()", "Clear() -> ()",
            ])
        #expect(
            shape(NyandInterfaces.library) == [
                "Profile(filter:s owner:x) -> (\(Self.tracks))", "Music(filter:s) -> (\(Self.tracks))",
                "Search(text:s count:u byArtist:b) -> (\(Self.tracks))", "Select(text:s) -> (\(Self.tracks))",
                "Sheet(list:s text:s number:x byArtist:b) -> (tracks:ay)",
                "Sync() -> (total:u added:u removed:u unavailable:u changes:a(sss) moreChanges:u)",
                "DeleteCopies(tracks:as) -> (files:u bytes:x)",
                "signal SyncProgress(read:u total:u)", "signal Changed()",
            ])
    }

    @Test("Profile and People")
    func profile() {
        let outcome = "(added:as present:as refused:a(ss) stopped:(ss))"
        #expect(
            shape(NyandInterfaces.profile) == [
                "Add(tracks:as) -> \(outcome)", "Like() -> \(outcome)",
                "Remove(tracks:as) -> (removed:as refused:a(ss) stopped:(ss))",
                "Restore(track:s) -> (id:s wasThere:b)",
            ])
        #expect(
            shape(NyandInterfaces.people) == [
                "Friends() -> (people:a(xssbs))", "Groups() -> (people:a(xssbs))", "Resolve(name:s) -> (owner:x)",
            ])
    }

    @Test("History")
    func history() {
        #expect(shape(NyandInterfaces.history) == ["List(count:u) -> (\(Self.tracks) moments:a(xd))"])
    }

    @Test("Downloads, Account and Daemon")
    func others() {
        #expect(
            shape(NyandInterfaces.downloads) == [
                "List() -> (\(Self.rows))", "Add(tracks:as) -> (queued:u refused:a(ss))",
                "Standing(tracks:as) -> (ids:as)",
                "Cancel(tracks:as) -> (cancelled:u)", "Retry(tracks:as) -> (retried:u)",
                "Pause(tracks:as) -> (paused:u)",
                "Resume(tracks:as) -> (resumed:u)", "AddProfile(filter:s) -> (queued:u refused:a(ss) coming:as)",
                "AddPlaylist(playlist:s) -> (queued:u refused:a(ss) coming:as notice:s)",
                "signal Changed(\(Self.rows))",
                "signal Removed(tracks:as)",
            ])
        #expect(
            shape(NyandInterfaces.account) == [
                "Login(kind:s secret:h profile:s) -> (\(Self.account))", "Logout() -> ()",
                "WhoAmI() -> (\(Self.account))", "AuthorizeAddress(profile:s) -> (address:s)",
                "LoginWithPassword(user:s password:h profile:s) -> (\(Self.account))",
                "LoginOutcome() -> (\(Self.account))", "Answer(answer:h) -> (words:s)", "LoginEnds() -> (moment:x)",
            ])
        #expect(
            shape(NyandInterfaces.daemon) == ["SetOfflineMode(on:b) -> ()", "Reload() -> ()", "Version: s read const"])
    }

    @Test("Playlists and Lyrics")
    func playlists() {
        #expect(
            shape(NyandInterfaces.playlists) == [
                "List() -> (playlists:a(sssubb) notice:s)",
                "Tracks(playlist:s filter:s) -> (\(Self.tracks) notice:s)", "Create(title:s) -> (playlist:(sssubb))",
                "Rename(playlist:s title:s) -> ()", "Delete(playlist:s) -> (title:s followed:b)",
                "Add(playlist:s tracks:as) -> (added:u)", "Remove(playlist:s tracks:as) -> (removed:u)",
                "Recommendations(track:s) -> (\(Self.tracks))", "signal Changed()",
            ])
        #expect(shape(NyandInterfaces.lyrics) == ["Get(track:s) -> (id:s lines:a(xs) credits:s)"])
    }

    @Test("Keep")
    func keep() {
        #expect(
            shape(NyandInterfaces.keep) == [
                "List() -> (rules:a(ssuuuuuu))", "Keep(list:s) -> (rule:(ssuuuuuu) queued:u notice:s)",
                "Preview(list:s) -> (files:u bytes:x)",
                "Unkeep(list:s delete:b) -> (cancelled:u deleted:u bytes:x staying:u)",
            ])
    }

    @Test("MPRIS")
    func mpris() {
        #expect(
            shape(PlayerInterface.interface) == [
                "Next() -> ()", "Previous() -> ()", "Pause() -> ()", "PlayPause() -> ()", "Stop() -> ()",
                "Play() -> ()",
                "Seek(Offset:x) -> ()", "SetPosition(TrackId:o Position:x) -> ()", "OpenUri(Uri:s) -> ()",
                "PlaybackStatus: s read true", "LoopStatus: s readwrite true", "Rate: d readwrite true",
                "Shuffle: b readwrite true", "Metadata: a{sv} read true", "Volume: d readwrite true",
                "Position: x read false", "MinimumRate: d read true", "MaximumRate: d read true",
                "CanGoNext: b read true", "CanGoPrevious: b read true", "CanPlay: b read true",
                "CanPause: b read true", "CanSeek: b read true", "CanControl: b read false",
                "signal Seeked(Position:x)",
            ])
        #expect(
            shape(RootInterface.interface) == [
                "Raise() -> ()", "Quit() -> ()", "CanQuit: b read true", "CanRaise: b read true",
                "HasTrackList: b read true", "Identity: s read true", "DesktopEntry: s read true",
                "SupportedUriSchemes: as read true", "SupportedMimeTypes: as read true",
            ])
    }
}
