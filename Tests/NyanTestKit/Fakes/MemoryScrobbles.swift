public import NyanCore
import Synchronization

/// The journal of scrobbling in memory: what a restart finds.
public nonisolated final class MemoryScrobbles: ScrobbleJournal {
    private struct State {
        var reports: [ScrobbleReport] = []
        var waiting: [ScrobbleSite: [JournaledListen]] = [:]
        var last: Int64 = 0
        var failure: Failure?
    }

    private let state = Mutex(State())

    /// Holds up who asks how things stand.
    public let gate = Latch()

    /// A damaged one was set aside before.
    public let notice: Failure?

    public init(notice: Failure? = nil) { self.notice = notice }

    /// Every call ends with this until it is nil again.
    public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    public func titles(_ site: ScrobbleSite) -> [String] {
        state.withLock { $0.waiting[site, default: []].map(\.listen.title) }
    }

    private func work<Result>(_ body: (inout State) -> Result) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }

    public func reports() async throws(Failure) -> [ScrobbleReport] {
        await gate.pass()
        return try work { state in
            state.reports.map { report in
                var report = report
                report.waiting = state.waiting[report.site, default: []].count
                return report
            }
        }
    }

    public func enrol(_ site: ScrobbleSite, name: String) async throws(Failure) {
        try work { state in
            if state.reports.contains(where: { $0.site == site && $0.name == name }) { return }
            state.reports.removeAll { $0.site == site }
            state.waiting[site] = nil
            state.reports.append(ScrobbleReport(site: site, name: name))
        }
    }

    public func forget(_ site: ScrobbleSite) async throws(Failure) -> Int {
        try work { state in
            state.reports.removeAll { $0.site == site }
            return state.waiting.removeValue(forKey: site)?.count ?? 0
        }
    }

    public func add(_ listen: Listen) async throws(Failure) -> [ScrobbleSite] {
        try work { state in
            state.last += 1
            for report in state.reports {
                state.waiting[report.site, default: []].append(JournaledListen(number: state.last, listen: listen))
            }
            return []
        }
    }

    public func waiting(for site: ScrobbleSite, atMost count: Int) async throws(Failure) -> [JournaledListen] {
        try work { Array($0.waiting[site, default: []].prefix(count)) }
    }

    public func settle(_ settlement: JournalSettlement, for site: ScrobbleSite) async throws(Failure) {
        try work { state in
            let gone = Set(settlement.taken + settlement.dropped)
            if let index = state.reports.firstIndex(where: { $0.site == site }) {
                state.reports[index].sent += settlement.taken.count
                state.reports[index].dropped += settlement.dropped.count
                state.reports[index].reason = settlement.reason ?? state.reports[index].reason
            }
            state.waiting[site]?.removeAll { gone.contains($0.number) }
        }
    }
}

/// The sites' keys in memory.
public nonisolated final class MemoryScrobbleKeys: ScrobbleKeyStore {
    private struct State {
        var keys: [ScrobbleSite: ScrobbleKeys] = [:]
        /// Ends every call; `unreadable` only reading, until something is written.
        var failure: Failure?
        var unreadable: Failure?
        var loads = 0
    }

    /// Holds up who has read and not got it yet.
    public let gate = Latch()
    public var loads: Int { state.withLock { $0.loads } }

    private let state = Mutex(State())

    public init() {}

    /// What is written cannot be read.
    public func spoil() { state.withLock { $0.unreadable = Failure(.fileAccess, "unreadable") } }

    public var stored: [ScrobbleSite: ScrobbleKeys] { state.withLock { $0.keys } }
    public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    public func load() async throws(Failure) -> [ScrobbleSite: ScrobbleKeys] {
        let keys = try state.withLock { state throws(Failure) in
            state.loads += 1
            if let failure = state.failure ?? state.unreadable { throw failure }
            return state.keys
        }
        await gate.pass()
        return keys
    }

    public func save(_ keys: [ScrobbleSite: ScrobbleKeys]) async throws(Failure) {
        try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            state.keys = keys
            state.unreadable = nil
        }
    }
}

/// A site from a script: takes everything, unless it is told to refuse. Both kinds of login.
public final class ScriptedSite: ScrobbleClient, ScrobbleTokenProof, ScrobbleConsent {
    public let batch = 10
    /// What the next calls end with; nil = as it should.
    public var refusals: [ScrobbleRefusal?] = []
    public var isAllowed = false
    /// The calls so far: titles of each batch, and `now TITLE`.
    public private(set) var calls: [[String]] = []
    public private(set) var keysSeen: [ScrobbleKeys] = []
    /// Holds up the answers to batches.
    public let gate = Latch()

    public init() {}

    public var taken: [String] { calls.flatMap { $0 }.filter { !$0.hasPrefix("now ") } }

    private func refuseIfTold() throws(ScrobbleRefusal) {
        if !refusals.isEmpty, let refusal = refusals.removeFirst() { throw refusal }
    }

    public func submit(_ listens: [Listen], _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) -> [ListenVerdict] {
        keysSeen.append(keys)
        await gate.pass()
        try refuseIfTold()
        calls.append(listens.map(\.title))
        return listens.map { _ in .taken }
    }

    public func nowPlaying(_ listen: Listen, _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) {
        try refuseIfTold()
        calls.append(["now \(listen.title)"])
    }

    public func prove(_ token: Secret) async throws(ScrobbleRefusal) -> String {
        try refuseIfTold()
        return "owner of \(token.revealed.count)"
    }

    public func begin(apiKey: Secret, sharedSecret: Secret) async throws(ScrobbleRefusal) -> ScrobbleGrant {
        try refuseIfTold()
        let keys = ScrobbleKeys(token: Secret("asked"), apiKey: apiKey, sharedSecret: sharedSecret)
        return ScrobbleGrant(keys: keys, page: Secret("https://site.test/allow"))
    }

    public func finish(_ grant: ScrobbleGrant) async throws(ScrobbleRefusal) -> (keys: ScrobbleKeys, name: String) {
        guard isAllowed else {
            throw ScrobbleRefusal(.later(Failure(.challengeNeeded, "not yet"), seconds: nil))
        }
        var keys = grant.keys
        keys.token = Secret("session")
        return (keys, "anna")
    }
}
