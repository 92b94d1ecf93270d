import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import Testing

/// Covers as desktops and scripts see them, from the look-alike and from files.
@Suite("Covers", .serialized, .timeLimit(.minutes(2)))
struct CoverTests {
    /// Two tracks of one album, with a cover.
    private let album = ["123456_456239950", "123456_456239944"]
    /// One of another album.
    private let other = "123456_456239949"

    private func metadata(_ house: House) async throws -> [String: BusValue] {
        try await house.property("Metadata").dictionary ?? [:]
    }

    private func coverRequests(_ house: House) async throws -> Int {
        try await house.requests().filter { $0.kind == "cover" }.count
    }

    @Test(
        "one that comes late is told of the same entry; an album's is fetched once, and is there offline and after death"
    )
    func late() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        // They are seconds long: a busy machine would be at the last one before it has looked twice.
        #expect(try await house.ctl("repeat", "track").status == 0)
        // What is no picture is none, and is not asked for again.
        try await house.control(#"{"cmd":"media-fault","fault":"error-page","kind":"cover","times":1}"#)
        #expect(try await house.ctl("play", other).status == 0)
        try await house.until("it was asked for") { try await coverRequests(house) == 1 }
        try await house.control(#"{"cmd":"media-fault","fault":"status","value":503,"kind":"cover","times":1}"#)
        #expect(try await house.ctl("play", other, album[0], album[1]).status == 0)
        try await house.until("it plays") { try await house.status().position > 0.2 }
        #expect(try await house.status().track?.cover == nil)
        #expect(try await coverRequests(house) == 1)
        #expect(try await house.ctl("next").status == 0)
        try await house.until("it was asked for") { try await coverRequests(house) == 2 }
        #expect(try await house.ctl("pause").status == 0)
        let before = try await metadata(house)
        #expect(before["mpris:artUrl"] == nil && before["mpris:trackid"] != nil)
        try await house.until("it is tried again") { try await metadata(house)["mpris:artUrl"] != nil }
        let after = try await metadata(house)
        #expect(after["mpris:trackid"] == before["mpris:trackid"])
        let cover = try #require(try await house.status().track?.cover)
        #expect(
            after["mpris:artUrl"]?.string == "file://" + cover && cover.hasPrefix(house.home + "/cache/nyand/covers/"))
        #expect(try await house.ctl("next").status == 0)
        try await house.until("the album's") { try await house.status().track?.cover == cover }
        #expect(try await coverRequests(house) == 3)
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        await house.stopServer()
        try await house.startDaemon()
        try await house.until("it is there without a network") {
            try await metadata(house)["mpris:artUrl"]?.string == "file://" + cover
        }
        // Somebody empties the cache: then there is none, rather than a path to nothing.
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try FileManager.default.removeItem(atPath: house.home + "/cache")
        try await house.startDaemon()
        try await house.until("it is forgotten") { try await house.status().track?.cover == nil }
        #expect(try await metadata(house)["mpris:artUrl"] == nil)
    }

    @Test("those inside imported files are shown", arguments: ["mp3", "flac"])
    func embedded(_ ending: String) async throws {
        let house = try await House(server: nil)
        let folder = house.home + "/theirs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (picture, sound) = (house.home + "/p.jpg", "\(folder)/a.\(ending)")
        let program = """
            import subprocess, sys, base64, mutagen
            from mutagen import id3, flac, mp4
            p, s = sys.argv[1:]
            def ffmpeg(*a): subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", *a], check=True)
            ffmpeg("-i", "color=blue:s=64x64", "-frames:v", "1", p)
            ffmpeg("-i", "sine=duration=5", "-metadata", "title=Own", "-metadata", "artist=Me", s)
            data, f = open(p, "rb").read(), mutagen.File(s)
            pic = flac.Picture()
            pic.type, pic.mime, pic.data = 3, "image/jpeg", data
            if s.endswith("mp3"): f.tags.add(id3.APIC(encoding=3, mime="image/jpeg", type=3, desc="", data=data))
            elif s.endswith("m4a"): f.tags["covr"] = [mp4.MP4Cover(data, mp4.MP4Cover.FORMAT_JPEG)]
            elif s.endswith("flac"): f.add_picture(pic)
            else: f["metadata_block_picture"] = [base64.b64encode(pic.write()).decode()]
            f.save()
            """
        let made = try await Program(
            ["/usr/bin/python3", "-c", program, picture, sound], environment: ["PATH": "/usr/bin:/bin"]
        ).outcome()
        #expect(made.status == 0, "\(made.errors)")
        try await house.startDaemon()
        #expect(try await house.ctl("import", folder).status == 0)
        try await house.until("it is listed") {
            try await house.ctl("--json", "music").output.contains(#""cover":"\#(house.home)/cache/nyand/covers/"#)
        }
        let row = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first)
        #expect(try await house.ctl("play", row.id).status == 0)
        try await house.until("its cover is shown") { try await metadata(house)["mpris:artUrl"] != nil }
        let cover = try #require(try await house.status().track?.cover)
        #expect(FileManager.default.contents(atPath: cover) == FileManager.default.contents(atPath: picture))
        let listed = try await house.ctl("--json", "music").output
        #expect(listed.contains(#""cover":"\#(cover)""#), "\(listed)")
    }
}
