import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// The ui at work: what happens goes through `UIState`, its effects are carried out, and what changed is painted. Nothing
/// here waits for the daemon. Lives to the program's end once it was started.
@MainActor final class UIWork {
    let client: NyanClient
    private let screen: any Screen
    private let status: Follower
    private let downloads: Follower
    private var state: UIState
    private var subscriptions: [Subscription] = []
    /// Ends the run with an exit status.
    private let ends: AsyncStream<Int32>
    private let end: @Sendable (Int32) -> Void
    private let indexes: AsyncStream<(UITab, Int, TrackIndex)>
    private let indexed: @Sendable (UITab, Int, TrackIndex) -> Void
    private let reader = DispatchQueue(label: "org.nyantunes.nyanctl.index")
    private let painter = DispatchSource.makeTimerSource(queue: .main)
    private let ticker = DispatchSource.makeTimerSource(queue: .main)
    private let loader = DispatchSource.makeTimerSource(queue: .main)
    private let began = SuspendingClock.now
    private var isPaintPlanned = false
    private var painted = -1.0
    /// When each listing was asked for last, and those that have to wait since that was just now.
    private var asked: [UITab: Double] = [:]
    private var waiting: Set<UITab> = []
    /// How often each listing was read.
    private var readings: [UITab: Int] = [:]
    private var fresh = FreshRows()
    var edits = QueueEdits()
    /// The queue is to be read once the edits are done.
    var owesQueue = false

    /// Seconds between two paintings, and between two readings of one listing.
    private static let frame = 0.02
    private static let rest = 0.5
    /// How much of what VK finds is asked for.
    private static let found: Int64 = 100

    init(_ daemon: Daemon, _ screen: any Screen) {
        client = daemon.client
        self.screen = screen
        status = Follower(daemon, .status)
        downloads = Follower(daemon, .downloads)
        state = UIState(size: screen.size)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        self.end = { end.yield($0) }
        let (indexes, indexed) = AsyncStream.makeStream(of: (UITab, Int, TrackIndex).self)
        self.indexes = indexes
        self.indexed = { indexed.yield(($0, $1, $2)) }
    }

    /// Returns the exit status once the person leaves, or the terminal is gone.
    func run() async throws(Ending) -> Int32 {
        startClocks()
        try status.start()
        try downloads.start()
        hear()
        Task.onMain { for await event in self.status.stream { self.follow(event) } }
        Task.onMain { for await event in self.downloads.stream { self.follow(event) } }
        Task.onMain {
            // One that was made of an older listing would find other rows.
            for await (tab, reading, index) in self.indexes where reading == self.readings[tab] {
                self.take(.indexed(tab, index))
            }
        }
        Task.onMain {
            for await event in self.screen.events { self.take(.screen(event)) }
            self.take(.screen(.gone))
        }
        planPainting()
        for await status in ends { return status }
        return 0
    }

    private var now: Double {
        let (seconds, attoseconds) = began.duration(to: .now).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    func take(_ event: UIEvent) {
        for effect in state.handle(event, at: now) { carryOut(effect) }
        planPainting()
    }

    private func follow(_ event: Followed) {
        fresh.note(event)
        switch event {
        case .status(let report): take(.status(report))
        case .listed(let rows): take(.downloads(rows))
        case .changed(let rows): take(.downloadsChanged(rows))
        case .removed(let ids): take(.downloadsRemoved(ids))
        case .absent: take(.absent)
        case .failed(let ending): take(.trouble(ending))
        default: break
        }
    }

    // What changes without a word of its own in the status.
    private func hear() {
        listen(
            MatchRule(
                sender: Names.nyand, path: Names.nyandPath, interface: NyandInterfaces.library.name,
                member: "SyncProgress")
        ) { message in
            let numbers = ((try? message.values()) ?? []).compactMap(\.integer)
            if numbers.count == 2 { self.take(.syncing(numbers[0], numbers[1])) }
        }
        listen(
            MatchRule(
                sender: Names.nyand, path: Names.nyandPath, interface: NyandInterfaces.library.name, member: "Changed")
        ) { _ in for tab in [UITab.profile, .music] { self.take(.changed(tab)) } }
        for member in ["TrackListReplaced", "TrackAdded", "TrackRemoved"] {
            let rule = MatchRule(
                sender: Names.mpris, path: Names.mprisPath, interface: TrackListInterface.name, member: member)
            listen(rule) { _ in self.take(.changed(.queue)) }
        }
    }

    private func listen(_ rule: MatchRule, _ heard: @escaping (Message) -> Void) {
        // Without the signals the rest works all the same.
        if let subscription = try? client.connection.subscribe(rule, heard) { subscriptions.append(subscription) }
    }
}

/// The clocks.
extension UIWork {
    private func startClocks() {
        painter.setEventHandler { self.paint() }
        ticker.setEventHandler { self.tick() }
        loader.setEventHandler { self.loadWaiting() }
        for clock in [painter, ticker, loader] {
            clock.schedule(deadline: .distantFuture)
            clock.activate()
        }
    }

