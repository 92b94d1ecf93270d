import NyanCore
import Testing

/// The player's machine with the rule behind it, wired as the daemon wires them.
private struct Ears {
    var scene = Scene()
    var rule = ScrobbleRule()
    /// `T1 @1790000000` for a listen, `now T1` for what is told as playing.
    var told: [String] = []
    /// Seconds since 1970 at the scene's second 0.
    var epoch: Int64 = 1_790_000_000

    mutating func begin(_ tracks: [Track], load: UInt64 = 1) {
        send(.command(.playTracks(tracks, startAt: 0)))
        sound(load)
    }

    mutating func sound(_ load: UInt64) {
        send(.prepared(LoadNumber(load)))
        send(.engine(.started(LoadNumber(load))))
    }

    mutating func send(_ input: PlaybackInput) {
        for effect in scene.send(input) { if case .heard(let hearing) = effect { hear(.heard(hearing)) } }
        hear(.play(scene.machine.runningPlay(at: scene.now)))
    }

    /// Time passes, and the player looks at it once a second; `blindly`: it does not.
    mutating func wait(_ seconds: Double, blindly: Bool = false) {
        var left = Duration.seconds(seconds)
        while left > .zero {
            let step = blindly ? left : min(left, .seconds(1))
            scene.wait(step)
            left -= step
            if !blindly { send(.timePassed) }
        }
    }

    private mutating func hear(_ input: ScrobbleRule.Input) {
        let clock = epoch + Int64(scene.now / .seconds(1))
        for effect in rule.handle(input, at: scene.now, clock: clock) {
            switch effect {
            case .nowPlaying(let listen): told.append("now \(listen.title)")
            case .listened(let listen): told.append("\(listen.title) @\(listen.began - epoch)")
            }
        }
    }

    var listens: [String] { told.filter { !$0.hasPrefix("now") } }
}

private func track(_ seconds: Int, _ title: String = "T", artist: String = "A") -> Track {
    Track(id: TrackID(owner: 1, audio: Int64(seconds)), artist: artist, title: title, duration: seconds)
}

/// Half or four minutes of sound that was really heard.
@Suite("What counts as listened to")
struct ScrobbleRuleTests {
    @Test(
        "half of a track, or four minutes of a long one, and never a track of 30 seconds or less",
        arguments: [
            (31, 15.5), (60, 30), (200, 100), (479, 239.5), (480, 240), (3600, 240), (0, 240), (30, nil), (29, nil),
        ] as [(Int, Double?)])
    func threshold(_ length: Int, _ needed: Double?) {
        var ears = Ears()
        ears.begin([track(length)])
        ears.wait((needed ?? Double(length)) - 0.5, blindly: true)
        #expect(ears.listens == [])
        ears.wait(0.5)
        #expect(ears.listens == (needed == nil ? [] : ["T @1000"]))
        ears.wait(1000)
        #expect(ears.listens == (needed == nil ? [] : ["T @1000"]), "once")
    }

    @Test("pauses, stalls and what a seek passes over are not heard; what is heard twice is, and counts once")
    func onlySound() {
        var ears = Ears()
        ears.begin([track(100)])
        ears.wait(20)
        ears.send(.command(.pause))
        ears.wait(500)
        ears.send(.command(.play))
        ears.wait(10)
        ears.send(.engine(.hungry(LoadNumber(1), at: .seconds(30))))
        ears.wait(60)
        ears.send(.engine(.fed(LoadNumber(1), at: .seconds(30))))
        ears.send(.command(.seekTo(.seconds(90), nil)))
        ears.send(.engine(.seeked(LoadNumber(1), .seconds(90))))
        ears.wait(9)
        #expect(ears.listens == [], "39 seconds")
        ears.send(.command(.seekTo(.zero, nil)))
        ears.send(.engine(.seeked(LoadNumber(1), .zero)))
        ears.wait(10)
        #expect(ears.listens == [], "49")
        ears.wait(1)
        #expect(ears.listens == ["T @1000"])
        ears.send(.command(.seekTo(.zero, nil)))
        ears.send(.engine(.seeked(LoadNumber(1), .zero)))
        ears.wait(99)
        #expect(ears.listens == ["T @1000"], "going back makes no second play")
    }

