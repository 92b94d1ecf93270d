import CGLib
import Glibc
public import NyanCore

/// Cover pictures in the cache, named by their content: another picture has another path, which is what desktops need
/// to show it (they cache by path). Works on threads of its own.
public final class CoverFolder: CoverStore {
    private let folder: String
    /// Larger pictures are refused.
    private static let limit = 16 << 20

    /// `folder`: absolute; made when first needed.
    public init(_ folder: String) { self.folder = folder }

    public func store(_ bytes: [UInt8]) async throws(Failure) -> String {
        guard let kind = PictureKind(bytes) else { throw Failure(.badAnswer, "the cover is no JPEG or PNG picture") }
        guard bytes.count <= Self.limit else { throw Failure(.badAnswer, "the cover is larger than 16 MiB") }
        let folder = folder
        return try await offPool { () throws(Failure) in
            let path = "\(folder)/\(Self.name(of: bytes)).\(kind.ending)"
            if access(path, F_OK) == 0 { return path }
            try Folder.makePrivate(folder)
            // Readable for a desktop's own thumbnailer; the folder above is private anyway.
            try WholeFile.replace(path, with: bytes, mode: 0o644, durable: false)
            return path
        }
    }

    /// Removes every picture not named here, by absolute path.
    public func prune(keeping: Set<String>) async {
        let folder = folder
        try? await offPool { () throws(Failure) in
            for name in Folder.names(in: folder) {
                let path = "\(folder)/\(name)"
                let isPicture = name.hasSuffix(".jpg") || name.hasSuffix(".png") || name.hasSuffix(".tmp")
                if isPicture && !keeping.contains(path) { unlink(path) }
            }
        }
    }

    /// SHA-256 in hexadecimal.
    private static func name(of bytes: [UInt8]) -> String {
        guard let sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, UInt(bytes.count)) else { return "cover" }
        defer { g_free(sum) }
        return String(cString: sum)
    }
}
