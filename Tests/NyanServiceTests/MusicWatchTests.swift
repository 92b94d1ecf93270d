import NyanCore
import NyanTestKit
import Synchronization
import Testing

@testable import NyanService

/// When the music folder is looked at, and what a look does besides.
@Suite("My Music by hand", .timeLimit(.minutes(1)))
struct MusicWatchTests {
    let rig = Rig()
    private let world = FolderWorld()
    private let signals = FakeSignals()
    private let watch: MusicWatch

    init() {
        watch = MusicWatch(
            sight: world, ledger: world, library: rig.library, downloads: rig.downloads, signals: signals,
            hub: rig.hub, time: rig.time, log: Log(level: .error))
    }

    @Test("Many changes are one look, when they have come to rest; endless ones are looked at all the same")
    func settles() async throws {
        await watch.start()
        let first = world.looks
        for _ in 0..<5 {
            signals.onChange()
            #expect(await until { rig.time.waits.count == 1 })
            rig.time.advance(by: .milliseconds(400))
        }
        #expect(world.looks == first)
        #expect(
            await until {
                rig.time.advance(by: .milliseconds(700))
                return world.looks > first
            })
        await settle()
        let second = world.looks
        #expect(rig.time.waits.isEmpty, "nothing runs while nothing changes")
        let restless = rig.time.now
        while world.looks == second, rig.time.now - restless < .seconds(30) {
            signals.onChange()
            #expect(await until { rig.time.waits.count == 1 })
            signals.onChange()
            rig.time.advance(by: .milliseconds(700))
            await settle()
        }
        #expect(world.looks > second && rig.time.now - restless < .seconds(8))
    }

    @Test("What is gone leaves the download list as well, and readers are told")
    func gone() async throws {
        world.copies = [1, 2].map { FinishedCopy(id: track($0).id, path: "/m/\($0).mp3", bytes: 1) }
        rig.library.put(
            profile: [track(1), track(2)],
            downloads: [1, 2].map { Download(track: track($0), state: .done, order: $0) }, copies: world.copies)
        await rig.downloads.restore()
        world.files = ["/m/1.mp3"]
        rig.hub.flush()
        await watch.start()
        #expect(rig.downloads.list.map(\.id) == [track(1).id])
        #expect(world.taken.last?.gone.map(\.id) == [track(2).id])
        rig.hub.flush()
        #expect(rig.told.last?.contains(.library) == true)
    }

    @Test("A folder that is away is known again as the same one, and another one in its place is not")
    func identity() async throws {
        world.copies = [FinishedCopy(id: track(1).id, path: "/m/1.mp3", bytes: 1)]
        world.files = ["/m/1.mp3"]
        await watch.start()
        (world.files, world.identity) = ([], "other")
        await watch.start()
        #expect(world.taken.last?.isAway == true)
        (world.files, world.identity) = ([], "first")
        await watch.start()
        #expect(world.taken.last?.isAway == false && world.taken.last?.gone.count == 1)
    }

    @Test("What could not be written is looked at again, and only then does the clock run")
    func failure() async throws {
        world.failure = Failure(.diskFull, "no room")
        await watch.start()
        #expect(await until { rig.time.waits == [.seconds(60)] })
        let before = world.looks
        world.failure = nil
        rig.time.advance(by: .seconds(60))
        #expect(await until { world.looks > before })
        await settle()
        #expect(rig.time.waits.isEmpty)
    }

    @Test("A folder that cannot be read forgets nothing, and is looked at again")
    func blind() async throws {
        world.copies = [FinishedCopy(id: track(1).id, path: "/m/1.mp3", bytes: 1)]
        world.blindness = Failure(.fileAccess, "too many open files")
        await watch.start()
        #expect(world.taken.isEmpty)
        #expect(await until { rig.time.waits == [.seconds(60)] })
        world.blindness = nil
        world.files = ["/m/1.mp3"]
        rig.time.advance(by: .seconds(60))
        #expect(await until { world.taken.count == 1 })
        #expect(world.taken.last?.gone.isEmpty == true)
    }

    @Test("A file that came to its old path while the folder was looked at is not forgotten")
    func returned() async throws {
        world.copies = [1, 2, 3].map { FinishedCopy(id: track($0).id, path: "/m/\($0).mp3", bytes: 1) }
        world.files = ["/m/1.mp3"]
        world.returned = ["/m/2.mp3"]
        await watch.start()
        #expect(world.taken.last?.gone.map(\.id) == [track(3).id])
    }

    @Test("Folders that were not listened to before are looked at once more")
    func listens() async throws {
        signals.answers = [true, false]
        await watch.start()
        #expect(world.looks == 2 && signals.answers.isEmpty)
    }
}

/// A music folder and what the library has of it, in memory.
private nonisolated final class FolderWorld: MusicSight, CopyLedger {
    private struct State {
        var copies: [FinishedCopy] = []
        var files: [String] = []
        var identity = "first"
        var looks = 0
        var taken: [FolderChanges] = []
        var failure: Failure?
        var blindness: Failure?
        var returned: [String] = []
    }

    private let state = Mutex(State())
    var copies: [FinishedCopy] {
        get { state.withLock { $0.copies } }
        set { state.withLock { $0.copies = newValue } }
    }
    var files: [String] {
        get { state.withLock { $0.files } }
        set { state.withLock { $0.files = newValue } }
    }
    var identity: String {
        get { state.withLock { $0.identity } }
        set { state.withLock { $0.identity = newValue } }
    }
    /// What keeps a look from being written down; nil = nothing.
    var failure: Failure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }
    /// What keeps a look from seeing anything; nil = nothing.
    var blindness: Failure? {
        get { state.withLock { $0.blindness } }
        set { state.withLock { $0.blindness = newValue } }
    }
    /// Files that came since the look.
    var returned: [String] {
        get { state.withLock { $0.returned } }
        set { state.withLock { $0.returned = newValue } }
    }
    var looks: Int { state.withLock { $0.looks } }
    var taken: [FolderChanges] { state.withLock { $0.taken } }

    func look() async throws(Failure) -> FolderSight {
        if let blindness { throw blindness }
        return state.withLock { state in
            state.looks += 1
            return FolderSight(
                folder: "/m", identity: state.identity,
                files: state.files.map { SeenFile(path: $0, bytes: 1, modified: 1) })
        }
    }
    func identify(_ files: [SeenFile]) async -> [SeenFile] { files }
    func absent(of copies: [FinishedCopy]) async -> Absence {
        let there = Set(files + returned)
        return Absence(missing: Set(copies.filter { !there.contains($0.path) }.map(\.id)))
    }
    func describe(_ copy: FinishedCopy) async -> Track? { nil }
    func finishedCopies() async throws(Failure) -> [FinishedCopy] { copies }
    func seenFiles() async throws(Failure) -> [SeenFile] { [] }
    func take(_ changes: FolderChanges, described: [Track]) async throws(Failure) -> [TrackID] {
        if let failure { throw failure }
        state.withLock { $0.taken.append(changes) }
        return changes.gone.map(\.id)
    }
}

/// The kernel's word, spoken by a test.
private final class FakeSignals: FolderSignals {
    var onChange: () -> Void = {}
    /// What `listen` answers next.
    var answers: [Bool] = []
    func listen(to folder: String, _ subfolders: [String]) async -> Bool {
        answers.isEmpty ? false : answers.removeFirst()
    }
    func takeDeleted() -> Set<String> { [] }
}
