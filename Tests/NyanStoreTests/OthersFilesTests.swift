import CTag
import FoundationEssentials
import Glibc
@testable import NyanCore
import Testing

@testable import NyanStore

/// What others do to files while nyand reads and writes them.
@Suite("Files among others' hands")
struct OthersFilesTests {
    let place: ImportPlace
    init() throws { place = try ImportPlace() }

    @Test("Of a segmented copy whose end a power cut took, the whole segments before it stay")
    func shortened() {
        var map = CopyMap()
        map.kind = .hls
        map.ranges.insert(0..<300)
        for done in 1...3 {
            map.note(SegmentProgress(done: done, bytes: Int64(100 * done), durations: [4, 4, 4, 4]))
        }
        var extents = RangeSet()
        extents.insert(0..<250)
        map.reconcile(fileSize: 300, extents: extents)
        #expect(map.segments == SegmentProgress(done: 2, bytes: 200, durations: [4, 4, 4, 4]))
        #expect(map.ranges.available(from: 0) == 200 && map.ranges.end == 200)
    }

    @Test("Bytes of another origin leave no proof in the sidecar either")
    func proofGone() throws {
        let copies = CopyFolder(cacheFolder: place.folder("c"), durableFolder: place.folder("d"))
        let id = TrackID(owner: 1, audio: 2)
        let copy = try copies.open(id, durable: false)
        _ = try copy.begin(kind: .direct, total: 1000, validator: Validator(etag: "\"a\""))
        try copy.forgetValidator()
        #expect(copy.validator == nil)
        #expect(try #require(CopyMap.read(place.folder("c/\(id).map"))).validator == nil)
    }

    @Test("More frames than an MP4 can count are refused in words")
    func manyFrames() throws {
        var walk = ADTSWalk()
        let header: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x1F, 0xFC, 0x00]
        walk.first = ADTSFrame(header)
        #expect(walk.first?.sampleCount == 1024)
        walk.sizes = [UInt16](repeating: 8, count: 4_194_304)
        #expect(throws: Failure.self) { try M4AHead(walk, id: TrackID(owner: 1, audio: 1)) }
        walk.sizes.removeLast()
        _ = try M4AHead(walk, id: TrackID(owner: 1, audio: 1))
    }

    @Test("A source that went away or cannot be read is not the music folder's failure")
    func goneSource() async throws {
        place.sound("a.flac")
        let sound = try await place.identify("a.flac")
        unlink(place.theirs("a.flac"))
        let failure = await failure { _ = try await place.music.take(sound, fileName: "a.flac") }
        #expect(failure?.code == .notFound && failure?.message.contains("a.flac") == true)
        #expect(Folder.names(in: place.folder("My Music")).isEmpty)
    }

    @Test(
        "A copy that is not whole after its tags were written is found out", arguments: ["flac", "ogg", "m4a", "wav"])
    func notWhole(kind: String) async throws {
        place.sound("a.\(kind)", kind == "ogg" ? ["-c:a", "libvorbis"] : [])
        let bytes = Disk.bytes(place.theirs("a.\(kind)"))
        let source = try SoundIdentity(ImportCandidate(path: Array(place.theirs("a.\(kind)").utf8)))
        func isWhole(_ bytes: [UInt8]) throws -> Bool {
            try Disk.write(place.folder("copy"), bytes)
            let target = try OpenFile(place.folder("copy"), O_RDWR)
            return (try? RewrittenSound.isWhole(target, source)) ?? false
        }
        #expect(try isWhole(bytes))
        #expect(try !isWhole(bytes.dropLast(3000)))
        if kind == "flac" {
            #expect(try !isWhole(bytes.dropLast(3000) + [UInt8](repeating: 0, count: 3000)))
        }
    }

    @Test("An export takes away what a killed one left, and no pipe holds it up")
    func exportLeftovers() async throws {
        let stick = place.folder("stick")
        mkdir(stick, 0o755)
        try Disk.write("\(stick)/.nyand-1_1-x.part", [1])
        try Disk.write("\(stick)/.nyand-2_2-x.part", [1])
        mkfifo("\(stick)/.nyand-3_3-x.part", 0o600)
        let writer = try OpenFile("\(stick)/.nyand-2_2-x.part", O_WRONLY)
        MusicFolder.hold(writer)
        try await place.music.prepare(folder: stick)
        #expect(Folder.names(in: stick) == [".nyand-2_2-x.part"])
        withExtendedLifetime(writer) {}
    }

    @Test("ReplayGain's values are replaced whatever case their names are written in")
    func gainCase() {
        let path = place.sound("a.mp3", ["-metadata", "replaygain_track_gain=-3.00 dB"])
        var count = 0
        let tag = ctag_with_gain(path, "+1.00 dB", nil, &count)
        defer { ctag_free(tag) }
        let text = String(decoding: UnsafeBufferPointer(start: tag, count: count), as: UTF8.self)
        #expect(text.contains("+1.00 dB") && !text.contains("-3.00 dB"))
    }

    @Test("An empty file that a kill left under the wanted name counts as free; one with bytes does not")
    func emptyName() throws {
        let id = TrackID(owner: 1, audio: 1)
        try Disk.write(place.folder("t.part"), [1])
        try Disk.write(place.folder("full.mp3"), [2])
        #expect(try !MusicNames.takeName(place.folder("t.part"), place.folder("full.mp3"), id: id))
        try Disk.write(place.folder("empty.mp3"), [])
        #expect(try MusicNames.takeName(place.folder("t.part"), place.folder("empty.mp3"), id: id))
        #expect(Disk.bytes(place.folder("empty.mp3")) == [1] && Disk.bytes(place.folder("full.mp3")) == [2])
    }
}
