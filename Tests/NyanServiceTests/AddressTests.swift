import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// Sounds that are no tracks of VK (mpris.md §4.2 OpenUri).
@Suite(.serialized, .timeLimit(.minutes(1)))
struct AddressTests {
    let rig = Rig(signedIn: false)
    nonisolated static let web = "https://h.test/a%20b.mp3?token=topsecret"

    private func track(_ uri: String) throws -> Track { try SoundAddress(uri).track }

    @Test("a file plays from where it is, without account and network, by what it says about itself")
    func file() async throws {
        rig.connectivity.setOfflineMode(true)
        rig.copies.addFile("/m/Кот.flac")
        try await rig.player.open("file:///m/%D0%9A%D0%BE%D1%82.flac")
        #expect(await until { rig.engine.current != nil })
        #expect(rig.player.buffered == 1 && rig.fetcher.starts.isEmpty && rig.source.resolved.isEmpty)
        let entry = try #require(rig.player.state.currentEntry)
        #expect(entry.track.title == "Title of /m/Кот.flac" && entry.track.duration == 200)
        #expect(rig.playback.saved?.entries == [entry], "on disk when it is answered")
    }

    @Test("an address comes over the one byte path, without account, under our own name")
    func web() async throws {
        try await rig.player.open(Self.web)
        #expect(await until { !rig.fetcher.starts.isEmpty })
        let transfer = rig.fetcher.starts[0]
        #expect(transfer.location.url.revealed == Self.web)
        #expect(transfer.userAgent == "nyand/\(Names.version)")
        #expect(rig.source.resolved.isEmpty)
        try transfer.bring(100, of: 1000)
        #expect(await until { rig.engine.current != nil })
        #expect(rig.player.state.currentEntry?.track.title == "a b")
        #expect(rig.player.state.currentEntry?.track.artist == "h.test")
        try transfer.finish()
        #expect(rig.player.buffered == 1)
    }

    @Test("opening keeps the queue: it comes behind the current entry, which was played", arguments: [true, false])
    func keepsQueue(_ shuffled: Bool) async throws {
        let rig = Rig()
        rig.copies.addFile("/m/1.mp3")
        rig.player.perform(.setShuffle(shuffled))
        rig.player.perform(.playTracks((1...4).map { NyanServiceTests.track($0) }, startAt: 1))
        let before = rig.player.state.current
        try await rig.player.open("file:///m/1.mp3")
        #expect(rig.player.state.entries.map(\.track.id.owner) == [7, 7, 0, 7, 7])
        #expect(rig.player.state.currentIndex == 2 && rig.player.state.status == .playing)
        rig.player.perform(.previous)
        #expect(rig.player.state.current == before)
    }

    nonisolated static let bad = [
        ("xyz://h.test/topsecret", "org.freedesktop.DBus.Error.NotSupported"),
        ("topsecret", "org.freedesktop.DBus.Error.InvalidArgs"), ("http://", "org.freedesktop.DBus.Error.InvalidArgs"),
        ("file:///nowhere", "org.freedesktop.DBus.Error.Failed"),
    ]

    @Test("a bad address is refused in words, and what plays is not disturbed", arguments: bad)
    func refused(_ uri: String, _ name: String) async throws {
        let desk = try Desk(rig)
        rig.copies.addFile("/m/1.mp3")
        try await rig.player.open("file:///m/1.mp3")
        #expect(await until { rig.engine.current != nil })
        let (state, calls) = (rig.player.state, rig.engine.calls)
        let error = await #expect(throws: BusError.self) { try await desk.player("OpenUri", .string(uri)) }
        #expect(error?.name == name)
        #expect(error?.message.contains("topsecret") == false)
        #expect(rig.player.state == state && rig.engine.calls == calls)
    }

    @Test("in offline mode an address is refused before anything changes")
    func offline() async throws {
        rig.connectivity.setOfflineMode(true)
        let failure = await #expect(throws: Failure.self) { try await rig.player.open(Self.web) }
        #expect(failure?.code == .offline)
        #expect(rig.player.state == PlaybackState())
    }

