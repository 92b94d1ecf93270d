import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// A folder of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init(in parent: String = "/tmp") {
        // As in the daemon: modes must not hang on a generous umask.
        umask(0o077)
        var template = Array("\(parent)/nyan-store-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? parent
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path inside.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}

/// Small tools over real files.
enum Disk {
    static func write(_ path: String, _ bytes: some Collection<UInt8>) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    /// Not by Foundation, which loses 4 KiB each time it reads an empty file.
    static func bytes(_ path: String) -> [UInt8] { ((try? WholeFile.read(path, limit: .max)) ?? nil) ?? [] }
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Permission bits.
    static func mode(_ path: String) -> UInt32 {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    /// What a program printed; for the tools that judge our files (ffprobe, mutagen).
    static func output(_ program: String, _ arguments: [String]) -> String {
        let words = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        guard let pipe = popen("\(words) 2>/dev/null", "r") else { return "" }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A file system of its own of so many KiB, to be filled up; nil where mounting is not allowed.
final class SmallDisk: Sendable {
    let folder = TemporaryFolder()
    var path: String { folder.path }

    init?(kilobytes: Int) {
        guard geteuid() == 0 else { return nil }
        _ = Disk.output("/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", folder.path])
        var facts = stat()
        var parent = stat()
        guard stat(folder.path, &facts) == 0, stat("/tmp", &parent) == 0, facts.st_dev != parent.st_dev else {
            return nil
        }
    }

    deinit { _ = Disk.output("/bin/umount", ["-l", folder.path]) }
}

extension ByteSource {
    /// Reads up to `count` bytes at `offset`; nil unless bytes were there.
    func bytes(at offset: Int64, _ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        guard case .bytes(let read) = buffer.withUnsafeMutableBytes({ self.read(at: offset, into: $0) }) else {
            return nil
        }
        return Array(buffer[..<read])
    }

    func answer(at offset: Int64) -> ByteRead {
        var buffer = [UInt8](repeating: 0, count: 16)
        return buffer.withUnsafeMutableBytes { self.read(at: offset, into: $0) }
    }
}

extension CopySink {
    func put(_ bytes: [UInt8], at offset: Int64) throws {
        try bytes.withUnsafeBytes { try self.write($0, at: offset) }
    }
}

/// The failure a call ends in; nil when it succeeds.
func failure(_ body: () async throws -> Void) async -> Failure? {
    do {
        try await body()
        return nil
    } catch {
        return error as? Failure
    }
}

func track(_ number: Int64, _ artist: String = "Artist", _ title: String = "Title", album: String? = nil) -> Track {
    Track(id: TrackID(owner: 1, audio: number), artist: artist, title: title, album: album, duration: 100)
}
