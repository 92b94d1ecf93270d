import Dispatch
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `lyrics`: the words of a track, or line by line as they are sung.
@MainActor enum LyricsCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        guard invocation.has("--follow") else { return try show(invocation, daemon) }
        guard invocation.words.isEmpty else {
            throw .usage("--follow is about whatever plays: name no track", command: "lyrics")
        }
        let follower = LyricsFollower(daemon, asJSON: invocation.asJSON)
        try Loop.run(daemon, asJSON: invocation.asJSON) { () throws(Ending) in try await follower.run() }
    }

    private static func show(_ invocation: Invocation, _ daemon: Daemon) throws(Ending) {
        let track = try OneTrack.reference(invocation, daemon)
        let (id, lyrics) = try daemon.ask { client throws(ClientFailure) in try client.lyrics(of: track) }
        if invocation.asJSON { return Terminal.print(JSONText.encode(LyricsDocument(id, lyrics))) }
        Pager.show(lyrics.lines.map { Terminal.printable($0.text) })
        if let credits = lyrics.credits { Terminal.tell(Terminal.printableMessage(credits)) }
    }
}

/// Follows what plays and prints its words as they are sung. Lives to the program's end.
@MainActor final class LyricsFollower {
    private let daemon: Daemon
    private let follower: Follower
    private let asJSON: Bool
    private let screen: SungScreen?
    private let outlet = LineOutlet(keepsLittle: true)
    /// What is sung, for people.
    private var name: String?
    private var sung = SungLines()
    private let clock = DispatchSource.makeTimerSource(queue: .main)
    private let start = SuspendingClock.now

    init(_ daemon: Daemon, asJSON: Bool) {
        self.daemon = daemon
        self.asJSON = asJSON
        follower = Follower(daemon, .status)
        screen = Terminal.canRedraw && !asJSON ? SungScreen(follower.yield) : nil
    }

    /// Never ends by itself, like `status --follow`.
    func run() async throws(Ending) -> Int32 {
        let yield = follower.yield
        clock.setEventHandler { yield(.tick) }
        clock.activate()
        try follower.start()
        var isFirst = true
        for await event in follower.stream {
            switch event {
            case .status(let report):
                if sung.take(report, at: now) { ask(report) }
            case .lyrics(let id, let lyrics): tell(sung.take(lyrics, of: id))
            case .absent:
                sung.stop(at: now)
                if asJSON { outlet.print(JSONText.encode(["state": "absent"])) } else { say("nyand is not running") }
            case .failed(let ending) where isFirst: throw ending
            case .unsung(let id, let reason, let mayCome):
                // Of another track than the one that plays by now.
                guard id == sung.track else { break }
                if mayCome { sung.forget() }
                say(reason)
            default: break
            }
            isFirst = false
            tell(sung.due(at: now))
            screen?.draw(name, sung.lyrics, sung: sung.told)
            // Nothing to wake up for while nothing is sung.
            clock.schedule(deadline: sung.pause(at: now).map { .now() + $0 + 0.005 } ?? .distantFuture)
        }
        return 0
    }

    private var now: Double { start.duration(to: .now) / .seconds(1) }

    /// Does not wait: until the words are there other things may happen.
    private func ask(_ report: StatusReport) {
        guard let listed = report.track else { return }
        name = TrackTable.name(listed.track)
        if !asJSON, screen == nil { Terminal.tell("♪ " + TrackTable.message(listed.track)) }
        let yield = follower.yield
        let id = listed.track.id
        daemon.client.begin(
            NyandInterfaces.lyrics, "Get", [.string(listed.track.reference.description)], .network, autoStart: false
        ) { outcome in
            switch outcome {
            case .success(let values):
                if let found = NyanClient.lyrics(values) { yield(.lyrics(found.id, found.lyrics)) }
            case .failure(.refused(let failure)): yield(.unsung(id, failure.message, mayCome: false))
            case .failure(.silent): yield(.unsung(id, "nyand did not answer in time", mayCome: true))
            case .failure: break
            }
        }
    }

    private func tell(_ lines: [Lyrics.Line]) {
        guard let id = sung.track, !lines.isEmpty else { return }
        if let screen {
            // Words that know no time stay, with their name above them; the others are the screen's to show.
            guard sung.lyrics?.isTimed == false else { return }
            screen.clear()
            if let name { Terminal.print("♪ " + name) }
        }
        for line in lines {
            outlet.print(asJSON ? JSONText.encode(SungLineDocument(id, line)) : Terminal.printable(line.text))
        }
    }

    /// A sentence for people, beside the words.
    private func say(_ sentence: String) {
        guard let screen else { return Terminal.complain(Terminal.printableMessage(sentence)) }
        screen.clear()
        Terminal.print((name.map { "♪ \($0): " } ?? "") + Terminal.printable(Words.said(sentence)))
    }
}
