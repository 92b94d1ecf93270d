public import NyanCore
import NyanDBus

/// Where calls to VK wait that met a challenge, and where the person's answers come in: one question at a time for the
/// whole daemon (vk-api.md §3.4). Main actor. Carries out `ChallengeMachine`.
public final class ChallengeDesk: ChallengeKeeper {
    /// The open question, as `status` shows it.
    public private(set) var problem: Failure?

    private let time: any TimeSource
    private let hub: EventHub
    private let log: Log
    /// Addresses of the settings; pages of their hosts count as VK's.
    private let configured: [String]
    private var machine = ChallengeMachine()
    private var parked: [ObjectIdentifier: Parked] = [:]
    private var tickets = 0
    private var clock: Task<Void, Never>?
    /// The login that was begun last.
    private var login: ParkedCall?

    /// So long an answer waits for what it set going, before it is said that it goes on.
    private static let answerPatience = Duration.seconds(60)

    private struct Parked {
        var ticket: ChallengeMachine.Ticket
        /// Kept so that its identity is nobody else's meanwhile.
        var call: ParkedCall
        var operation: Operation
        /// Nobody asked for it over the bus: the operation is this call.
        var isAlone: Bool
        var waiter: CheckedContinuation<Result<ChallengeAnswer, Failure>, Never>?
    }

    public init(time: any TimeSource, hub: EventHub, log: Log, configured: [String] = []) {
        self.time = time
        self.hub = hub
        self.log = log
        self.configured = configured
    }

    public func passed(_ method: String, by call: ParkedCall) async throws(Failure) {
        guard machine.holds(method) else { return }
        _ = try await wait(call) { .begins($0, method: method) }
    }

    public func meet(
        _ challenge: Challenge, of method: String, by call: ParkedCall
    ) async throws(Failure) -> ChallengeAnswer {
        guard !call.isLogin || call === login else { throw Self.isVoid }
        return try await wait(call) { .met($0, challenge, method: method) }
    }

    public func begins(login call: ParkedCall) {
        let older = login
        login = call
        if let older, older !== call { abandon(ObjectIdentifier(older), Self.isVoid) }
    }

    public func ended(_ call: ParkedCall, _ failure: Failure?) {
        guard let entry = parked.removeValue(forKey: ObjectIdentifier(call)) else { return }
        if entry.isAlone { entry.operation.end(failure.map { .failure($0) } ?? .success([])) }
        run(machine.handle(.left(entry.ticket)))
    }

    /// Hands in what the person answered, and waits for what comes of it.
    ///
    /// - Returns: words for the person.
    /// - Throws: what the operation ended with; `.challengeNeeded` with the next question; `.cancelled` where the answer
    ///   was no; `.timeout` where it is not over after a minute; `.conflict` where nothing is asked.
    public func answer(_ text: Secret) async throws(Failure) -> String {
        guard let open = machine.open, let entry = parked.values.first(where: { $0.ticket == open.ticket }) else {
            throw Failure(
                .conflict,
                machine.isTrying
                    ? "an answer is being tried already: wait for what VK says" : "VK asks nothing at present")
        }
        let answer: ChallengeAnswer
        do {
            answer = try open.challenge.answer(in: text, configured: configured)
        } catch {
            guard error.code == .cancelled else { throw error }
            log.notice("\(open.challenge.word) was given up")
            run(machine.handle(.declined(error)))
            throw error
        }
        run(machine.handle(.answered(answer)))
        switch await entry.operation.next(within: Self.answerPatience, time) {
        case .ended(.success(let values)): return entry.operation.said(values)
        case .ended(.failure(let failure)), .parked(let failure): throw failure
        case .late:
            throw Failure(.timeout, "the answer was handed in, but what waited for it is not over after a minute")
        }
    }

    /// Ends everything that waits with this: logged out, another account, the daemon stops.
    public func cancel(_ failure: Failure) { run(machine.handle(.cancelled(failure))) }

    private func wait(
        _ call: ParkedCall, _ input: (ChallengeMachine.Ticket) -> ChallengeMachine.Input
    ) async throws(Failure) -> ChallengeAnswer {
        let key = ObjectIdentifier(call)
        let ticket = self.ticket(of: call)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result<ChallengeAnswer, Failure>, Never>) in
                guard !Task.isCancelled, parked[key] != nil else {
                    return waiter.resume(returning: .failure(Self.unwanted))
                }
                parked[key]?.waiter = waiter
                run(machine.handle(input(ticket)))
            }
        } onCancel: {
            Task { @MainActor in self.abandon(key, Self.unwanted) }
        }
        return try outcome.get()
    }

    private func ticket(of call: ParkedCall) -> ChallengeMachine.Ticket {
        let key = ObjectIdentifier(call)
        if let known = parked[key] { return known.ticket }
        tickets += 1
        // A task that outlives the operation it was begun in speaks for itself.
        let asker = Operation.current.flatMap { $0.hasEnded ? nil : $0 }
        parked[key] = Parked(
            ticket: tickets, call: call, operation: asker ?? Operation(), isAlone: asker == nil, waiter: nil)
        return tickets
    }

    /// Whoever made the call does not want it any more, which is what it ends with if it waits.
    private func abandon(_ key: ObjectIdentifier, _ failure: Failure) {
        guard let entry = parked[key], entry.waiter != nil else { return }
        goOn(entry.ticket, .failure(failure))
        run(machine.handle(.left(entry.ticket)))
    }

    private static let unwanted = Failure(.cancelled, "The call to VK was cancelled")
    private static let isVoid = Failure(.cancelled, "another login came in between")

    private func run(_ effects: [ChallengeMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .park(let ticket, let challenge):
                parked.values.first { $0.ticket == ticket }?.operation
                    .park(challenge.failure, isHolder: machine.open?.ticket == ticket)
            case .hold: break
            case .resume(let ticket, let answer): goOn(ticket, .success(answer))
            case .release(let ticket): goOn(ticket, .success(.released))
            case .fail(let ticket, let failure): goOn(ticket, .failure(failure))
            case .show(let challenge, let question): show(challenge, question)
            case .hide: hide()
            }
        }
    }

    private func goOn(_ ticket: ChallengeMachine.Ticket, _ outcome: Result<ChallengeAnswer, Failure>) {
        guard let key = parked.first(where: { $0.value.ticket == ticket })?.key else { return }
        parked[key]?.operation.unpark()
        let waiter = parked[key]?.waiter
        parked[key]?.waiter = nil
        waiter?.resume(returning: outcome)
    }

    private func show(_ challenge: Challenge, _ question: Int) {
        problem = challenge.failure
        clock?.cancel()
        clock = Task.onMain { [weak self, time] in
            do { try await time.wait(for: ChallengeMachine.patience) } catch { return }
            guard let self else { return }
            log.warning("nobody answered \(challenge.word) in time")
            run(machine.handle(.expired(question: question)))
        }
        // Neither the address nor VK's sentence: logs are kept and shown around.
        log.notice("VK wants \(challenge.word): `nyanctl status` says what to do")
        hub.changed(.account)
    }

    private func hide() {
        problem = nil
        clock?.cancel()
        clock = nil
        hub.changed(.account)
    }
}
