public import NyanCore
import NyanDBus

/// Sees to it that the library knows what was done to My Music's files by hand: moved, renamed, edited, taken away,
/// brought back. It looks at the start and when the folder changes, and touches no file and nothing at VK.
public final class MusicWatch {
    /// A person who moves many files, or a disk that comes, is given this long to come to rest.
    static let rest = Duration.milliseconds(700)
    /// However restless the folder is, it is looked at after this long.
    static let longest = Duration.seconds(5)
    /// After a look that came to nothing.
    static let patience = Duration.seconds(60)
    private static let identityNote = "music-folder"

    private let sight: any MusicSight
    private let ledger: any CopyLedger
    private let library: any LibraryStore
    private let downloads: DownloadService
    private let signals: (any FolderSignals)?
    private let hub: EventHub
    private let time: any TimeSource
    private let log: Log
    private var waiting: Task<Void, Never>?
    private var looking: Task<Void, Never>?
    private var again: Task<Void, Never>?
    private var isFailing = false
    /// Changes heard of so far.
    private var heard = 0
    /// The folder or its disk is away, while it should hold files; nil = all is well.
    public private(set) var problem: Failure?
    private var deleted: Set<String> = []
    /// Told of each look's size, to give back what a large one took.
    public var onLook: (_ files: Int) -> Void = { _ in }

    public init(
        sight: any MusicSight, ledger: any CopyLedger, library: any LibraryStore, downloads: DownloadService,
        signals: (any FolderSignals)?, hub: EventHub, time: any TimeSource, log: Log
    ) {
        self.sight = sight
        self.ledger = ledger
        self.library = library
        self.downloads = downloads
        self.signals = signals
        self.hub = hub
        self.time = time
        self.log = log
        signals?.onChange = { [weak self] in self?.changed() }
    }

    /// Looks at what was done while nyand did not run, and listens from then on. Also after another folder was set.
    public func start() async { await look() }

    /// Something in the folder changed: it is looked at when it has come to rest.
    public func changed() {
        heard += 1
        guard waiting == nil else { return }
        let begin = time.now
        waiting = Task.onMain { [weak self, time] in
            while true {
                guard let before = self?.heard else { return }
                do { try await time.wait(for: Self.rest) } catch { return }
                if self?.heard == before || time.now - begin >= Self.longest { break }
            }
            self?.waiting = nil
            await self?.look()
        }
    }

    /// One look at a time; whoever asks for one gets one that began after.
    private func look() async {
        let before = looking
        let task = Task.onMain { [self] in
            await before?.value
            do throws(Failure) {
                try await lookOnce()
                isFailing = false
            } catch {
                failed(error)
            }
        }
        looking = task
        await task.value
    }

    /// The folder could not be read, or what was found not be written: it is looked at again later.
    private func failed(_ failure: Failure) {
        if !isFailing { log.warning("My Music: \(failure.message)") }
        isFailing = true
        again?.cancel()
        again = Task.onMain { [weak self, time] in
            do { try await time.wait(for: Self.patience) } catch { return }
            await self?.look()
        }
    }

    private func lookOnce() async throws(Failure) {
        deleted.formUnion(signals?.takeDeleted() ?? [])
        // Read before the look: what is finished meanwhile is then seen as found, never as missing.
        let copies = try await ledger.finishedCopies()
        let found = try await listeningSight()
        let reckoning = FolderReckoning(copies: copies, sight: found, seen: try await ledger.seenFiles())
        let identified = await sight.identify(reckoning.unknown)
        let absent = await sight.absent(of: reckoning.elsewhere)
        var changes = reckoning.changes(
            identified: identified, isSameFolder: await isSame(found), deleted: deleted, absent: absent)
        deleted = []
        await leaveOut(from: &changes, found)
        onLook(found.files.count)
        tellAway(changes.isAway ? found.folder : nil)
        let forgotten = try await ledger.take(changes, described: await describe(changes.found))
        if !changes.isAway, !found.files.isEmpty { await note(found) }
        if !forgotten.isEmpty { await downloads.forgetGone(forgotten) }
        if changes.touchesLibrary {
            tell(changes, forgotten)
            hub.changed(.library)
        }
    }

    /// Listens first and looks then; where folders were new to the kernel's list, what came in between is seen by
    /// another look.
    private func listeningSight() async throws(Failure) -> FolderSight {
        var found = try await sight.look()
        for _ in 0..<3 {
            guard await signals?.listen(to: found.folder, found.subfolders) == true else { break }
            found = try await sight.look()
        }
        return found
    }

    /// A file that came anew to the path it had since the library was read is not gone.
    private func leaveOut(from changes: inout FolderChanges, _ found: FolderSight) async {
        guard !changes.gone.isEmpty else { return }
        // Where another file was seen in its place, a file is there for good.
        let seen = Set(found.files.map(\.path))
        let absent = await sight.absent(of: changes.gone.filter { !seen.contains($0.path) })
        changes.gone.removeAll { !seen.contains($0.path) && !absent.missing.contains($0.id) }
    }

    private func key(_ sight: FolderSight) -> String? { sight.identity.map { "\($0) \(sight.folder)" } }

    private func isSame(_ sight: FolderSight) async -> Bool {
        guard let key = key(sight) else { return false }
        return (try? await library.note(Self.identityNote)) == key
    }

    private func note(_ sight: FolderSight) async {
        guard await !isSame(sight) else { return }
        try? await library.setNote(Self.identityNote, key(sight))
    }

    private func describe(_ found: [FinishedCopy]) async -> [Track] {
        guard !found.isEmpty, let known = try? await library.tracks(found.map(\.id)) else { return [] }
        let ids = Set(known.map(\.track.id))
        var tracks: [Track] = []
        for copy in found where !ids.contains(copy.id) {
            if let track = await sight.describe(copy) { tracks.append(track) }
        }
        return tracks
    }

    private func tellAway(_ folder: String?) {
        guard (folder != nil) != (problem != nil) else { return }
        if let folder {
            problem = Failure(
                .fileAccess,
                "the files of My Music are away as a whole: is the disk of \(folder) mounted? Nothing is forgotten, and "
                    + "nothing is downloaded again.")
            log.warning(problem?.message ?? "")
        } else {
            problem = nil
            log.notice("My Music is there again")
        }
        hub.changed(.playback)
    }

    private func tell(_ changes: FolderChanges, _ forgotten: [TrackID]) {
        let counts = [
            (changes.moved.count, "moved"), (changes.edited.count, "changed"), (forgotten.count, "taken away"),
            (changes.found.count, "found"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "file" : "files") \($0.1)" }
        if !words.isEmpty { log.notice("My Music: \(words.joined(separator: ", ")) by hand") }
    }
}
