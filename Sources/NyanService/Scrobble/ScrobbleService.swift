public import NyanCore
import NyanDBus

/// Scrobbling: what was listened to goes into the journal at once, and from there to every site somebody is signed in
/// at, when it can be. Without a login nothing is kept, nothing is sent and nothing runs.
public final class ScrobbleService {
    /// The doors to the sites.
    public struct Clients {
        public var listenBrainz: any ScrobbleClient & ScrobbleTokenProof
        public var lastFM: any ScrobbleClient & ScrobbleConsent
        public init(
            listenBrainz: any ScrobbleClient & ScrobbleTokenProof, lastFM: any ScrobbleClient & ScrobbleConsent
        ) {
            self.listenBrainz = listenBrainz
            self.lastFM = lastFM
        }
    }

    /// Listens kept in memory while the journal cannot be written.
    private static let mostUnwritten = 1000
    let clients: Clients
    let journal: any ScrobbleJournal
    let keyStore: any ScrobbleKeyStore
    let connectivity: Connectivity
    private let player: PlayerService
    let hub: EventHub
    let time: any TimeSource
    let log: Log
    private let wallClock: () -> Int64
    private var rule = ScrobbleRule()
    /// Where somebody is signed in, by the journal: keys may be out of reach for a while.
    var enrolled: Set<ScrobbleSite> = []
    private(set) var lanes: [ScrobbleSite: ScrobbleLane] = [:]
    private var unwritten: [Listen] = []
    private var writing: Task<Void, Never>?
    private var isOnline = true
    private(set) var isShutDown = false
    /// Why the keys cannot be read.
    var storeProblem: Failure?
    /// Sites whose keys are not where they should be.
    var keyless: Set<ScrobbleSite> = []
    /// Whether it is known what an earlier run left; else somebody may be signed in.
    var isJournalRead = false
    private(set) var journalProblem: Failure?
    var taking = TakingUp()
    /// Of logins, logouts and readings of keys, which are read, changed and written as a whole.
    let turns = Turns()
    /// A login that waits for consent.
    var grant: ScrobbleGrant?

    public init(
        clients: Clients, journal: any ScrobbleJournal, keyStore: any ScrobbleKeyStore, player: PlayerService,
        connectivity: Connectivity, hub: EventHub, time: any TimeSource, log: Log,
        wallClock: @escaping () -> Int64 = { WallClock.now }
    ) {
        self.clients = clients
        self.journal = journal
        self.keyStore = keyStore
        self.player = player
        self.connectivity = connectivity
        self.hub = hub
        self.time = time
        self.log = log
        self.wallClock = wallClock
        let doors: [(ScrobbleSite, any ScrobbleClient)] = [
            (.listenbrainz, clients.listenBrainz), (.lastfm, clients.lastFM),
        ]
        for (site, client) in doors {
            let lane = ScrobbleLane(site, client: client, journal: journal, time: time, log: log)
            lane.onProblem = { [hub] in hub.changed(.playback) }
            lanes[site] = lane
        }
        hub.subscribe { [weak self] changes in
            if changes.contains(.connectivity) { self?.networkChanged() }
        }
    }

    /// Why listens are not sent, for the daemon's status; nil while all is well. Trouble that passes by itself is none.
    public var problem: Failure? {
        if let known = journalProblem ?? storeProblem { return known }
        // Loops, as this is asked for with every property: Swift makes sure of the actor in each closure.
        for site in ScrobbleSite.allCases where keyless.contains(site) { return Self.missing(site) }
        for site in ScrobbleSite.allCases where enrolled.contains(site) {
            if let problem = lanes[site]?.problem, problem.retry == .never { return problem }
        }
        return nil
    }

    /// Takes up what an earlier run left, and begins to listen.
    public func start() async {
        networkChanged()
        await takeUp()
    }

    /// Hears what is played, while anybody is to be told of it.
    func listen() {
        guard !enrolled.isEmpty || !isJournalRead, !isShutDown else {
            player.onPlay = nil
            player.onHeard = nil
            rule = ScrobbleRule()
            return
        }
        player.onPlay = { [weak self] in self?.take(.play($0)) }
        player.onHeard = { [weak self] in self?.take(.heard($0)) }
    }

    private func take(_ input: ScrobbleRule.Input) {
        for effect in rule.handle(input, at: time.now, clock: wallClock()) {
            switch effect {
            case .nowPlaying(let listen):
                for site in enrolled { lanes[site]?.tell(listen) }
            case .listened(let listen):
                unwritten.append(listen)
                write()
            }
        }
    }

    /// Brings what is not in the journal yet there.
    func write() {
        if writing == nil, !unwritten.isEmpty { writing = Task.onMain { await self.writeAll() } }
    }

    private func writeAll() async {
        defer { writing = nil }
        while let listen = unwritten.first {
            do throws(Failure) {
                let full = try await journal.add(listen)
                unwritten.removeFirst()
                setJournalProblem(nil)
                for site in full {
                    log.warning("\(site.title): a listen is not kept, too many wait already")
                }
            } catch {
                setJournalProblem(Failure(error.code, "scrobbling: \(error.message)", retry: error.retry))
                // With the next listen, or at the end: a full disk passes.
                if unwritten.count > Self.mostUnwritten { unwritten.removeLast() }
                return
            }
        }
        await lookAtJournal()
    }

    func setJournalProblem(_ problem: Failure?) {
        guard problem != journalProblem else { return }
        journalProblem = problem
        if let problem { log.error(problem.message) }
        hub.changed(.playback)
    }

    /// Tells the lanes what waits.
    func lookAtJournal() async {
        guard let reports = try? await journal.reports() else { return }
        for report in reports { lanes[report.site]?.look(waiting: report.waiting) }
    }

    private func networkChanged() {
        let isReturn = connectivity.isOnline && !isOnline
        isOnline = connectivity.isOnline
        for lane in lanes.values {
            lane.use(network: !connectivity.isOfflineMode)
            if isReturn { lane.networkReturned() }
        }
    }

    /// The machine's routes are others, or it woke: what could not be reached may be reached now.
    public func mayReach() { for lane in lanes.values { lane.networkReturned() } }

    /// How things stand at each site somebody is signed in at.
    public func reports() async throws(Failure) -> [ScrobbleReport] {
        while let writing { await writing.value }
        let reports = try await journal.reports()
        return reports.map { report in
            var report = report
            report.problem = problem(of: report.site)
            return report
        }
    }

    /// Writes what counts by now: after the player's end, before the program's.
    public func shutDown() async {
        isShutDown = true
        taking.retrying?.cancel()
        write()
        if let writing { await writing.value }
        for lane in lanes.values { await lane.shutDown() }
        listen()
    }
}
