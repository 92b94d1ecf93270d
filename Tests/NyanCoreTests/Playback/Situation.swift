import NyanCore

/// The states in which an input can meet the player. All but `empty` have entries e1…e3 of 1, 2 and 3 minutes with e2
/// current, and load #1 where there is one.
enum Situation: String, CaseIterable {
    case empty, stopped, restored, preparing, loading, playing, paused, buffering, seeking, finding, staged

    func scene() -> Scene {
        var scene = Scene()
        guard self != .empty else { return scene }
        switch self {
        case .empty: break
        case .stopped:
            scene.command(.playTracks(Track.numbered(1...3), startAt: 1))
            scene.command(.stop)
        case .restored:
            scene.begin(Track.numbered(1...3), at: 1)
            scene.wait(.seconds(10))
            scene = Scene(restoring: scene.machine.saved(at: scene.now))
        case .preparing: scene.command(.playTracks(Track.numbered(1...3), startAt: 1))
        case .loading:
            scene.command(.playTracks(Track.numbered(1...3), startAt: 1))
            scene.send(.prepared(LoadNumber(1)))
        case .playing, .paused, .buffering, .seeking, .finding, .staged:
            scene.begin(Track.numbered(1...3), at: 1)
            scene.wait(.seconds(10))
        }
        goOn(&scene)
        return scene
    }

    /// From playing e2 at 10 s to the rarer states.
    private func goOn(_ scene: inout Scene) {
        let load = LoadNumber(1)
        switch self {
        case .paused: scene.command(.pause)
        case .buffering: scene.engine(.hungry(load, at: .seconds(10)))
        case .seeking: scene.command(.seekTo(.seconds(20), nil))
        case .finding: scene.send(.bytesComplete(load))
        case .staged:
            scene.send(.bytesComplete(load))
            scene.send(.prepared(LoadNumber(2)))
        case .empty, .stopped, .restored, .preparing, .loading, .playing: break
        }
    }
}

/// Every kind of input by the word the tables use.
enum Inputs {
    static let all: [(word: String, input: PlaybackInput)] = commands + current + next + world

    private static let commands: [(String, PlaybackInput)] =
        ([
            ("play", .play), ("pause", .pause), ("toggle", .toggle), ("stop", .stop), ("next", .next),
            ("previous", .previous), ("seek +5", .seekBy(.seconds(5))), ("seek -99", .seekBy(.seconds(-99))),
            ("seek +999", .seekBy(.seconds(999))), ("seek to 30", .seekTo(.seconds(30), EntryID(2))),
            ("seek to stale", .seekTo(.seconds(30), EntryID(1))), ("seek to -1", .seekTo(.seconds(-1), nil)),
            ("seek to 121", .seekTo(.seconds(121), nil)), ("volume 0.5", .setVolume(0.5)), ("volume 7", .setVolume(7)),
            ("volume nan", .setVolume(.nan)), ("shuffle on", .setShuffle(true)), ("shuffle off", .setShuffle(false)),
            ("repeat track", .setRepeat(.track)), ("repeat queue", .setRepeat(.queue)),
            ("repeat off", .setRepeat(.off)),
            ("play tracks", .playTracks(Track.numbered(8...9), startAt: 1)), ("play none", .playTracks([], startAt: 0)),
            ("go e1", .go(EntryID(1))), ("go e2", .go(EntryID(2))), ("go e99", .go(EntryID(99))),
            ("add", .add([.numbered(8)], next: false)), ("add next", .add([.numbered(8)], next: true)),
            ("add none", .add([], next: true)), ("remove e1", .remove([EntryID(1)])),
            ("remove e2", .remove([EntryID(2)])), ("remove e3", .remove([EntryID(3)])),
            ("remove e2 e3", .remove([EntryID(2), EntryID(3)])), ("remove e99", .remove([EntryID(99)])),
            ("move e3 first", .move(EntryID(3), to: 0)), ("move e1 first", .move(EntryID(1), to: 0)),
            ("clear", .clear),
        ] as [(String, PlaybackCommand)]).map { ($0.0, .command($0.1)) }

    private static let current: [(String, PlaybackInput)] = [
        ("prepared", .prepared(LoadNumber(1))), ("refused", .refused(LoadNumber(1), Failure(.network, ""))),
        ("bytes complete", .bytesComplete(LoadNumber(1))), ("near end", .nearEnd(LoadNumber(1))),
        ("report 12", .positionReport(LoadNumber(1), .seconds(12))), ("started", .engine(.started(LoadNumber(1)))),
        ("length 100", .engine(.lengthKnown(LoadNumber(1), .seconds(100)))),
        ("hungry", .engine(.hungry(LoadNumber(1), at: .seconds(9)))),
        ("fed", .engine(.fed(LoadNumber(1), at: .seconds(11)))),
        ("seeked", .engine(.seeked(LoadNumber(1), .seconds(21)))), ("ended", .engine(.ended(LoadNumber(1)))),
        ("failed", .engine(.failed(LoadNumber(1), Failure(.damagedSound, "")))),
        ("no output", .engine(.failed(LoadNumber(1), Failure(.audioOutput, "")))),
    ]

    private static let next: [(String, PlaybackInput)] = [
        ("next prepared", .prepared(LoadNumber(2))),
        ("next refused", .refused(LoadNumber(2), Failure(.unavailableTrack, ""))),
        ("next bytes complete", .bytesComplete(LoadNumber(2))), ("next near end", .nearEnd(LoadNumber(2))),
        ("next report 12", .positionReport(LoadNumber(2), .seconds(12))),
        ("next started", .engine(.started(LoadNumber(2)))),
        ("next length 100", .engine(.lengthKnown(LoadNumber(2), .seconds(100)))),
        ("next hungry", .engine(.hungry(LoadNumber(2), at: .zero))),
        ("next fed", .engine(.fed(LoadNumber(2), at: .zero))),
        ("next seeked", .engine(.seeked(LoadNumber(2), .seconds(21)))),
        ("next ended", .engine(.ended(LoadNumber(2)))),
        ("next failed", .engine(.failed(LoadNumber(2), Failure(.damagedSound, "")))),
    ]

    private static let world: [(String, PlaybackInput)] = [
        ("volume moved", .engine(.volumeChanged(0.3))), ("output lost", .engine(.outputChanged(.lost))),
        ("output missing", .engine(.outputChanged(.missing))), ("output ok", .engine(.outputChanged(.ok))),
        ("track changed", .trackChanged(Track(id: Track.numbered(2).id, artist: "A", title: "New", duration: 130))),
        ("other track changed", .trackChanged(.numbered(77))),
    ]
}
