/// Reads a profile page by page and decides what has changed, asking twice before it believes that a track is gone.
///
/// A value without I/O: ask for `next`, give the page to `received`, until it is `.done` or `.failed`. A page that
/// cannot be had ends the sync: throw the reading away, nothing has changed. Paging follows vk-api.md §2.2, doubt
/// follows §5 and DESIGN.md §7.
public struct SyncReading: Sendable {
    public enum Step: Sendable, Equatable {
        /// Ask for this page of the profile.
        case page(offset: Int, count: Int)
        case done(SyncPlan)
        /// Nothing must be changed; says why.
        case failed(Failure)
    }

    /// The greatest page VK gives.
    static let pageSize = 200
    /// Passes over the list before it counts as never standing still.
    static let passLimit = 6
    /// Requests of one pass: VK's cap of 10,000 tracks at ten a page.
    static let requestLimit = 1_000

    public private(set) var next: Step

    /// How far the pass that runs is.
    public var progress: SyncProgress { SyncProgress(read: pass.tracks.count, total: pass.count) }

    private let stored: Stored
    private var pass = Pass()
    private var passes = 1
    /// What the last complete pass did not show though it is stored; nil before there was one.
    private var missedBefore: Set<TrackID>?

    /// Compares descriptions too: the plan's `changesAnything` is exact, the ever-changing cover addresses aside.
    public init(stored: [Track]) { self.init(Stored(tracks: stored)) }

    /// Knows only the order that is stored: `changesAnything` is always true, since descriptions may differ.
    public init(storedIDs: [TrackID]) { self.init(Stored(ids: storedIDs)) }

    private init(_ stored: Stored) {
        self.stored = stored
        next = .page(offset: 0, count: Self.pageSize)
    }

    /// Takes the answer to the page asked for; ignored once the reading is over.
    public mutating func received(_ page: TrackPage) {
        guard case .page(let offset, _) = next else { return }
        if pass.isChecking {
            // The first row again, after the last page: has the list stood still meanwhile?
            pass.isChecking = false
            if page.count == pass.count, page.tracks.first?.id == pass.firstRow { return judge() }
            return readAgain()
        }
        guard pass.take(page, at: offset) else { return readAgain() }
        guard pass.requests < Self.requestLimit, pass.tracks.count <= Self.pageSize * Self.requestLimit else {
            next = .failed(SyncDoubt.endless)
            return
        }
        if let offset = pass.nextOffset {
            next = .page(offset: offset, count: Self.pageSize)
        } else if pass.requests > 1 {
            pass.isChecking = true
            next = .page(offset: 0, count: 1)
        } else {
            judge()
        }
    }

    private mutating func readAgain() {
        guard passes < Self.passLimit else {
            next = .failed(SyncDoubt.restless)
            return
        }
        passes += 1
        pass = Pass()
        next = .page(offset: 0, count: Self.pageSize)
    }

    /// A complete, consistent pass: believe it, or ask once more.
    private mutating func judge() {
        let missed = Set(stored.ids).subtracting(pass.seen)
        if missed.isEmpty {
            next = .done(plan(removing: []))
        } else if missedBefore != missed {
            // Something would be removed: a second pass must miss exactly the same tracks.
            missedBefore = missed
            readAgain()
        } else if let doubt = SyncDoubt.about(
            stored: stored.ids.count, read: pass.tracks.count, count: pass.count, missed: missed.count)
        {
            next = .failed(doubt)
        } else {
            next = .done(plan(removing: missed))
        }
    }

    private func plan(removing missed: Set<TrackID>) -> SyncPlan {
        let known = Set(stored.ids)
        return SyncPlan(
            tracks: pass.tracks, added: pass.tracks.map(\.id).filter { !known.contains($0) },
            removed: stored.ids.filter { missed.contains($0) },
            unavailable: pass.tracks.count { !$0.isAvailable }, changesAnything: stored.differs(from: pass.tracks))
    }
}

extension SyncReading {
    /// One reading of the whole list.
    private struct Pass {
        var tracks: [Track] = []
        var seen: Set<TrackID> = []
        /// What VK says the list's length is; must not change within a pass.
        var count = 0
        var firstRow: TrackID?
        var requests = 0
        var nextOffset: Int?
        /// The last page is read; the first row is asked for once more.
        var isChecking = false

        /// Adds a page; false when the list changed since the pass began.
        mutating func take(_ page: TrackPage, at offset: Int) -> Bool {
            requests += 1
            if requests == 1 {
                count = page.count
                firstRow = page.tracks.first?.id
            }
            guard page.count == count else { return false }
            // Rows that were read twice keep their first place.
            for track in page.tracks where seen.insert(track.id).inserted { tracks.append(track) }
            let following = offset + (page.itemCount > 0 ? page.itemCount : SyncReading.pageSize)
            nextOffset = following < count ? following : nil
            return true
        }
    }

    /// What the library holds of the profile.
    private struct Stored {
        let ids: [TrackID]
        /// Descriptions, if the caller knows them.
        let tracks: [Track]?

        init(ids: [TrackID]) {
            self.ids = ids
            tracks = nil
        }

        init(tracks: [Track]) {
            ids = tracks.map(\.id)
            self.tracks = tracks.map(Self.comparable)
        }

        func differs(from read: [Track]) -> Bool {
            tracks.map { $0 != read.map(Self.comparable) } ?? true
        }

        /// Cover addresses are signed anew in each answer: only whether there is one counts.
        private static func comparable(_ track: Track) -> Track {
            var track = track
            track.coverURL = track.coverURL.map { _ in "" }
            return track
        }
    }
}
