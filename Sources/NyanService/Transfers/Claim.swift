public import NyanCore

/// What a claimed copy tells whoever claimed it.
public enum ClaimEvent: Sendable, Equatable {
    case progress(received: Int64, total: Int64?)
    case complete
    /// This attempt is over; bytes that came stay. `TransferService.retry` tries again.
    case failed(Failure)
}

/// Somebody's need of a track's bytes. While any claim on it lives, its copy is fetched, once for all of them.
public final class Claim {
    /// Who needs the bytes, most urgent first.
    public enum Purpose: Int, Sendable, Comparable {
        case playing, next, download
        public static func < (a: Purpose, b: Purpose) -> Bool { a.rawValue < b.rawValue }
    }

    public let id: TrackID
    public let purpose: Purpose
    /// The growing file; readable at once, empty at first.
    public let bytes: any CopySink
    let onEvent: (ClaimEvent) -> Void

    init(id: TrackID, purpose: Purpose, bytes: any CopySink, onEvent: @escaping (ClaimEvent) -> Void) {
        self.id = id
        self.purpose = purpose
        self.bytes = bytes
        self.onEvent = onEvent
    }
}
