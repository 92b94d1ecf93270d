import NyanCore

/// Calls VK's methods: one at a time, paced, tried again where that is right, every refusal put into words
/// (vk-api.md §1.2, §3). Main actor. Knows no method's meaning and keeps no credential.
final class VKClient {
    private let http: any HTTPClient
    private let time: any TimeSource
    private let line = CallLine()
    private var pace: Pace
    /// Methods that VK has closed for a person.
    var blocks = MethodBlocks() { didSet { if blocks != oldValue { onBlocksChanged(blocks) } } }
    var onBlocksChanged: (MethodBlocks) -> Void = { _ in }
    /// Unix seconds.
    private let wallClock: () -> Int64
    private var jitter: SeededRandom
    /// Seconds one try may take.
    private let timeout: Duration
    /// VK's `lang`: the language of names and of its own sentences.
    private let language: String
    /// Asked before each try; what it throws is what the call ends with.
    var requireNetwork: () throws(Failure) -> Void = {}
    /// Told of a try that met no network, while the call goes on trying: all its tries may take minutes.
    var metNoNetwork: (Failure) -> Void = { _ in }
    /// Where calls wait for the person's answer; without one a challenge is an error like others.
    weak var keeper: (any ChallengeKeeper)?
    /// Comes when a token that VK gave with a confirmation is proved and stored, or was not: calls that were let go on with
    /// that confirmation wait for it, as their own token would only be refused again.
    var takeover: Moment?

    init(
        http: any HTTPClient, time: any TimeSource, minInterval: Duration, timeout: Duration, language: String,
        seed: UInt64, wallClock: @escaping () -> Int64
    ) {
        self.http = http
        self.wallClock = wallClock
        self.timeout = timeout
        self.language = language
        self.time = time
        pace = Pace(minInterval: minInterval)
        jitter = SeededRandom(seed: seed)
    }

    /// Least time between the starts of two calls.
    var minInterval: Duration {
        get { pace.minInterval }
        set { pace.minInterval = newValue }
    }

    /// Calls a method and waits for its answer, at most `Backoff.maxTries` tries.
    ///
    /// A try whose answer was lost is made again (vk-api.md §3.4) unless `mayRepeat` forbids it: then only what VK
    /// certainly did not do is, which is what came too fast.
    /// `isWanted` is asked before and after each try; once false the call ends as cancelled, so that a credential out of
    /// use is neither sent nor believed. `credential` is asked for as each try is sent: a newer one of the same login may
    /// have come while the call waited. `login`: the login that the call is part of. Throws a `Reaction`; its `failure` is what the caller is told.
    func call<Response: Decodable>(
        _ method: String, _ parameters: [(name: String, value: String)], as credential: @autoclosure () -> Credential,
        mayRepeat: Bool = true, isWanted: () -> Bool = { true }, login: ParkedCall? = nil
    ) async throws(Reaction) -> Response {
        var tries = 0
        let visit = ChallengeVisit(keeper, method, credential().profile, login: login)
        defer { visit.end() }
        try await visit.begin()
        while true {
            tries += 1
            do {
                let answer = try await visit.tried { () async throws(Reaction) -> Response in
                    try await tryOnce(method, parameters + visit.fields, as: credential, isWanted: isWanted)
                }
                blocks.succeeded(method, for: credential().user)
                return answer
            } catch {
                if try await visit.goesOn(after: error) {
                    tries = 0
                    if visit.isReleased { await takeover?.wait() }
                    continue
                }
                if let cause = error.closing {
                    blocks.block(method, for: credential().user, because: cause, at: wallClock())
                }
                guard let backoff = error.backoff, mayRepeat || backoff == .rate, tries < Backoff.maxTries else {
                    throw error
                }
                // A connection may break once; silence was waited for long enough.
                if error.failure.code == .timeout || tries > 1 && error.failure.code == .network {
                    metNoNetwork(error.failure)
                }
                // Not after the pause only: a call that will not be made again is not waited for.
                try await step { () async throws(Failure) in try requireNetwork() }
                let resume = time.now + backoff.delay(after: tries, jitter: &jitter)
                // Too fast concerns every call: the pace is held. Other trouble keeps only this call waiting, outside
                // the line, so that a track to be played need not wait out a sync's troubles.
                if backoff == .rate {
                    pace.hold(until: resume)
                } else {
                    try await step { () async throws(Failure) in try await time.wait(until: resume) }
                }
            }
        }
    }

    /// One try, in its turn and not before its time.
    private func tryOnce<Response: Decodable>(
        _ method: String, _ parameters: [(name: String, value: String)], as credential: () -> Credential,
        isWanted: () -> Bool
    ) async throws(Reaction) -> Response {
        try await step { () async throws(Failure) in try await line.enter(isUrgent: CallUrgency.isPlaying) }
        defer { line.leave() }
        // The pace may be held further while this waits; nobody else can start a call meanwhile.
        while pace.due > time.now {
            let due = pace.due
            try await step { () async throws(Failure) in try await time.wait(until: due) }
        }
        guard isWanted(), !Task.isCancelled else { throw .final(.callCancelled) }
        try await step { () async throws(Failure) in try requireNetwork() }
        let credential = credential()
        let today = wallClock()
        try await step { () async throws(Failure) in
            try blocks.check(method, for: credential.user, at: today)
        }
        pace.started(at: time.now)
        defer { pace.ended(at: time.now) }
        let response: HTTPResponse
        do {
            response = try await http.send(request(method, parameters, as: credential))
        } catch {
            throw .transport(error)
        }
        guard isWanted() else { throw .final(.callCancelled) }
        return try Self.read(response)
    }

    /// The answer in a response, or what to do about it. An error that VK put into words counts whatever the status.
    private static func read<Response: Decodable>(_ response: HTTPResponse) throws(Reaction) -> Response {
        let isSuccess = (200...299).contains(response.status)
        switch Answer<Response>.read(response.body) {
        case .error(let error): throw VKErrorTable.reaction(to: error)
        case .response(let answer) where isSuccess: return answer
        default:
            throw isSuccess
                ? .unreadable : .status(response.status, retryAfter: response.headers["retry-after"])
        }
    }

    /// The token goes into the body only: addresses end up in logs (vk-api.md §1.2).
    private func request(
        _ method: String, _ parameters: [(name: String, value: String)], as credential: Credential
    ) -> HTTPRequest {
        let profile = credential.profile
        var shared = [
            (name: "access_token", value: credential.token.revealed), (name: "v", value: profile.version),
            (name: "lang", value: language),
        ]
        if let clientID = credential.namedClient { shared.append((name: "client_id", value: clientID)) }
        let base = profile.apiURL.hasSuffix("/") ? String(profile.apiURL.dropLast()) : profile.apiURL
        return HTTPRequest(
            .post, url: Secret("\(base)/\(method)"), headers: profile.formHeaders(),
            body: FormBody.encode(parameters + shared),
            timeout: timeout, maxBytes: AnswerLimits.answer)
    }

    /// Runs a step that fails for good.
    private func step(_ body: () async throws(Failure) -> Void) async throws(Reaction) {
        do { try await body() } catch { throw .final(error) }
    }
}
