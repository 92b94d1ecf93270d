/// A track of a kept list, with what the library knows of it.
public struct KeptTrack: Sendable, Equatable {
    public var track: Track
    /// It, or a twin of it, has a file in My Music.
    public var isHere: Bool
    /// The person took it, or a twin of it, away: no rule brings it again.
    public var isDeclined: Bool
    /// This rule or another one that holds brought it or a twin of it, and nobody else wished for it.
    public var isBrought: Bool
    /// What twins have in common; nil = it has none.
    public var recording: Int64?

    public init(
        track: Track, isHere: Bool = false, isDeclined: Bool = false, isBrought: Bool = false, recording: Int64? = nil
    ) {
        self.track = track
        self.isHere = isHere
        self.isDeclined = isDeclined
        self.isBrought = isBrought
        self.recording = recording
    }
}

/// What a rule does about a list as it is now: a value without I/O. It never asks for anything to be removed.
public struct KeepPlan: Sendable, Equatable {
    /// To be downloaded, in the list's order.
    public private(set) var queued: [Track] = []
    /// To be noted as this rule's: it brings them, or a rule that holds did.
    public private(set) var marked: [TrackID] = []
    public private(set) var here = 0
    /// Under way before.
    public private(set) var coming = 0
    public private(set) var unavailable = 0
    public private(set) var failed = 0
    public private(set) var declined = 0

    /// - Parameters:
    ///   - tracks: the list, in its order.
    ///   - downloads: the download list.
    ///   - isAsked: a person says `keep` now: whatever failed is tried again.
    ///   - due: those that failed for want of a sound and may be tried again (`KeepRefusals`).
    public init(
        _ tracks: [KeptTrack], downloads: [TrackID: Download], isAsked: Bool = false, due: Set<TrackID> = []
    ) {
        var recordings: Set<Int64> = []
        for kept in tracks where kept.track.id.isVKs {
            let id = kept.track.id
            let download = downloads[id]
            if kept.isHere || download?.state.isUnfinished == true {
                if kept.isHere { here += 1 } else { coming += 1 }
                if kept.isBrought { marked.append(id) }
            } else if kept.isDeclined {
                declined += 1
            } else if !kept.track.isAvailable {
                unavailable += 1
            } else if let download, download.state == .failed, !isAsked, !due.contains(id),
                !Self.isWorthAnother(download.failure)
            {
                failed += 1
            } else if let recording = kept.recording, !recordings.insert(recording).inserted {
                continue
            } else {
                queued.append(kept.track)
                marked.append(id)
            }
        }
    }

    /// A failed download that met no server at all. What came and was wrong is not fetched again and again.
    private static func isWorthAnother(_ failure: Failure?) -> Bool {
        switch failure?.code {
        case .network, .timeout, .serverBusy, .notSignedIn, .challengeNeeded: true
        default: false
        }
    }
}

/// A track that a rule brought, as the rule's end finds it.
public struct BroughtTrack: Sendable, Equatable {
    public var id: TrackID
    /// Size of its own file in My Music; nil = it has none.
    public var bytes: Int64?
    /// It, or a twin of it, is in another kept list, or another rule that holds brought it.
    public var isKeptElsewhere: Bool

    public init(id: TrackID, bytes: Int64?, isKeptElsewhere: Bool = false) {
        self.id = id
        self.bytes = bytes
        self.isKeptElsewhere = isKeptElsewhere
    }
}

/// What the end of a rule takes with it, and what it leaves.
public struct UnkeepPlan: Sendable, Equatable {
    /// Downloads that nobody wants any more.
    public private(set) var cancelled: [TrackID] = []
    /// Files that only this rule brought.
    public private(set) var files: [TrackID] = []
    /// Bytes of `files`.
    public private(set) var bytes: Int64 = 0

    public init(_ brought: [BroughtTrack], downloads: [TrackID: Download]) {
        for track in brought where !track.isKeptElsewhere {
            if let size = track.bytes {
                files.append(track.id)
                bytes += size
            } else if let state = downloads[track.id]?.state, state != .done {
                cancelled.append(track.id)
            }
        }
    }
}

extension Download.State {
    /// Neither done nor given up.
    var isUnfinished: Bool { self == .waiting || self == .running || self == .paused }
}
