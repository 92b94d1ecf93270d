public import NyanCore
import NyanDBus

// A full disk, and folders that are away or cannot be written: every download would meet that, so the list waits, says
// why, and goes on by itself (field-issues.md C7).
extension DownloadService {
    /// Room beyond what the download needs, for its tag, its cover and the database.
    static let roomMargin: Int64 = 1 << 20
    /// Taken for a download whose size is not known yet.
    private static let usualSize: Int64 = 1 << 20

    /// What keeps the list from being written, in words for a person; nil = nothing.
    public var problem: Failure? {
        guard var trouble = machine.placeTrouble else { return nil }
        let waiting = machine.downloads.count { $0.state == .waiting }
        let rest =
            switch waiting {
            case 0: "the download goes on by itself"
            case 1: "1 download waits and goes on by itself"
            default: "\(waiting) downloads wait and go on by themselves"
            }
        trouble.message = "\(trouble.message); \(rest) when that is over"
        trouble.subject = nil
        return trouble
    }

    /// A download could not be written. Where the folder is at fault that is every download's trouble.
    func judgePlace(_ id: TrackID, _ failure: Failure) {
        guard failure.code == .fileAccess, let rooms else { return handle(.transferFailed(id, failure)) }
        let mine = starts[id]
        Task.onMain { [self] in
            let faulty = await rooms.rooms().first { $0.room == .away || $0.room == .closed }
            // A disk may answer late, when another attempt runs.
            guard starts[id] == mine else { return }
            guard let faulty else { return handle(.transferFailed(id, failure)) }
            var failure = failure
            failure.message =
                faulty.room == .away
                ? "\(faulty.folder) is not there; is its disk mounted?" : "\(faulty.folder) cannot be written"
            handle(.placeFailed(id, failure))
        }
    }

    /// Called after everything that may begin or end the hold.
    func lookAtPlace() {
        let trouble = machine.placeTrouble
        guard trouble != heldBy else { return }
        let isFirst = heldBy == nil
        heldBy = trouble
        // Each waiting one has another reason now.
        if isFirst || trouble == nil {
            changed.formUnion(machine.downloads.lazy.filter { $0.state == .waiting }.map(\.id))
        }
        hub.changed(.playback)
        guard let trouble else { return space.end() }
        if isFirst { log.warning("the downloads wait: \(trouble.message)") }
        guard let rooms else { return }
        space.begin(
            atOnce: machine.isFresh,
            { [weak self] in
                let seen = await rooms.rooms()
                return self?.isRoom(in: seen) ?? true
            },
            then: { [weak self] in
                self?.log.notice("the downloads go on: what they waited for is over")
                self?.writeLate()
                self?.handle(.spaceIsBack)
            })
    }

    /// Paused, or held by the folders' trouble.
    var standingStill: [TrackID] {
        let isHeld = machine.placeTrouble != nil
        return machine.downloads.filter { download in
            switch download.state {
            case .paused: true
            case .waiting: isHeld
            case .failed: isHeld && download.failure.map(DownloadMachine.isOfPlace) == true
            case .running, .done: false
            }
        }.map(\.id)
    }

    /// Those of which a person may say that they be tried again: whoever shows a reason.
    var retriable: Set<TrackID> { Set(shown.filter(\.isInTrouble).map(\.id)) }

    /// Whether the downloads that met the trouble can be written now.
    private func isRoom(in rooms: [FolderRoom]) -> Bool {
        let met = machine.downloads.filter {
            $0.state == .failed && $0.failure.map(DownloadMachine.isOfPlace) == true
        }
        // One of them is enough to go on with.
        let size = met.map { $0.total ?? max($0.received, Self.usualSize) }.min() ?? Self.usualSize
        let missing = met.map { ($0.total ?? Self.usualSize) - $0.received }.min() ?? Self.usualSize
        return rooms.allSatisfy { place in
            guard case .free(let bytes) = place.room else { return false }
            return bytes >= max(0, place.purpose == .music ? size : missing) + Self.roomMargin
        }
    }
}

extension Download {
    /// Failed, or waits for a reason.
    var isInTrouble: Bool { state == .failed || state == .waiting && failure != nil }
}
