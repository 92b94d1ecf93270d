import NyanCore
import NyanDBus

/// The way of the journal's listens to one site, as `ScrobbleDelivery` decides.
final class ScrobbleLane {
    /// So long the end of the program may wait for an answer.
    private static let farewell = Duration.milliseconds(500)

    let site: ScrobbleSite
    private let client: any ScrobbleClient
    private let journal: any ScrobbleJournal
    private let time: any TimeSource
    private let log: Log
    private var delivery: ScrobbleDelivery
    private var timer: (moment: Duration, task: Task<Void, Never>)?
    private var batch: Task<Void, Never>?
    private var word: Task<Void, Never>?
    private var isShutDown = false
    /// nil = nobody is signed in, or the keys could not be read.
    private(set) var keys: ScrobbleKeys?
    private var mayUseNetwork = false
    /// The problem of this lane is another one, or none any more.
    var onProblem: () -> Void = {}

    init(
        _ site: ScrobbleSite, client: any ScrobbleClient, journal: any ScrobbleJournal, time: any TimeSource, log: Log
    ) {
        self.site = site
        self.client = client
        self.journal = journal
        self.time = time
        self.log = log
        delivery = ScrobbleDelivery(batch: client.batch, seed: .random(in: .min ... .max))
    }

    var problem: Failure? { delivery.problem }

    /// New keys, or none; what the site refused before is forgotten.
    func use(_ keys: ScrobbleKeys?) {
        self.keys = keys
        // What is under way was sent with keys that are out of use.
        batch?.cancel()
        batch = nil
        take(.usable(false))
        take(.answered(.judged))
        take(.signedIn)
        setUsable()
    }

    func use(network isAllowed: Bool) {
        mayUseNetwork = isAllowed
        setUsable()
    }

    func networkReturned() { take(.networkReturned) }

    private func setUsable() { take(.usable(keys != nil && mayUseNetwork)) }

    /// More waits in the journal.
    func look(waiting count: Int) { take(.waiting(count)) }

    /// Tells what plays now, once and as it comes: it is of no use later.
    func tell(_ listen: Listen) {
        guard let keys, delivery.maySpeak(at: time.now) else { return }
        word?.cancel()
        word = Task.onMain { [self] in
            do throws(ScrobbleRefusal) {
                try await client.nowPlaying(listen, keys)
            } catch {
                guard !Task.isCancelled, self.keys == keys else { return }
                log.debug("\(site.title) was not told what plays: \(error.failure.message)")
                delivery.heard(error.answer, at: time.now)
                onProblem()
                keepTime()
            }
        }
    }

    /// Nothing is begun any more. What is under way gets a moment for its answer; else the next start sends it again.
    func shutDown() async {
        isShutDown = true
        timer?.task.cancel()
        word?.cancel()
        guard let batch else { return }
        if await LimitedWait.value(of: batch, within: Self.farewell, by: time) == nil { batch.cancel() }
    }

    private func take(_ input: ScrobbleDelivery.Input) {
        guard !isShutDown else { return }
        let before = delivery.problem
        for effect in delivery.handle(input, at: time.now) {
            switch effect {
            case .send(let count): send(count)
            case .drop(let failure): drop(failure)
            }
        }
        if delivery.problem != before {
            if let problem = delivery.problem { log.warning("scrobbling: \(problem.message)") }
            onProblem()
        }
        keepTime()
    }

    private func send(_ count: Int) {
        guard let keys else { return }
        batch = Task.onMain { [self] in
            let answer = await deliver(count, keys)
            guard !Task.isCancelled, !isShutDown else { return }
            batch = nil
            take(.waiting(await waiting()))
            take(.answered(answer))
        }
    }

    /// Sends the oldest listens and notes at once what became of them.
    private func deliver(_ count: Int, _ keys: ScrobbleKeys) async -> ScrobbleDelivery.Answer {
        let sent: [JournaledListen]
        do throws(Failure) { sent = try await journal.waiting(for: site, atMost: count) } catch {
            return .later(error, seconds: nil)
        }
        guard !sent.isEmpty, !Task.isCancelled else { return .judged }
        let verdicts: [ListenVerdict]
        do throws(ScrobbleRefusal) {
            verdicts = try await client.submit(sent.map(\.listen), keys)
        } catch {
            return error.answer
        }
        var settlement = JournalSettlement()
        var later = false
        for (listen, verdict) in zip(sent, verdicts) {
            switch verdict {
            case .taken: settlement.taken.append(listen.number)
            case .refused(let words):
                settlement.dropped.append(listen.number)
                settlement.reason = words
            case .later: later = true
            }
        }
        do throws(Failure) { try await journal.settle(settlement, for: site) } catch {
            return .later(error, seconds: nil)
        }
        if !settlement.dropped.isEmpty {
            log.notice("\(settlement.dropped.count) listens are not sent: \(settlement.reason ?? "")")
        }
        let words = "\(site.title) takes no more listens today, or the clock of this machine is ahead."
        return later ? .later(Failure(.serverBusy, words, retry: .later), seconds: 3600) : .judged
    }

    /// The oldest listen, alone, cannot be read by the site.
    private func drop(_ failure: Failure) {
        batch = Task.onMain { [self] in
            do throws(Failure) {
                guard let first = try await journal.waiting(for: site, atMost: 1).first else { return }
                try await journal.settle(
                    JournalSettlement(dropped: [first.number], reason: failure.message), for: site)
                log.notice("a listen is not sent: \(failure.message)")
            } catch {
                log.error("the scrobbling journal: \(error.message)")
            }
            guard !Task.isCancelled, !isShutDown else { return }
            batch = nil
            take(.waiting(await waiting()))
            take(.answered(.judged))
        }
    }

    private func waiting() async -> Int {
        let reports = try? await journal.reports()
        return reports?.first { $0.site == site }?.waiting ?? 0
    }

    private func keepTime() {
        let moment = isShutDown ? nil : delivery.nextMoment
        guard timer?.moment != moment else { return }
        timer?.task.cancel()
        timer = moment.map { moment in
            let task = Task.onMain { [self] in
                do { try await time.wait(for: max(.zero, moment - time.now)) } catch { return }
                timer = nil
                take(.moment)
            }
            return (moment, task)
        }
    }
}
