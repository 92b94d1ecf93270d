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
    /// Which batch is under way: one that was broken off has no say any more, however late it ends.
    private var batchNumber = 0
    /// Whose listens these are: grows with each login and logout, so that a late answer is not counted to another's.
    private var era = 0
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
        era += 1
        // What is under way was sent with keys that are out of use.
        breakOff()
        take(.signedIn)
        setUsable()
    }

    /// Whether anything may be sent. Where not, what is under way ends, too.
    func use(network isAllowed: Bool) {
        guard isAllowed != mayUseNetwork else { return }
        mayUseNetwork = isAllowed
        if !isAllowed { breakOff() }
        setUsable()
    }

    private func breakOff() {
        batch?.cancel()
        batch = nil
        batchNumber += 1
        word?.cancel()
        word = nil
        take(.usable(false))
        take(.abandoned)
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
                guard !Task.isCancelled else { return }
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
        batchNumber += 1
        batch = Task.onMain { [self, number = batchNumber, era] in
            await end(number, await deliver(count, keys, era))
        }
    }

    /// The batch of that number, or the drop, is over.
    private func end(_ number: Int, _ answer: ScrobbleDelivery.Answer) async {
        guard number == batchNumber else { return }
        let reports = try? await journal.reports()
        guard number == batchNumber, !isShutDown else { return }
        batch = nil
        if let reports { take(.waiting(reports.first { $0.site == site }?.waiting ?? 0)) }
        take(.answered(answer))
    }

    /// Sends the oldest listens and notes at once what became of them.
    private func deliver(_ count: Int, _ keys: ScrobbleKeys, _ era: Int) async -> ScrobbleDelivery.Answer {
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
        // Another's login meanwhile: these are not that account's.
        guard era == self.era else { return .judged }
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
        batchNumber += 1
        batch = Task.onMain { [self, number = batchNumber] in
            do throws(Failure) {
                let first = try await journal.waiting(for: site, atMost: 1).first
                guard number == batchNumber else { return }
                guard let first else { return await end(number, .judged) }
                try await journal.settle(
                    JournalSettlement(dropped: [first.number], reason: failure.message), for: site)
                log.notice("a listen is not sent: \(failure.message)")
            } catch {
                log.error("the scrobbling journal: \(error.message)")
            }
            await end(number, .judged)
        }
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
