import FoundationEssentials
import Glibc

/// One request of the look-alike's log, as a test reads it.
struct LoggedRequest: Decodable {
    let kind: String
    /// CLOCK_MONOTONIC seconds.
    let time: Double
    let method: String?
    let track: String?
    let segment: Int?
    let status: Int?
    let outcome: String?
    let bytes: Int
    let headers: [String: String]
    let path: String
}

extension House {
    /// Everything the look-alike was asked, oldest first.
    func requests() async throws -> [LoggedRequest] {
        try JSONDecoder().decode([LoggedRequest].self, from: Data(try await fetch("/_log").utf8))
    }

    /// Requests for sound; of one track if it is given.
    func mediaRequests(of track: String? = nil) async throws -> [LoggedRequest] {
        try await requests().filter { ["mp3", "playlist", "segment", "key"].contains($0.kind) }
            .filter { request in track.map { request.track?.hasPrefix($0) == true } ?? true }
    }

    /// The first byte each MP3 request of a track asked for.
    func firstBytes(of track: String) async throws -> [Int] {
        try await mediaRequests(of: track).filter { $0.kind == "mp3" }.map { request in
            let range = request.headers["range"] ?? ""
            return Int(range.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
        }
    }

    /// Seconds since the look-alike was first asked for a track's bytes.
    func serverAge(of track: String) async throws -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let first = try await mediaRequests(of: track).first?.time ?? .infinity
        return Double(now.tv_sec) - first
    }
}
