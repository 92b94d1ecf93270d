import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// What a desktop hears on the bus, row by row of mpris.md §4.5: a real bus, one who serves and one who listens.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SignalTests {
    let rig: Rig
    let desk: Desk

    init() throws {
        rig = Rig()
        desk = try Desk(rig)
    }

    /// A queue of three that plays its first track, all of it there.
    private func playing() async throws {
        try await rig.play([track(1), track(2), track(3)])
        _ = try await desk.listen {}
    }

    @Test("A queue is loaded while nothing plays: what can be done now and the current track, in one signal")
    func loaded() async throws {
        let heard = try await desk.listen { rig.player.perform(.add([track(1), track(2)], next: false)) }
        #expect(heard.count == 1)
        #expect(heard.first?.names == ["CanPlay", "CanPause", "CanGoNext", "Metadata"])
        #expect(heard.first?["Metadata"]?["mpris:trackid"] == .objectPath(MetadataCoding.trackID(of: EntryID(1))))
    }

    @Test("Play from stopped: the status, and that one can seek now")
    func play() async throws {
        rig.player.perform(.add([track(1)], next: false))
        let heard = try await desk.listen { try await desk.player("Play") }
        #expect(
            heard == [.changed(["PlaybackStatus": .string("Playing"), "CanSeek": .bool(true)], invalidated: [])])
    }

    @Test("Pause and resume: the status alone")
    func pause() async throws {
        try await playing()
        let paused = try await desk.listen { try await desk.player("PlayPause") }
        #expect(paused == [.changed(["PlaybackStatus": .string("Paused")], invalidated: [])])
        let resumed = try await desk.listen { try await desk.player("PlayPause") }
        #expect(resumed == [.changed(["PlaybackStatus": .string("Playing")], invalidated: [])])
        #expect(try await desk.listen { try await desk.player("Play") } == [])
    }

    @Test("Next: the whole new metadata and what differs, then Seeked(0)")
    func next() async throws {
        try await playing()
        let heard = try await desk.listen { try await desk.player("Next") }
        #expect(heard.count == 2 && heard.last == .seeked(0))
        #expect(heard.first?.names == ["Metadata", "CanGoPrevious"])
        #expect(heard.first?["Metadata"]?["xesam:title"] == .string("Title 2"))
        #expect(heard.first?["Metadata"]?["mpris:length"] == .int64(200_000_000))
    }

    @Test("The switch to the next track at a track's end is told like Next")
    func switchOver() async throws {
        try await playing()
        try await rig.bring(track(2).id)
        let heard = try await desk.listen { rig.engine.switchOver() }
        #expect(heard.count == 2 && heard.last == .seeked(0))
        #expect(heard.first?.names == ["Metadata", "CanGoPrevious"])
    }

    @Test("Length learnt later: the metadata again, with the same trackid")
    func length() async throws {
        try await playing()
        let before = rig.player.state.current
        let heard = try await desk.listen { rig.engine.say(.lengthKnown(LoadNumber(1), .seconds(203))) }
        #expect(heard.count == 1 && heard.first?.names == ["Metadata"])
        #expect(heard.first?["Metadata"]?["mpris:length"] == .int64(203_000_000))
        #expect(
            heard.first?["Metadata"]?["mpris:trackid"] == .objectPath(MetadataCoding.trackID(of: try #require(before))))
    }

    @Test("Cover learnt later: the metadata again, with the same trackid")
    func cover() async throws {
        try await playing()
        rig.http.answer = HTTPResponse(status: 200, headers: [:], body: [1])
        let pictured = Track(id: track(1).id, artist: "A", title: "T", coverURL: "https://media.test/c.jpg")
        let heard = try await desk.listen { _ = await rig.covers.cover(of: pictured) }
        #expect(heard.count == 1 && heard.first?.names == ["Metadata"])
        #expect(heard.first?["Metadata"]?["mpris:artUrl"] == .string("file:///dev/null"))
    }

    @Test("A seek: Seeked with the new position, once, and nothing else")
    func seek() async throws {
        try await playing()
        #expect(try await desk.listen { try await desk.player("Seek", .int64(5_000_000)) } == [.seeked(5_000_000)])
        let path = MetadataCoding.trackID(of: EntryID(1))
        let absolute = try await desk.listen {
            try await desk.player("SetPosition", .objectPath(path), .int64(60_000_000))
        }
        #expect(absolute == [.seeked(60_000_000)])
    }

    @Test("Seeked comes when the engine is there, not before")
    func slowSeek() async throws {
        try await playing()
        rig.engine.answersAtOnce = false
        #expect(try await desk.listen { try await desk.player("Seek", .int64(5_000_000)) } == [])
        let arrived = try await desk.listen { rig.engine.say(.seeked(LoadNumber(1), .seconds(6))) }
        #expect(arrived == [.seeked(6_000_000)])
    }

    @Test("What MPRIS ignores is heard by nobody")
    func ignored() async throws {
        try await playing()
        let other = MetadataCoding.trackID(of: EntryID(3))
        let heard = try await desk.listen {
            try await desk.player("SetPosition", .objectPath(other), .int64(1))
            try await desk.player("SetPosition", .objectPath(Names.noTrack), .int64(1))
            let current = MetadataCoding.trackID(of: EntryID(1))
            try await desk.player("SetPosition", .objectPath(current), .int64(-1))
            try await desk.player("SetPosition", .objectPath(current), .int64(201_000_000))
            rig.player.perform(.setVolume(1))
        }
        #expect(heard == [])
    }

    @Test("Stop: the status, and that one cannot seek any more")
    func stop() async throws {
        try await playing()
        let heard = try await desk.listen { try await desk.player("Stop") }
        #expect(
            heard == [.changed(["PlaybackStatus": .string("Stopped"), "CanSeek": .bool(false)], invalidated: [])])
        #expect(try await desk.listen { try await desk.player("Seek", .int64(5_000_000)) } == [])
    }

    @Test("The end of the queue: stopped")
    func end() async throws {
        try await rig.play([track(1)])
        let heard = try await desk.listen { rig.engine.say(.ended(LoadNumber(1))) }
        #expect(
            heard == [.changed(["PlaybackStatus": .string("Stopped"), "CanSeek": .bool(false)], invalidated: [])])
    }

    @Test("The queue is emptied: everything false and NoTrack, in one signal")
    func cleared() async throws {
        try await playing()
        let heard = try await desk.listen { rig.player.perform(.clear) }
        #expect(
            heard == [
                .changed(
                    [
                        "PlaybackStatus": .string("Stopped"), "CanPlay": .bool(false), "CanPause": .bool(false),
                        "CanSeek": .bool(false), "CanGoNext": .bool(false),
                        "Metadata": .dictionary(["mpris:trackid": .objectPath(Names.noTrack)]),
                    ], invalidated: [])
            ])
    }

    @Test("Modes and volume, by whomever: that property, and what follows from it")
    func modes() async throws {
        try await playing()
        #expect(
            try await desk.listen { rig.player.perform(.setVolume(0.5)) }
                == [.changed(["Volume": .double(0.5)], invalidated: [])])
        #expect(
            try await desk.listen { rig.engine.say(.volumeChanged(0.25)) }
                == [.changed(["Volume": .double(0.25)], invalidated: [])])
        #expect(
            try await desk.listen { rig.player.perform(.setRepeat(.queue)) }
                == [.changed(["LoopStatus": .string("Playlist"), "CanGoPrevious": .bool(true)], invalidated: [])])
        let shuffled = try await desk.listen {
            _ = try await desk.call(
                "org.freedesktop.DBus.Properties", "Set", .string(PlayerInterface.name), .string("Shuffle"),
                .variant(.bool(true)))
        }
        #expect(shuffled == [.changed(["Shuffle": .bool(true)], invalidated: [])])
    }

    @Test("A stall: nothing when it begins, the true position when a long one ends, nothing after a short one")
    func stall() async throws {
        try await playing()
        let first = LoadNumber(1)
        rig.time.advance(by: .seconds(10))
        #expect(try await desk.listen { rig.engine.say(.hungry(first, at: .seconds(10))) } == [])
        rig.time.advance(by: .seconds(3))
        #expect(try await desk.listen { rig.engine.say(.fed(first, at: .seconds(10))) } == [.seeked(10_000_000)])
        let short = try await desk.listen {
            rig.engine.say(.hungry(first, at: .seconds(10)))
            rig.engine.say(.fed(first, at: .seconds(10)))
        }
        #expect(short == [])
    }

    @Test("A burst of Next is the last state, told once")
    func burst() async throws {
        try await rig.play((1...12).map { track($0) })
        let heard = try await desk.listen { for _ in 0..<10 { rig.player.perform(.next) } }
        #expect(heard.count == 2 && heard.last == .seeked(0))
        #expect(heard.first?["Metadata"]?["xesam:title"] == .string("Title 11"))
    }

    @Test("A seek that is overtaken by Next is not told as the new track's position")
    func overtaken() async throws {
        try await playing()
        let heard = try await desk.listen {
            rig.player.perform(.seekTo(.seconds(100), nil))
            rig.player.perform(.next)
        }
        #expect(heard.count == 2 && heard.last == .seeked(0))
    }

    @Test("Nothing is told while nothing happens, and nothing of the downloads")
    func quiet() async throws {
        try await playing()
        rig.engine.reported = .seconds(5)
        let heard = try await desk.listen {
            for second in 1...5 as ClosedRange<Int64> {
                rig.engine.reported = .seconds(second)
                rig.time.advance(by: .seconds(1))
                await settle()
            }
            _ = try await rig.downloads.add([track(9)])
            try await rig.transfer(of: track(9).id)?.bring(10, of: 1000)
        }
        #expect(heard == [])
    }

    @Test("The state is the new one when the reply is sent")
    func reply() async throws {
        try await playing()
        try await desk.player("Pause")
        let status = try await desk.call(
            "org.freedesktop.DBus.Properties", "Get", .string(PlayerInterface.name), .string("PlaybackStatus"))
        #expect(status == [.variant(.string("Paused"))])
    }
}
