import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// What MPRIS and `status` show of a snapshot, as tables.
struct ProjectionTests {
    private nonisolated static func snapshot(_ change: (inout PlaybackState) -> Void = { _ in }) -> Snapshot {
        var state = PlaybackState()
        state.entries = [Entry(id: EntryID(5), track: track(1)), Entry(id: EntryID(6), track: track(2))]
        state.current = EntryID(6)
        state.length = .seconds(201)
        change(&state)
        return Snapshot(playback: state, position: .milliseconds(1500))
    }

    private nonisolated static func value(_ name: String, _ change: (inout PlaybackState) -> Void) -> BusValue? {
        MPRISProjection.value(of: name, in: snapshot(change))
    }

    nonisolated static let statuses: [(PlaybackState.Status, String)] = [
        (.playing, "Playing"), (.paused, "Paused"), (.stopped, "Stopped"),
    ]
    nonisolated static let modes: [(RepeatMode, String)] = [(.off, "None"), (.track, "Track"), (.queue, "Playlist")]

    @Test("Each status has MPRIS' word", arguments: statuses)
    func status(_ status: PlaybackState.Status, _ word: String) {
        #expect(Self.value("PlaybackStatus") { $0.status = status } == .string(word))
        // A stall is still Playing to MPRIS (mpris.md §4.5).
        if status == .playing {
            #expect(Self.value("PlaybackStatus") { ($0.status, $0.isBuffering) = (status, true) } == .string(word))
        }
    }

    @Test("Each repeat mode has MPRIS' word, and back", arguments: modes)
    func mode(_ mode: RepeatMode, _ word: String) {
        #expect(Self.value("LoopStatus") { $0.repeatMode = mode } == .string(word))
        #expect(MPRISProjection.repeatMode(loopStatus: word) == mode)
        #expect(MPRISProjection.repeatMode(loopStatus: word.lowercased()) == nil)
    }

    @Test("An empty queue can do nothing, and its metadata says NoTrack")
    func empty() {
        let snapshot = Snapshot(playback: PlaybackState())
        for name in ["CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"] {
            #expect(MPRISProjection.value(of: name, in: snapshot) == .bool(false), "\(name)")
        }
        #expect(MPRISProjection.value(of: "CanControl", in: snapshot) == .bool(true))
        #expect(
            MPRISProjection.value(of: "Metadata", in: snapshot)
                == .dictionary(["mpris:trackid": .objectPath(Names.noTrack)]))
    }

    @Test("Play and pause are possible whatever the status, seeking only where the machine says so")
    func possible() {
        for status in [PlaybackState.Status.playing, .paused, .stopped] {
            #expect(Self.value("CanPlay") { $0.status = status } == .bool(true))
            #expect(Self.value("CanPause") { $0.status = status } == .bool(true))
        }
        #expect(Self.value("CanSeek") { _ in } == .bool(false))
        #expect(Self.value("CanSeek") { $0.isSeekable = true } == .bool(true))
    }

    @Test("Metadata is the current entry's, with the length that is true and the cover once it is there")
    func metadata() {
        var snapshot = Self.snapshot()
        let path = MetadataCoding.trackID(of: EntryID(6))
        var expected: [String: BusValue] = [
            "mpris:trackid": .objectPath(path), "mpris:length": .int64(201_000_000),
            "xesam:title": .string("Title 2"), "xesam:artist": .strings(["Artist 2"]),
            "xesam:url": .string("https://vk.com/audio7_2"),
        ]
        #expect(MPRISProjection.value(of: "Metadata", in: snapshot) == .dictionary(expected))
        snapshot.track = ListedTrack(track: track(2), coverPath: "/covers/ä.jpg")
        expected["mpris:artUrl"] = .string("file:///covers/%C3%A4.jpg")
        #expect(MPRISProjection.value(of: "Metadata", in: snapshot) == .dictionary(expected))
        snapshot.playback.length = nil
        expected["mpris:length"] = .int64(200_000_000)
        #expect(MPRISProjection.value(of: "Metadata", in: snapshot) == .dictionary(expected))
    }

    @Test("Every declared property has a value of its declared type; what is told is all but Position and CanControl")
    func complete() {
        let snapshot = Self.snapshot()
        for property in PlayerInterface.interface.properties {
            let value = MPRISProjection.value(of: property.name, in: snapshot)
            #expect(value?.signatureOfValue == property.type, "\(property.name)")
        }
        let silent: Set<String> = ["Position", "CanControl"]
        let declared = Set(PlayerInterface.interface.properties.map(\.name))
        #expect(Set(MPRISProjection.told) == declared.subtracting(silent))
        #expect(Set(MPRISProjection.told(snapshot).keys) == declared.subtracting(silent))
        #expect(MPRISProjection.value(of: "Position", in: snapshot) == .int64(1_500_000))
        #expect(MPRISProjection.value(of: "Other", in: snapshot) == nil)
    }

    @Test("The machine knows the current entry's place without looking through the queue")
    func place() {
        var machine = PlaybackMachine(restoring: nil, seed: 1)
        _ = machine.handle(.command(.playTracks((1...9).map { track($0) }, startAt: 4)), at: .zero)
        #expect(machine.state.currentIndex == 4)
        _ = machine.handle(.command(.remove([machine.state.entries[0].id])), at: .zero)
        #expect(machine.state.currentIndex == 3 && machine.state.currentEntry?.track == track(5))
        _ = machine.handle(.command(.move(machine.state.entries[3].id, to: 7)), at: .zero)
        #expect(machine.state.currentIndex == 7 && machine.state.currentEntry?.track == track(5))
        // A state put together by hand has no place noted, and a wrong one is not believed.
        var byHand = machine.state
        byHand.entries.swapAt(0, 7)
        #expect(byHand.currentIndex == 0)
    }
}

