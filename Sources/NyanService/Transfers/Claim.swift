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
    public internal(set) var purpose: Purpose
    /// The growing file; readable at once, empty at first.
    public let bytes: any CopySink
    /// The copy it is a claim on; nil once it was given back, and then it hears nothing any more.
    private(set) var copy: ActiveCopy?
    private let onEvent: (ClaimEvent) -> Void

    init(on copy: ActiveCopy, purpose: Purpose, onEvent: @escaping (ClaimEvent) -> Void) {
        id = copy.track.id
        bytes = copy.sink
        self.copy = copy
        self.purpose = purpose
        self.onEvent = onEvent
    }

    func tell(_ event: ClaimEvent) {
        if copy != nil { onEvent(event) }
    }

    /// Cuts the claim off from its copy.
    func end() { copy = nil }
}
