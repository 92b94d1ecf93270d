import CGLib
import Glibc
public import NyanCore

/// Cover pictures in the cache, named by their content: another picture has another path, which is what desktops need
/// to show it (they cache by path). Works on threads of its own.
///
/// Beside the pictures lie links named by the address a picture came from (its SHA-256, as addresses are not for everybody's
/// eyes): tracks of one album, whose covers have one address, cost one fetch.
public final class CoverFolder: CoverStore {
    let folder: String
    let bounds: Bounds
    /// Larger pictures are refused.
    static let limit = 16 << 20
    static let linkEnding = ".url"

    /// How much may lie there.
    public struct Bounds: Sendable {
        public var bytes: Int64
        public var pictures: Int
        public init(bytes: Int64 = 128 << 20, pictures: Int = 2000) {
            self.bytes = bytes
            self.pictures = pictures
        }
    }

    /// `folder`: absolute; made when first needed.
    public init(_ folder: String, bounds: Bounds = Bounds()) {
        self.folder = folder
        self.bounds = bounds
    }

    public func store(_ bytes: [UInt8]) async throws(Failure) -> String {
        try await offPool { [self] () throws(Failure) in try keep(bytes) }
    }

    /// Writes a picture that is not there yet.
    func keep(_ bytes: [UInt8]) throws(Failure) -> String {
        guard bytes.count <= Self.limit else { throw Failure(.badAnswer, "the cover is larger than 16 MiB") }
        if let complaint = Picture.complaint(bytes) { throw Failure(.badAnswer, complaint) }
        guard let kind = PictureKind(bytes) else { throw Failure(.badAnswer, "the cover is no picture") }
        let path = "\(folder)/\(Self.name(of: bytes)).\(kind.ending)"
        var facts = stat()
        // Power may have gone before all of it was written.
        if lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, Int(facts.st_size) == bytes.count {
            utimensat(AT_FDCWD, path, nil, 0)
            return path
        }
        try Folder.makePrivate(folder)
        // Readable for a desktop's own thumbnailer; the folder above is private anyway.
        try WholeFile.replace(path, with: bytes, mode: 0o644, durable: false)
        return path
    }

    /// Removes every picture not named here, by absolute path.
    public func prune(keeping: Set<String>) async {
        try? await offPool { [self] () throws(Failure) in
            for picture in pictures() ?? [] where !keeping.contains(picture.path) { unlink(picture.path) }
            removeLooseEnds()
        }
    }

    /// SHA-256 in hexadecimal.
    static func name(of bytes: [UInt8]) -> String {
        guard let sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, UInt(bytes.count)) else { return "cover" }
        defer { g_free(sum) }
        return String(cString: sum)
    }
}
