import Dispatch
import NyanCore
import NyanDBus
import NyanWire

/// What a follower sees, in the order it came.
enum Followed: Sendable {
    case status(StatusReport)
    /// The whole list: at first, and after each return of the daemon.
    case listed([DownloadReport])
    case changed([DownloadReport])
    case removed([TrackID])
    /// The daemon is not there, or went away; told once.
    case absent
    /// The daemon is there but gave no state at the first question. Later ones are asked again until it does.
    case failed(Ending)
    /// The words of a track that were asked for.
    case lyrics(TrackID, Lyrics)
    /// Why there are none of it. `mayCome`: nobody said that there are none.
    case unsung(TrackID, String, mayCome: Bool)
    case key(PlayerKey)
    /// A moment passed.
    case tick
    /// The terminal has another size, or is ours again.
    case redraw
    /// Something to tell the person at the live player.
    case sentence(String)
    /// How far that is; told only while nothing else was told since.
    case progress(String)
    /// A signal asks to end; the value is the exit status.
    case leave(Int32)
}

/// The daemon's state and its changes as one stream: the whole state at once and after each return of the daemon, then
/// what changed. Signals older than the whole state are left out. Lives to the program's end once it was started.
@MainActor final class Follower {
    enum Topic { case status, downloads }

    let stream: AsyncStream<Followed>
    let yield: @Sendable (Followed) -> Void
    private let daemon: Daemon
    private let topic: Topic
    private var subscriptions: [Subscription] = []
    private var isAsking = false
    /// The daemon's name got another owner while it was being asked.
    private var mustAskAgain = false
    /// The whole state was told, so changes mean something.
    private var isCurrent = false
    private var saidAbsent = false
    /// The first question was answered, be it that nobody is there.
    private var isBegun = false
    /// Asks again after a failed answer.
    private var again: DispatchWorkItem?
    /// Seconds until then: more after each failure, so that one that never answers well costs nothing.
    private var pause = Follower.pauses.lowerBound
    private static let pauses = 1.0...60.0

    init(_ daemon: Daemon, _ topic: Topic) {
        let (stream, continuation) = AsyncStream.makeStream(of: Followed.self)
        self.stream = stream
        yield = { continuation.yield($0) }
        self.daemon = daemon
        self.topic = topic
    }

    /// Starts the stream. Only this first question may start the daemon: one that is stopped later stays stopped.
    func start() throws(Ending) {
        do throws(BusError) {
            switch topic {
            case .status: try hear(NyandInterfaces.player, "StatusChanged") { StatusReport($0).map(Followed.status) }
            case .downloads:
                try hear(NyandInterfaces.downloads, "Changed") { DownloadCoding.reports($0).map(Followed.changed) }
                try hear(NyandInterfaces.downloads, "Removed") {
                    ($0.strings?.compactMap { TrackID($0) }).map(Followed.removed)
                }
            }
            // Asked before the daemon is: the bus then tells the owner before the daemon can answer. Behind the answer it
            // would look like another daemon, and the state would be told twice.
            subscriptions.append(
                try daemon.client.connection.watchOwner(of: Names.nyand) { self.ownerChanged($0) })
            ask(autoStart: true)
        } catch {
            throw Daemon.ending(.noBus(error.message))
        }
    }

    private func hear(
        _ interface: Interface, _ member: String, _ read: @escaping (BusValue) -> Followed?
    ) throws(BusError) {
        let rule = MatchRule(sender: Names.nyand, path: Names.nyandPath, interface: interface.name, member: member)
        subscriptions.append(
            try daemon.client.connection.subscribe(rule) { message in
                guard self.isCurrent, let value = try? message.values().first, let event = read(value) else {
                    return
                }
                self.saidAbsent = false
                self.yield(event)
            })
    }

    private func ownerChanged(_ owner: String?) {
        // While a question is on its way its own answer tells, also that nobody is there.
        if isAsking {
            mustAskAgain = owner != nil
        } else if owner == nil {
            gone()
        } else {
            pause = Self.pauses.lowerBound
            ask(autoStart: false)
        }
    }

    private func ask(autoStart: Bool) {
        again?.cancel()
        isAsking = true
        isCurrent = false
        let (interface, member) =
            topic == .status ? (NyandInterfaces.player, "GetStatus") : (NyandInterfaces.downloads, "List")
        daemon.client.begin(interface, member, autoStart: autoStart) { self.answered($0) }
    }

    private func answered(_ outcome: Result<[BusValue], ClientFailure>) {
        isAsking = false
        switch outcome {
        case .success(let values):
            guard let event = values.first.flatMap(whole) else {
                return failed(.misunderstood("the answer has another shape"))
            }
            isCurrent = true
            saidAbsent = false
            mustAskAgain = false
            isBegun = true
            pause = Self.pauses.lowerBound
            yield(event)
        case .failure where mustAskAgain:
            mustAskAgain = false
            ask(autoStart: false)
        case .failure(.absent): gone()
        case .failure(let failure): failed(failure)
        }
    }

    /// It is there, but was too busy to answer or cannot. What it tells by itself is heard where it is the whole state.
    private func failed(_ failure: ClientFailure) {
        mustAskAgain = false
        isCurrent = topic == .status
        guard isBegun else {
            isBegun = true
            return yield(.failed(Daemon.ending(failure)))
        }
        let item = DispatchWorkItem { [weak self] in
            guard let self, !isAsking else { return }
            ask(autoStart: false)
        }
        again = item
        DispatchQueue.main.asyncAfter(deadline: .now() + pause, execute: item)
        pause = min(pause * 2, Self.pauses.upperBound)
    }

    private func whole(_ value: BusValue) -> Followed? {
        switch topic {
        case .status: StatusReport(value).map { .status($0) }
        case .downloads: DownloadCoding.reports(value).map { .listed($0) }
        }
    }

    private func gone() {
        isCurrent = false
        isBegun = true
        again?.cancel()
        guard !saidAbsent else { return }
        saidAbsent = true
        yield(.absent)
    }
}