    @Test("words of a call may be mixed; what was opened is known by its id; VK is not asked for it")
    func words() async throws {
        rig.copies.addFile("/m/1.mp3")
        rig.library.put(profile: [NyanServiceTests.track(1)], copies: [])
        let words = ["file:///m/1.mp3", "7_1", Self.web]
        let tracks = try await rig.player.tracks(words, knownTo: rig.librarian)
        #expect(tracks.map(\.track.title) == ["Title of /m/1.mp3", "Title 1", "a b"])
        let again = try await rig.player.tracks(tracks.map { "\($0.track.id)" }, knownTo: rig.librarian)
        #expect(again == tracks)
        let unknown = await #expect(throws: Failure.self) {
            _ = try await rig.player.tracks(["0_5"], knownTo: rig.librarian)
        }
        #expect(unknown?.code == .notFound)
        #expect(rig.source.resolved.isEmpty)
    }

    @Test("what has no end is stopped at 1 GiB, in words, and leaves nothing on disk")
    func endless() async throws {
        try await rig.player.open("http://radio.test/")
        #expect(await until { !rig.fetcher.starts.isEmpty })
        let transfer = rig.fetcher.starts[0]
        try transfer.bringOpen(100)
        #expect(await until { rig.engine.current != nil })
        transfer.say(.progress(received: ActiveCopy.mostOfAddress, total: nil))
        #expect(!transfer.isCancelled)
        transfer.say(.progress(received: ActiveCopy.mostOfAddress + 1, total: nil))
        #expect(transfer.isCancelled)
        #expect(rig.player.state.problem == nil, "what is there is heard first")
        rig.engine.say(.hungry(LoadNumber(1), at: .seconds(5)))
        #expect(rig.player.state.problem?.message.contains("radio.test") == true)
        #expect(rig.player.state.status == .stopped)
        #expect(rig.copies.growing.isEmpty)
    }

    @Test("radio that breaks off is not gone on with somewhere else: what is there is heard, then its reason is told")
    func breaksOff() async throws {
        try await rig.player.open("http://radio.test/")
        #expect(await until { !rig.fetcher.starts.isEmpty })
        try rig.fetcher.starts[0].bringOpen(100)
        #expect(await until { rig.engine.current != nil })
        rig.fetcher.starts[0].fail(.noNetwork)
        #expect(rig.player.state.status == .playing)
        rig.engine.say(.hungry(LoadNumber(1), at: .seconds(5)))
        await settle()
        #expect(rig.player.state.status == .stopped && rig.player.state.problem?.code == .network)
        #expect(rig.fetcher.starts.count == 1)
        rig.player.perform(.play)
        #expect(await until { rig.fetcher.starts.count == 2 })
        #expect(rig.fetcher.starts[1].copy.received == 0)
    }

    @Test("what a server gives no name to is not kept, what it does is", arguments: [true, false])
    func kept(_ named: Bool) async throws {
        try await rig.player.open(Self.web)
        #expect(await until { !rig.fetcher.starts.isEmpty })
        let transfer = rig.fetcher.starts[0]
        _ = try transfer.copy.begin(kind: .direct, total: 1000, validator: named ? Validator(etag: "\"1\"") : nil)
        let written: Result<Void, Failure> = [UInt8](repeating: 1, count: 1000).withUnsafeBytes { bytes in
            Result { () throws(Failure) in try transfer.copy.write(bytes, at: 0) }
        }
        try written.get()
        transfer.say(.finished)
        #expect(await until { rig.engine.current != nil })
        rig.player.perform(.stop)
        #expect(rig.copies.growing.isEmpty != named)
    }

    @Test("an announced size beyond that is refused at once")
    func tooLarge() async throws {
        try await rig.player.open(Self.web)
        #expect(await until { !rig.fetcher.starts.isEmpty })
        rig.fetcher.starts[0].say(.progress(received: 10, total: 5 << 30))
        #expect(rig.player.state.problem?.code == .unsupported)
        #expect(rig.player.state.problem?.message.contains("token") == false)
    }

    @Test("an address that is refused is not asked for again under a fresh one, and VK is not blamed")
    func gone() async throws {
        try await rig.player.open(Self.web)
        #expect(await until { !rig.fetcher.starts.isEmpty })
        rig.fetcher.starts[0].fail(Failure(.expiredLocation, "h.test no longer gives this track (404)."))
        await settle()
        #expect(rig.fetcher.starts.count == 1)
        #expect(rig.player.state.problem?.code == .unavailableTrack)
        #expect(rig.player.state.problem?.message == "h.test no longer gives this track (404).")
    }

    @Test("it cannot be downloaded, and the others that were named with it can")
    func noDownload() async throws {
        let rig = Rig()
        await rig.account.ready()
        rig.copies.addFile("/m/1.mp3")
        rig.library.put(profile: [NyanServiceTests.track(1)], copies: [])
        await rig.downloads.restore()
        let id = try await rig.player.tracks(["file:///m/1.mp3"], knownTo: rig.librarian)[0].track.id.description
        let frontend = DownloadsFrontend(downloads: rig.downloads, library: rig.librarian)
        let line = try Line(NyandInterfaces.downloads, frontend)
        let alone = await #expect(throws: BusError.self) { _ = try await line.call("Add", [.strings([id])]) }
        #expect(alone.flatMap { FailureCoding.failure($0) }?.code == .unsupported)
        let answer = try await line.call("Add", [.strings([id, "7_1"])])
        #expect(answer[0] == .uint32(1))
        #expect(answer[1].elements?.map { $0[0]?.string } == [id])
        #expect(rig.downloads.list.map(\.id) == [NyanServiceTests.track(1).id])
    }

    @Test("what desktops are told can be opened is what can be")
    func supported() {
        let frontend = MPRISRootFrontend(quit: {})
        #expect(frontend.get("SupportedUriSchemes") == .strings(["file", "http", "https"]))
        #expect(frontend.get("SupportedMimeTypes")?.strings?.contains("audio/flac") == true)
    }

    @Test("metadata show an address without user and query")
    func metadata() throws {
        let entry = Entry(id: EntryID(1), track: try track("https://u:p@h.test/a.mp3?token=topsecret"))
        let map = MetadataCoding.metadata(of: entry, length: nil, coverPath: nil)
        #expect(map["xesam:url"] == .string("https://h.test/a.mp3"))
    }
}