    @Test("what is skipped before half is not counted, also where nobody looked in between", arguments: [true, false])
    func skipped(_ blindly: Bool) {
        var ears = Ears()
        ears.begin([track(100, "a"), track(90, "b"), track(80, "c")])
        ears.wait(40, blindly: blindly)
        ears.send(.command(.next))
        ears.sound(2)
        ears.wait(50, blindly: blindly)
        ears.send(.command(.next))
        ears.sound(3)
        #expect(ears.listens == ["b @1040"])
        ears.wait(41, blindly: blindly)
        ears.send(.command(.stop))
        #expect(ears.listens == ["b @1040", "c @1090"])
    }

    @Test("each round of a repeated track is a play of its own, joined without a gap or not")
    func repeated() {
        var ears = Ears()
        ears.begin([track(60)])
        ears.send(.command(.setRepeat(.track)))
        ears.send(.bytesComplete(LoadNumber(1)))
        ears.send(.prepared(LoadNumber(2)))
        ears.wait(60, blindly: true)
        ears.send(.engine(.started(LoadNumber(2))))
        ears.wait(60)
        ears.send(.engine(.ended(LoadNumber(2))))
        ears.wait(2)
        ears.sound(3)
        ears.wait(29)
        #expect(ears.listens == ["T @1000", "T @1060"])
        ears.wait(1)
        #expect(ears.listens == ["T @1000", "T @1060", "T @1122"], "from when its sound came")
    }

    @Test("a track joined to another counts by itself; the length that proves true is the one that counts")
    func joined() {
        var ears = Ears()
        ears.begin([track(200, "a"), track(100, "b")])
        ears.send(.engine(.lengthKnown(LoadNumber(1), .seconds(60))))
        ears.send(.bytesComplete(LoadNumber(1)))
        ears.send(.prepared(LoadNumber(2)))
        ears.wait(60)
        ears.send(.engine(.started(LoadNumber(2))))
        #expect(ears.listens == ["a @1000"])
        ears.wait(49)
        ears.send(.command(.previous))
        #expect(ears.listens == ["a @1000"])
    }

    @Test("what plays is told after three seconds of it, again after a long pause, and not while skipping")
    func nowPlaying() {
        var ears = Ears()
        ears.begin([track(300, "a"), track(300, "b"), track(300, "c")])
        ears.wait(2)
        ears.send(.command(.next))
        ears.sound(2)
        ears.wait(2)
        #expect(ears.told == [])
        ears.wait(20)
        #expect(ears.told == ["now b"])
        ears.send(.command(.pause))
        ears.wait(30)
        ears.send(.command(.play))
        ears.wait(10)
        #expect(ears.told == ["now b"])
        ears.send(.command(.pause))
        ears.wait(90)
        ears.send(.command(.play))
        ears.wait(10)
        #expect(ears.told == ["now b", "now b"])
    }

    @Test("nothing without an artist or a title, and nothing of radio")
    func nameless() {
        for nameless in [track(100, " "), track(100, artist: "\u{3000}")] {
            var ears = Ears()
            ears.begin([nameless])
            ears.wait(99)
            #expect(ears.told == [])
        }
        var ears = Ears()
        var radio = track(0, "News")
        radio.address = "http://radio.test/stream"
        ears.begin([radio])
        ears.wait(900)
        #expect(ears.told == [])
    }

    @Test("names are trimmed, an empty album is none, and nothing of VK goes along")
    func described() throws {
        var machine = Scene()
        var song = track(100, "  Title\n", artist: " Artist ")
        song.album = " "
        song.coverURL = "https://vk.test/secret"
        machine.begin([song])
        machine.wait(.seconds(60))
        machine.send(.timePassed)
        var rule = ScrobbleRule()
        let play = try #require(machine.machine.runningPlay(at: machine.now))
        let effects = rule.handle(.play(play), at: machine.now, clock: 1_790_000_060)
        // Met in its middle: it began a minute ago.
        #expect(
            effects == [.listened(Listen(artist: "Artist", title: "Title", seconds: 100, began: 1_790_000_000))])
    }

    @Test("a machine that learns the time late dates a play by what it knows then; one that never does tells nothing")
    func clockless() {
        var ears = Ears()
        ears.epoch = 0
        ears.begin([track(100, "a")])
        ears.wait(20)
        ears.epoch = 1_790_000_000
        ears.wait(40)
        #expect(ears.listens == ["a @1000"])
        var never = Ears()
        never.epoch = 0
        never.begin([track(100, "a")])
        never.wait(90)
        #expect(never.listens == [])
        var jump = Ears()
        jump.begin([track(100, "a")])
        jump.wait(20)
        jump.epoch += 86_400
        jump.wait(40)
        #expect(jump.listens == ["a @\(1000 - 86_400)"], "the time at which it began stays")
    }
}
