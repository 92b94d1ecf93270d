import NyanCore
import NyanDBus

/// How far the taking up of what an earlier run left has come.
struct TakingUp {
    var isRunning = false
    /// Asked for while it ran.
    var onceMore = false
    /// Tries again by itself.
    var retrying: Task<Void, Never>?
}

/// Reading the journal and the keys, which a slow disk, a locked keyring or a silent one may put off.
extension ScrobbleService {
    /// Pauses before it is tried again by itself; after the last only when the bus tells something.
    private static let pauses: [Duration] = [10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) }

    /// The keyring may work now.
    public func storeMayWork() {
        guard storeProblem != nil || !keyless.isEmpty || !isJournalRead else { return }
        Task.onMain { [self] in await takeUp() }
    }

    /// Reads who is signed in where, and the keys; one at a time, whoever asks.
    func takeUp() async {
        guard !taking.isRunning else {
            taking.onceMore = true
            return
        }
        taking.isRunning = true
        repeat {
            taking.onceMore = false
            try? await turns.run { [self] in
                await readJournal()
                await readKeys()
            }
        } while taking.onceMore && !isShutDown
        taking.isRunning = false
        retryIfOwed()
    }

    private func readJournal() async {
        guard !isJournalRead else { return }
        do throws(Failure) {
            enrolled = Set(try await journal.reports().map(\.site))
            isJournalRead = true
            let notice = await journal.notice.map {
                Failure($0.code, "\($0.message); `nyanctl scrobble login` begins scrobbling anew")
            }
            setJournalProblem(notice)
        } catch {
            setJournalProblem(Failure(error.code, "scrobbling: \(error.message)", retry: error.retry))
        }
        // While nobody knows, somebody may be signed in: what counts is kept until it can be written.
        listen()
        write()
    }

    private func readKeys() async {
        guard !enrolled.isEmpty else { return }
        let (before, missing) = (storeProblem, keyless)
        do throws(Failure) {
            let keys = try await keyStore.load()
            storeProblem = nil
            use(keys)
            await lookAtJournal()
        } catch {
            storeProblem = Failure(error.code, "scrobbling waits: \(error.message)", retry: error.retry)
        }
        guard storeProblem != before || keyless != missing else { return }
        if let problem = storeProblem { log.warning(problem.message) }
        for site in keyless.subtracting(missing) { log.warning(Self.missing(site).message) }
        hub.changed(.playback)
    }

    /// Each lane gets its own keys; one that has them already goes on as it is.
    func use(_ keys: [ScrobbleSite: ScrobbleKeys]) {
        keyless = enrolled.filter { keys[$0] == nil }
        for site in enrolled {
            if let key = keys[site], let lane = lanes[site], lane.keys != key { lane.use(key) }
        }
    }

    static func missing(_ site: ScrobbleSite) -> Failure {
        Failure(
            .denied, "the keys for \(site.title) are gone: `nyanctl scrobble login \(site.rawValue)`; listens are kept")
    }

    /// Why nothing is sent to that site.
    func problem(of site: ScrobbleSite) -> Failure? {
        let store = lanes[site]?.keys == nil ? storeProblem : nil
        return lanes[site]?.problem ?? (keyless.contains(site) ? Self.missing(site) : nil) ?? store ?? journalProblem
    }

    /// Tries again after a while what may pass by itself, and no longer than it is owed.
    func retryIfOwed() {
        guard !isJournalRead || storeProblem?.retry == .later, !isShutDown else {
            taking.retrying?.cancel()
            taking.retrying = nil
            return
        }
        guard taking.retrying == nil else { return }
        taking.retrying = Task.onMain { [self] in
            for pause in Self.pauses {
                do { try await time.wait(for: pause) } catch { return }
                await takeUp()
            }
        }
    }
}
