import NyanCore
import NyanDBus
import NyanService
import NyanTestKit
import Synchronization
import Testing

/// Files whose sound is the number in their name; what becomes of each is told by the test.
private nonisolated final class ScriptedImporter: MusicImporter {
    let files: [String]
    let identifying: @Sendable (Int) throws(Failure) -> Void
    let taking: @Sendable (Int) async throws(Failure) -> Void
    /// Holds up the walk.
    let latch = Latch()

    init(
        _ files: [String], identifying: @escaping @Sendable (Int) throws(Failure) -> Void = { _ in },
        taking: @escaping @Sendable (Int) async throws(Failure) -> Void = { _ in }
    ) {
        self.files = files
        self.identifying = identifying
        self.taking = taking
    }

    func look(for folder: String) async throws(Failure) {
        if folder == "/absent" { throw Failure(.notFound, "there is no folder /absent") }
    }

    func candidates(in folder: String) async throws(Failure) -> [ImportCandidate] {
        await latch.pass()
        return files.map { ImportCandidate(path: Array("\(folder)/\($0)".utf8)) }
    }

    func identify(_ candidate: ImportCandidate) async throws(Failure) -> ImportedSound {
        let name = candidate.shown.split(separator: "/").last ?? ""
        let number = Int(name.prefix { $0.isNumber }) ?? 0
        try identifying(number)
        let track = Track(id: TrackID(owner: 0, audio: Int64(number)), artist: "A", title: "\(number)")
        return ImportedSound(candidate: candidate, kind: .mp3, track: track, isCyrillic: false)
    }

    func take(_ sound: ImportedSound, fileName: String) async throws(Failure) -> FinishedCopy {
        try await taking(Int(sound.track.id.audio))
        return FinishedCopy(id: sound.track.id, path: "/nonexistent/music/\(fileName)", bytes: 10)
    }
}

/// Takes what it is given into the rig's library.
private nonisolated final class ScriptedStore: ImportStore {
    private let taken = Mutex<[Int]>([])
    var batches: [Int] { taken.withLock { $0 } }
    private let library: MemoryLibrary
    private let failure: Failure?

    init(_ library: MemoryLibrary, failure: Failure? = nil) {
        self.library = library
        self.failure = failure
    }

    func take(_ copies: [DescribedCopy]) async throws(Failure) {
        if let failure { throw failure }
        taken.withLock { $0.append(copies.count) }
        try await library.remember(copies.map(\.track))
        for described in copies { try await library.addCopy(described.copy) }
    }
}

@Suite("Import", .timeLimit(.minutes(1)))
struct ImportServiceTests {
    let rig = Rig()

    private func service(_ importer: ScriptedImporter, _ store: ScriptedStore? = nil) -> ImportService {
        ImportService(
            importer: importer, store: store ?? ScriptedStore(rig.library), library: rig.library,
            fileNameTemplate: { "{title}" }, hub: rig.hub, log: Log(level: .error))
    }

    @Test("Each sound is taken once, what cannot be read is named, and the library hears of it")
    func mixed() async throws {
        let importer = ScriptedImporter(
            ["1.mp3", "2.mp3", "1 again.mp3", "3.mp3"],
            identifying: { number throws(Failure) in
                if number == 3 { throw Failure(.damagedSound, "it is damaged") }
            })
        let outcome = try await service(importer).importFolder("/theirs")
        #expect(outcome.imported == 2 && outcome.known == 1 && outcome.stopped == nil)
        #expect(outcome.skipped == 1 && outcome.named == [.init(path: "/theirs/3.mp3", reason: "it is damaged")])
        #expect(try await rig.library.copy(of: TrackID(owner: 0, audio: 2))?.path == "/nonexistent/music/2.mp3")
    }

    @Test("Thousands become known in few transactions")
    func batches() async throws {
        let store = ScriptedStore(rig.library)
        let outcome = try await service(ScriptedImporter((1...200).map { "\($0).mp3" }), store).importFolder("/t")
        #expect(outcome.imported == 200 && store.batches.reduce(0, +) == 200 && store.batches.count <= 6)
    }

    @Test(
        "A full disk ends it at once; what was taken before is known", arguments: [Failure.Code.diskFull, .fileAccess])
    func full(_ code: Failure.Code) async throws {
        let importer = ScriptedImporter(
            (1...50).map { "\($0).mp3" },
            taking: { number throws(Failure) in
                if number >= 10 { throw Failure(code, "no room") }
            })
        let outcome = try await service(importer).importFolder("/t")
        #expect(outcome.imported == 9 && outcome.skipped == 0 && outcome.stopped?.code == code)
        #expect(try await rig.library.copy(of: TrackID(owner: 0, audio: 9)) != nil)
        #expect(try await rig.library.copy(of: TrackID(owner: 0, audio: 10)) == nil)
    }

    @Test("A library that cannot be written ends it, and nothing counts as imported")
    func noLibrary() async throws {
        let store = ScriptedStore(rig.library, failure: Failure(.diskFull, "no room"))
        let outcome = try await service(ScriptedImporter(["1.mp3"]), store).importFolder("/t")
        #expect(outcome.imported == 0 && outcome.stopped?.code == .diskFull)
    }

