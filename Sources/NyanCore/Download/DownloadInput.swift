extension DownloadMachine {
    /// Which downloads a wish is about.
    public enum Selection: Sendable, Equatable {
        case all
        case these([TrackID])
    }

    /// Everything that can happen to the downloads.
    public enum Input: Sendable, Equatable {
        /// Wish for these; failed ones are tried again, all others that are known are left alone.
        case add([Track])
        /// Out of the list with nothing left behind, whatever the state. Done ones stay: their file is My Music's.
        case cancel(Selection)
        /// Waiting and running ones stop; one being finished goes on.
        case pause(Selection)
        /// Paused ones wait again; also ends a full disk's hold.
        case resume(Selection)
        /// Failed ones wait again, those that back off start now; also ends a full disk's hold.
        case retry(Selection)
        /// Done ones leave the list; their files are somebody else's business.
        case forget([TrackID])
        /// What the store had, once at start.
        case restore([Download])

        case progress(TrackID, received: Int64, total: Int64?)
        /// Every byte is there; answered by `.finish`.
        case transferFinished(TrackID)
        /// The file is in My Music.
        case finished(TrackID)
        /// A transfer, or the finishing after it, ended badly.
        case transferFailed(TrackID, Failure)
        /// The same for the trouble of a folder, which every download would meet: away, read-only.
        case placeFailed(TrackID, Failure)
        /// Hosts that downloads will be fetched from, as soon as they are known.
        case located([TrackID: String])
        /// What the listener hears now and next: goes first.
        case listening([TrackID])
        /// What servers asked an earlier run to wait for, by host, counted from now.
        case restoreHolds([String: Duration])
        /// The time of a `.wait` is over. Late or stale ones do no harm.
        case timeUp(TrackID)
        /// The time of a `.hold` is over.
        case holdOver
        /// There is room on the disk again, and the folders can be written.
        case spaceIsBack
        /// Whether the network may be used: offline mode, and what the system says.
        case online(Bool)
        /// Clamped to 1…16.
        case setParallel(Int)
    }

    /// What the downloads ask of the world, in order.
    public enum Effect: Sendable, Equatable {
        /// Write these downloads' state durably.
        case save([TrackID])
        /// Delete these downloads durably.
        case remove([TrackID])
        /// Find a location and fetch the missing bytes; answered by `progress`, `transferFinished`, `transferFailed`.
        case start(Track)
        /// End the transfer without an event; its bytes stay.
        case stop(TrackID)
        /// Verify, tag and move to My Music; answered by `finished` or `transferFailed`.
        case finish(TrackID)
        /// End transfer, timer or finishing, and remove all they left: bytes, temporary files, and a file that was
        /// finished in the same moment. Must not touch a file that was in My Music before.
        case discard(TrackID)
        /// Say `timeUp` after this long; replaces an earlier wait of this download.
        case wait(TrackID, Duration)
        /// Say `holdOver` after this long; replaces an earlier hold.
        case hold(Duration)
        /// Nothing runs or waits any more: worth a notification.
        case batchEnded(finished: Int, failed: Int)
    }

    /// Effects in the making: what must last goes first, each id once.
    struct Outcome {
        private var saved: [TrackID] = []
        private var isSaved: Set<TrackID> = []
        private var removed: [TrackID] = []
        private var acts: [Effect] = []

        mutating func save(_ id: TrackID) {
            if isSaved.insert(id).inserted { saved.append(id) }
        }
        mutating func remove(_ id: TrackID) { removed.append(id) }
        mutating func act(_ effect: Effect) { acts.append(effect) }

        var effects: [Effect] {
            (saved.isEmpty ? [] : [.save(saved)]) + (removed.isEmpty ? [] : [.remove(removed)]) + acts
        }
    }
}
