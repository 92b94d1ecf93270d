import FoundationEssentials
import NyanTestKit

/// The stream cache as it lies on disk.
extension House {
    private var cacheFolder: String { home + "/cache/nyand/copies" }

    /// The file of a track's bytes.
    func cachedCopy(of track: String) -> String { "\(cacheFolder)/\(track).copy" }

    /// Tracks that have bytes there.
    func cachedTracks() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: cacheFolder)
        return Set(names.filter { $0.hasSuffix(".copy") }.map { String($0.dropLast(5)) })
    }

    /// Empties it; what the daemon holds open stays readable for it.
    func emptyCache() throws {
        // Not there before the first stream.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: cacheFolder)) ?? [] {
            try FileManager.default.removeItem(atPath: "\(cacheFolder)/\(name)")
        }
    }

    /// SHA-256 of a file.
    func digest(of path: String) async throws -> String {
        let outcome = try await Program(["/usr/bin/sha256sum", path], environment: environment).outcome()
        return String(outcome.output.prefix { $0 != " " })
    }
}
