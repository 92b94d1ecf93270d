public import NyanCore
import NyanDBus

/// What became of an import.
public struct ImportOutcome: Sendable, Equatable {
    public struct Skipped: Sendable, Equatable {
        /// Absolute.
        public var path: String
        public var reason: String
        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// New in My Music.
    public var imported = 0
    /// There already: the same sound, or a copy of the same track of VK.
    public var known = 0
    public var skipped = 0
    /// Those that are named, the first ones of them.
    public var named: [Skipped] = []
    /// What kept the rest from being looked at, such as a full disk.
    public var stopped: Failure?

    public init() {}
}

/// Takes a folder's files into My Music: copied, named as downloads are, known by an id of their own (0022).
public final class ImportService {
    /// Told after each file: how many of how many are through; nil when it is over.
    public var onProgress: ((done: Int, total: Int)?) -> Void = { _ in }
    /// Told which files are new in My Music, as they come.
    public var onTaken: ([FinishedCopy]) -> Void = { _ in }
    private let importer: any MusicImporter
    private let store: any ImportStore
    private let library: any LibraryStore
    private let fileNameTemplate: () -> String
    private let hub: EventHub
    private let log: Log
    private var run: Run?

    /// Files that are worked on at once: one is read while another one is written.
    private static let parallel = 2
    /// Copies that become known in one transaction.
    private static let batch = 40
    /// Skipped ones that are named in the answer; more say nothing more to a person.
    private static let mostNamed = 2000

    /// One import on its way.
    private final class Run {
        var candidates: [ImportCandidate] = []
        var next = 0
        var done = 0
        var outcome = ImportOutcome()
        var waiting: [DescribedCopy] = []
        /// Whose sound was met: the same file twice is one.
        var met: Set<TrackID> = []
        var isStopped = false
        let isWanted: () -> Bool
        init(isWanted: @escaping () -> Bool) { self.isWanted = isWanted }
    }

    public init(
        importer: any MusicImporter, store: any ImportStore, library: any LibraryStore,
        fileNameTemplate: @escaping () -> String, hub: EventHub, log: Log
    ) {
        self.importer = importer
        self.store = store
        self.library = library
        self.fileNameTemplate = fileNameTemplate
        self.hub = hub
        self.log = log
    }

    /// Whether files are being taken.
    public var isImporting: Bool { run != nil }

    /// Ends it after the files that are in work; what was taken stays.
    public func stop() { run?.isStopped = true }

    /// `folder`: absolute. `isWanted`: false once nobody waits for it any more.
    /// - Throws: where nothing was begun. What ends it later stands in the outcome.
    public func importFolder(
        _ folder: String, isWanted: @escaping () -> Bool = { true }
    ) async throws(Failure) -> ImportOutcome {
        // Waiting for the other one would not help a folder that is not there.
        if run != nil { try await importer.look(for: folder) }
        guard run == nil else {
            throw Failure(.conflict, "another import is running: wait until it is done", retry: .later)
        }
        // Before the walk, which may take long: whoever stops it then means this one.
        let run = Run(isWanted: isWanted)
        self.run = run
        defer {
            self.run = nil
            onProgress(nil)
        }
        run.candidates = try await importer.candidates(in: folder)
        let workers = (0..<Self.parallel).map { _ in Task.onMain { await self.work(on: run) } }
        for worker in workers { await worker.value }
        await flush(run)
        if isStopped(run), run.outcome.stopped == nil, run.next < run.candidates.count {
            run.outcome.stopped = Failure(.cancelled, "the import was stopped")
        }
        let outcome = run.outcome
        log.info("import: \(outcome.imported) taken, \(outcome.known) known, \(outcome.skipped) skipped")
        return outcome
    }

    private func isStopped(_ run: Run) -> Bool { run.isStopped || !run.isWanted() }

    private func work(on run: Run) async {
        while !isStopped(run), run.outcome.stopped == nil, run.next < run.candidates.count {
            let candidate = run.candidates[run.next]
            run.next += 1
            do throws(Failure) {
                try await take(candidate, run)
            } catch {
                note(error, at: candidate, run)
            }
            run.done += 1
            onProgress((run.done, run.candidates.count))
        }
    }

    private func take(_ candidate: ImportCandidate, _ run: Run) async throws(Failure) {
        let sound = try await importer.identify(candidate)
        let id = sound.track.id
        guard run.met.insert(id).inserted else {
            run.outcome.known += 1
            return
        }
        if let copy = try await library.copy(of: id), await copy.sight == .there {
            run.outcome.known += 1
            return
        }
        let name = FileName.make(
            template: fileNameTemplate(), track: sound.track, fileExtension: sound.fileExtension)
        let copy: FinishedCopy
        do throws(Failure) {
            copy = try await importer.take(sound, fileName: name)
        } catch {
            run.met.remove(id)
            // Files that cannot be read were met before; this one could not be written, as the next ones could not.
            if error.code == .fileAccess || error.code == .diskFull {
                run.outcome.stopped = run.outcome.stopped ?? error
                return
            }
            throw error
        }
        run.outcome.imported += 1
        run.waiting.append(DescribedCopy(copy: copy, track: sound.track))
        if run.waiting.count >= Self.batch { await flush(run) }
    }

    /// Makes known what was copied.
    private func flush(_ run: Run) async {
        guard !run.waiting.isEmpty else { return }
        let copies = run.waiting
        run.waiting = []
        do throws(Failure) {
            try await store.take(copies)
            hub.changed(.library)
            onTaken(copies.map(\.copy))
        } catch {
            // The files are there, and the next import finds them under their names.
            run.outcome.imported -= copies.count
            run.outcome.stopped = run.outcome.stopped ?? error
        }
    }

    private func note(_ failure: Failure, at candidate: ImportCandidate, _ run: Run) {
        run.outcome.skipped += 1
        guard run.outcome.named.count < Self.mostNamed else { return }
        run.outcome.named.append(.init(path: candidate.shown, reason: failure.message))
    }
}