    private func tick() {
        fresh.note(.tick)
        take(.moving(fresh.ids))
        take(.tick)
    }

    /// Many events at once are painted once.
    private func planPainting() {
        guard !isPaintPlanned else { return }
        isPaintPlanned = true
        painter.schedule(deadline: .now() + max(0, painted + Self.frame - now))
    }

    private func paint() {
        isPaintPlanned = false
        painted = now
        screen.paint(UIView().frame(state, at: now))
        // While nothing moves nobody wakes up.
        ticker.schedule(
            deadline: state.nextChange(at: now).map { .now() + $0 } ?? .distantFuture, leeway: .milliseconds(20))
    }
}

/// The effects.
extension UIWork {
    private func carryOut(_ effect: UIEffect) {
        switch effect {
        case .load(let tab): load(tab)
        case .search(let text): search(text)
        case .call(let call): beginInTurn(call)
        case .queue(let deed, let position, let id): change(.init(deed: deed, position: position, id: id))
        case .export(let word, let folder):
            let path = FolderWord.absolute(HomeFolder.expanded(folder))
            HomeFolder.isNew(path) ? take(.folderIsNew(word, path: path)) : begin(.export(word, into: path))
        case .repaint:
            // What is not there is written anew.
            screen.paint(Frame(state.size, rows: Array(repeating: [Span(" ")], count: max(0, state.size.rows))))
        case .quit: end(screen.goneStatus)
        }
    }

    /// Starts no daemon: one that was ended on purpose stays so (decision 0034).
    func begin(_ call: UICall) {
        client.begin(call.interface, call.member, call.arguments, call.patience, autoStart: false) {
            self.take(.answered(call, $0))
        }
    }

    /// A listing that changes again and again is read twice a second, not more.
    private func load(_ tab: UITab) {
        guard now - (asked[tab] ?? -1) >= Self.rest else {
            waiting.insert(tab)
            return loader.schedule(deadline: .now() + Self.rest)
        }
        asked[tab] = now
        switch tab {
        case .profile: sheet("Profile", "", 0, .quick) { self.listed(tab, $0) }
        case .music: sheet("Music", "", 0, .quick) { self.listed(tab, $0) }
        case .queue: loadQueue()
        case .search, .downloads: break
        }
    }

    private func loadWaiting() {
        let tabs = waiting
        waiting = []
        for tab in tabs {
            asked[tab] = nil
            load(tab)
        }
    }

    func listed(_ tab: UITab, _ outcome: Result<[ListedTrack], ClientFailure>) {
        switch outcome {
        case .failure(let failure): take(.notListed(tab, failure))
        case .success(let rows):
            take(.listed(tab, rows))
            let reading = (readings[tab] ?? 0) + 1
            readings[tab] = reading
            let indexed = indexed
            reader.async { @Sendable in indexed(tab, reading, TrackIndex(rows)) }
        }
    }

    private func search(_ text: String) {
        sheet("Search", text, Self.found, .network) { outcome in
            switch outcome {
            case .success(let rows): self.take(.found(text, rows))
            case .failure(let failure): self.take(.notFound(text, failure))
            }
        }
    }

    /// A listing as one run of bytes: ten thousand rows are read in a few milliseconds. Starts no daemon.
    private func sheet(
        _ list: String, _ text: String, _ number: Int64, _ patience: NyanClient.Patience,
        _ finish: @escaping (Result<[ListedTrack], ClientFailure>) -> Void
    ) {
        let arguments: [BusValue] = [.string(list), .string(text), .int64(number), .bool(false)]
        client.begin(NyandInterfaces.library, "Sheet", arguments, patience, autoStart: false) { outcome in
            finish(
                outcome.flatMap { values in
                    guard case .bytes(let bytes)? = values.first, let tracks = TrackSheet.tracks(bytes) else {
                        return .failure(.misunderstood("Sheet"))
                    }
                    return .success(tracks)
                })
        }
    }
}

/// `~` as a shell reads it, for folders that are typed elsewhere.
enum HomeFolder {
    static func expanded(_ word: String) -> String {
        guard word == "~" || word.hasPrefix("~/"), let home = Terminal.environment("HOME") else { return word }
        return home + word.dropFirst()
    }

    /// Whether exporting into this folder would make it: its own folder is there, and it is not.
    static func isNew(_ path: String) -> Bool {
        guard access(path, F_OK) != 0, let slash = path.lastIndex(of: "/") else { return false }
        return slash == path.startIndex || access(String(path[..<slash]), F_OK) == 0
    }
}

extension Daemon {
    /// A daemon behind a connection that is there already.
    init(client: NyanClient) { self.client = client }
}
