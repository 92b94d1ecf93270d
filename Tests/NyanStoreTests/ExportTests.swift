import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Copying files of My Music out")
struct ExportTests {
    let folder = TemporaryFolder()
    let music: MusicFolder
    let copy: FinishedCopy
    var target: String { folder("stick") }

    init() throws {
        music = MusicFolder(
            directory: folder("music"), copies: CopyFolder(cacheFolder: folder("c"), durableFolder: folder("d")))
        try FileManager.default.createDirectory(atPath: folder("music"), withIntermediateDirectories: true)
        try Disk.write(folder("music/x.mp3"), Sounds.tagged)
        copy = FinishedCopy(
            id: TrackID(owner: 1, audio: 7), path: folder("music/x.mp3"), bytes: Int64(Sounds.tagged.count))
    }

    func export(_ name: String = "A - T.mp3", _ copy: FinishedCopy? = nil) async throws -> (
        path: String, wasThere: Bool
    ) {
        try await music.prepare(folder: target)
        return try await music.export(copy ?? self.copy, as: name, to: target)
    }

    @Test("The folder's last element is made; the same file twice is there once")
    func twice() async throws {
        let first = try await export()
        #expect(first.path == target + "/A - T.mp3" && !first.wasThere)
        #expect(Disk.bytes(first.path) == Sounds.tagged && Disk.mode(first.path) == 0o644)
        #expect(Disk.mode(target) == 0o755)
        let second = try await export()
        #expect(second.path == first.path && second.wasThere)
        #expect(Folder.names(in: target) == ["A - T.mp3"])
    }

    @Test("Foreign files stay, also such as differ in case only, of the same length, and links")
    func foreign() async throws {
        try await music.prepare(folder: target)
        var other = Sounds.tagged
        other[other.count - 1] ^= 1
        try Disk.write(target + "/a - t.MP3", other)
        let first = try await export()
        #expect(first.path == target + "/A - T [1_7].mp3" && !first.wasThere)
        #expect(Disk.bytes(target + "/a - t.MP3") == other)
        #expect(try await export().wasThere)
        // A link out of the folder is not written through.
        symlink(folder("outside"), target + "/B - T.mp3")
        #expect(try await export("B - T.mp3").path == target + "/B - T [1_7].mp3")
        #expect(!Disk.exists(folder("outside")))
    }

    @Test("Many at once of one name all get a file, and none of another's bytes")
    func race() async throws {
        try await music.prepare(folder: target)
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 1...12 {
                let path = folder("music/\(number).mp3")
                try Disk.write(path, Sounds.mp3 + [UInt8(number)])
                let copy = FinishedCopy(
                    id: TrackID(owner: 1, audio: Int64(number)), path: path, bytes: Int64(Sounds.mp3.count + 1))
                group.addTask { try await music.export(copy, as: "A - T.mp3", to: target).path }
            }
            var paths: Set<String> = []
            for try await path in group { paths.insert(path) }
            #expect(paths.count == 12)
            #expect(Set(paths.compactMap { Disk.bytes($0).last }) == Set(1...12))
        }
        #expect(Folder.names(in: target).allSatisfy { !$0.hasPrefix(".") })
    }

    @Test(
        "A folder that cannot be is told in words; a missing path is not made", arguments: ["deep", "file", "relative"])
    func noFolder(_ kind: String) async throws {
        let path =
            switch kind {
            case "deep": folder("no/such/stick")
            case "file": folder("music/x.mp3")
            default: "stick"
            }
        let failure = await failure { try await music.prepare(folder: path) }
        #expect(failure?.code == (kind == "deep" ? .notFound : kind == "file" ? .conflict : .badArgument))
        #expect(!Disk.exists(folder("no")))
    }

    @Test("A full stick is told, and nothing half is left")
    func full() async throws {
        guard let disk = SmallDisk(kilobytes: 16) else { return }
        let failure = await failure { _ = try await music.export(copy, as: "a.mp3", to: disk.path) }
        #expect(failure?.code == .diskFull && failure?.message.contains(disk.path) == true)
        #expect(Folder.names(in: disk.path).isEmpty)
    }

    @Test("A file that is away is that track's failure")
    func away() async throws {
        unlink(copy.path)
        #expect(await failure { _ = try await export() }?.code == .notFound)
        #expect(Folder.names(in: target).isEmpty)
    }
}

@Suite("Names on FAT and NTFS")
struct FATNameTests {
    /// What FAT's long names and Windows refuse: characters, ends, devices, and more than 255 units of UTF-16.
    static func isLegal(_ name: String) -> Bool {
        let illegal = Set("\"*/:<>?\\|".unicodeScalars)
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || illegal.contains($0) }) else { return false }
        guard let last = name.last, last != ".", last != " ", name.utf16.count <= 255 else { return false }
        let stem = name.prefix { $0 != "." }.uppercased()
        let devices = ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
        return !devices.contains(stem.trimmed)
    }

    @Test(
        "Exported and imported names fit whatever the titles and the kind of file",
        arguments: [
            "con", "COM1.x", "aux ", "a/b\\c:d*e?f\"g<h>i|j", "..", ".", " ", "trail. ", "\u{7F}\u{1}", "🙂", "AC/DC",
            "NUL",
            String(repeating: "й", count: 300), String(repeating: "🙂", count: 200), "\u{202E}evil", "-rf", "~", "$HOME",
            "%0d",
        ])
    func legal(_ title: String) {
        for template in ["{artist} - {title}", "{title}", "{id}", "{title} {album}"] {
            for ending in [".mp3", ".flac", ".opus", ".m4a"] {
                let track = Track(id: TrackID(owner: 0, audio: .max), artist: title, title: title, album: title)
                let name = FileName.make(template: template, track: track, fileExtension: ending)
                for number in [0, 1, 2, 999] {
                    let variant = FileName.variant(of: name, id: track.id, number: number)
                    #expect(Self.isLegal(variant), "\(variant)")
                    #expect(variant.utf8.count <= 255 && !variant.hasPrefix(".") && !variant.hasPrefix("-"))
                    #expect(variant.hasSuffix(ending))
                }
            }
        }
        // No template leads out of the folder or hides the file.
        for template in ["../{title}", "/{title}", "{title}/..", "a/{id}"] {
            #expect(FileName.problem(inTemplate: template) != nil)
        }
        for template in ["..{title}", ". {id}", "{title}..", "-{title}"] {
            let name = FileName.make(
                template: template, track: Track(id: TrackID(owner: 1, audio: 1), artist: title, title: title))
            #expect(
                Self.isLegal(name) && !name.hasPrefix(".") && !name.hasPrefix("-") && !name.contains("/"), "\(name)")
        }
        let temporary = MusicFolder.temporaryPath(TrackID(owner: .min, audio: .max), in: "/x")
        #expect(temporary.utf8.count <= 255 && Self.isLegal(String(temporary.dropFirst(3))))
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
