import NyanStore
import Testing

@Suite("Places")
struct PlacesTests {
    @Test("follow the XDG variables, and HOME where they are unset, empty or relative")
    func variables() {
        let set = Places(environment: [
            "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s",
            "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": "/run/user/1",
        ])
        #expect(set.configFile == "/c/nyand/nyand.conf" && set.libraryFile == "/d/nyand/library.db")
        #expect(set.playbackFile == "/s/nyand/playback.db" && set.coverFolder == "/k/nyand/covers")
        #expect(set.credentialsFile == "/d/nyand/credentials" && set.runtime == "/run/user/1/nyand")
        let unset = Places(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "relative"])
        #expect(unset.config == "/h/.config/nyand" && unset.data == "/h/.local/share/nyand")
        #expect(unset.state == "/h/.local/state/nyand" && unset.cache == "/h/.cache/nyand")
        #expect(unset.runtime == "/h/.cache/nyand/run")
    }

    @Test("are made private")
    func made() throws {
        let folder = TemporaryFolder()
        let places = Places(environment: ["HOME": folder.path])
        try places.make()
        for path in [places.data, places.state, places.cache] { #expect(Disk.mode(path) == 0o700) }
        #expect(!Disk.exists(places.config))
    }

    @Test(
        "My Music is in the music folder that user-dirs.dirs names",
        arguments: [
            ("XDG_MUSIC_DIR=\"$HOME/Музыка\"\n", "HOME/Музыка/Nyan Tunes"),
            ("# x\nXDG_DESKTOP_DIR=\"$HOME/D\"\nXDG_MUSIC_DIR=\"/mnt/a \\\"b\\\"/\"\n", "/mnt/a \"b\"/Nyan Tunes"),
            ("XDG_MUSIC_DIR=\"$HOME/\"\n", "HOME/Nyan Tunes"), ("XDG_MUSIC_DIR=\"Music\"\n", "HOME/Music/Nyan Tunes"),
            ("XDG_MUSIC_DIR=\"$HOMEX/a\"\n", "HOME/Music/Nyan Tunes"), ("", "HOME/Music/Nyan Tunes"),
        ])
    func music(text: String, expected: String) throws {
        let folder = TemporaryFolder()
        let places = Places(environment: ["HOME": folder.path])
        try Folder.make(folder(".config"), mode: 0o700)
        try Disk.write(folder(".config/user-dirs.dirs"), Array(text.utf8))
        let path = expected.hasPrefix("HOME") ? folder.path + expected.dropFirst(4) : expected
        #expect(places.musicDirectory == path)
    }
}