extension ProjectionTests {
    nonisolated static let words: [(PlaybackState.Status, Bool, StatusReport.State)] = [
        (.playing, false, .playing), (.playing, true, .buffering), (.paused, false, .paused), (.paused, true, .paused),
        (.stopped, false, .stopped),
    ]

    @Test("status says buffering only while it should play", arguments: words)
    func statusWord(_ status: PlaybackState.Status, _ isBuffering: Bool, _ word: StatusReport.State) {
        let snapshot = Self.snapshot { ($0.status, $0.isBuffering) = (status, isBuffering) }
        #expect(StatusProjection.report(snapshot).state == word)
    }

    @Test("status counts the queue from 1 and has no position in an empty one")
    func statusPlace() {
        let report = StatusProjection.report(Self.snapshot())
        #expect(report.queuePosition == 2 && report.queueLength == 2)
        let empty = StatusProjection.report(Snapshot(playback: PlaybackState()))
        #expect(empty.queuePosition == nil && empty.queueLength == 0 && empty.track == nil && empty.duration == nil)
    }

    @Test("status tells seconds with milliseconds, and VK's length until the true one is known")
    func statusTimes() {
        var snapshot = Self.snapshot()
        snapshot.position = .microseconds(1_234_567)
        #expect(StatusProjection.report(snapshot).position == 1.234)
        #expect(StatusProjection.report(snapshot).duration == 201)
        snapshot.playback.length = nil
        snapshot.track = ListedTrack(track: track(2))
        #expect(StatusProjection.report(snapshot).duration == 200)
    }

    @Test("status passes on connection, account, output and the problem by its code")
    func statusRest() {
        var snapshot = Self.snapshot { $0.output = .lost }
        (snapshot.isOnline, snapshot.isOfflineMode, snapshot.isSignedIn) = (false, true, true)
        (snapshot.buffered, snapshot.problem) = (0.5, Failure(.audioOutput, "gone"))
        let report = StatusProjection.report(snapshot)
        #expect(report.output == .lost && !report.isOnline && report.isOfflineMode && report.isSignedIn)
        #expect(report.buffered == 0.5 && report.problem == .init(code: "audio-output", message: "gone"))
    }
}