    /// Asks for an import from within another one.
    private final class Second {
        var imports: ImportService?
        private(set) var failure: Failure?

        func begin() async {
            do throws(Failure) { _ = try await imports?.importFolder("/u") } catch { failure = error }
        }
    }

    @Test("It stops between two files, a second one beside it is refused, and progress is told to its end")
    func stopped() async throws {
        let second = Second()
        let importer = ScriptedImporter(
            (1...100).map { "\($0).mp3" },
            taking: { number throws(Failure) in if number == 5 { await second.begin() } })
        let imports = service(importer)
        second.imports = imports
        var told: [Int] = []
        imports.onProgress = { progress in
            told.append(progress?.done ?? -1)
            if progress?.done == 7 { imports.stop() }
        }
        let outcome = try await imports.importFolder("/t")
        #expect(second.failure?.code == .conflict)
        #expect(outcome.stopped?.code == .cancelled && (7...9).contains(outcome.imported))
        #expect(told.first == 1 && told.last == -1)
        #expect(!imports.isImporting)
    }

    @Test("Whoever leaves while the folder is walked through stops it, and only that one", arguments: [true, false])
    func left(byStop: Bool) async throws {
        let importer = ScriptedImporter((1...9).map { "\($0).mp3" })
        let imports = service(importer)
        importer.latch.shut()
        var isWanted = true
        let first = Task { try? await imports.importFolder("/t", isWanted: { isWanted }) }
        #expect(await until { importer.latch.held == 1 })
        for (folder, code) in [("/u", Failure.Code.conflict), ("/absent", .notFound)] {
            let refusal = await #expect(throws: Failure.self) { try await imports.importFolder(folder) }
            #expect(refusal?.code == code, "what is not there is not worth waiting for")
        }
        if byStop { imports.stop() } else { isWanted = false }
        importer.latch.open()
        let outcome = await first.value
        #expect(outcome?.imported == 0 && outcome?.stopped?.code == .cancelled)
        #expect(try await imports.importFolder("/t").imported == 9)
    }

    @Test("All that was skipped counts, also where only the first thousands are named")
    func many() async throws {
        let importer = ScriptedImporter(
            (1...2100).map { "\($0).mp3" },
            identifying: { _ throws(Failure) in throw Failure(.damagedSound, "it is damaged") })
        let outcome = try await service(importer).importFolder("/t")
        #expect(outcome.skipped == 2100 && outcome.named.count == 2000)
    }
}

@Suite("Imported tracks", .timeLimit(.minutes(1)))
struct ImportedTrackTests {
    @Test("One whose file is gone is refused with that reason, and VK is not asked")
    func gone() async throws {
        let rig = Rig()
        let track = Track(id: TrackID(owner: 0, audio: 77), artist: "A", title: "T")
        rig.player.perform(.playNow([track]))
        #expect(await until { rig.player.state.problem != nil })
        #expect(rig.player.state.problem?.code == .unavailableTrack)
        #expect(rig.player.state.problem?.message.contains("gone") == true)
    }

    @Test(
        "A place that takes no more ends an export; a file that cannot be read is refused alone, with its code",
        arguments: [(Failure.Code.diskFull, true), (.fileAccess, true), (.damagedSound, false), (.notFound, false)])
    func exportTrouble(code: Failure.Code, ends: Bool) async throws {
        let rig = Rig()
        let ids = [1, 2].map { TrackID(owner: 1, audio: $0) }
        for id in ids { try await rig.library.addCopy(FinishedCopy(id: id, path: "/m/\(id).mp3", bytes: 1)) }
        let exports = ExportService(
            exporter: TroubledExporter(code: code), library: rig.library, fileNameTemplate: { "{title}" })
        let outcome = try await exports.export(ids, to: "/nowhere")
        #expect(outcome.stopped?.code == (ends ? code : nil))
        #expect(outcome.refused.map(\.code) == (ends ? [] : [code, code]))
    }

    @Test("Exporting what is not there tells how to get it, where that can be")
    func export() async throws {
        let rig = Rig()
        let exports = ExportService(exporter: NoExporter(), library: rig.library, fileNameTemplate: { "{title}" })
        let ids = [TrackID(owner: 1, audio: 5), TrackID(owner: 0, audio: 5)]
        let outcome = try await exports.export(ids, to: "/nowhere")
        #expect(outcome.exported == 0 && outcome.refused.map(\.id) == ids)
        #expect(outcome.refused[0].reason.contains("nyanctl download 1_5"))
        #expect(!outcome.refused[1].reason.contains("download"))
    }
}

/// A folder of which each file meets the same.
private nonisolated struct TroubledExporter: MusicExporter {
    let code: Failure.Code
    func prepare(folder: String) async throws(Failure) {}
    func export(
        _ copy: FinishedCopy, as fileName: String, to folder: String
    ) async throws(Failure) -> (path: String, wasThere: Bool) { throw Failure(code, "no") }
}

/// Nothing comes to it.
private nonisolated final class NoExporter: MusicExporter {
    func prepare(folder: String) async throws(Failure) { throw Failure(.internal, "not to be called") }
    func export(
        _ copy: FinishedCopy, as fileName: String, to folder: String
    ) async throws(Failure) -> (path: String, wasThere: Bool) { throw Failure(.internal, "not to be called") }
}
