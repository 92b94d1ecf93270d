public import NyanCore
import NyanDBus

/// Signing in and out. A refused login stores nothing; what is answered is on disk.
extension ScrobbleService {
    /// With the token a person copied from their ListenBrainz settings; answers whose it is.
    public func signIn(token: Secret) async throws(Failure) -> String {
        try connectivity.requireNetwork()
        guard !token.revealed.isEmpty, token.revealed.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Failure(.badArgument, "this is no ListenBrainz token: it is one word, from listenbrainz.org/settings")
        }
        let name: String
        do throws(ScrobbleRefusal) {
            name = try await clients.listenBrainz.prove(token)
        } catch {
            throw error.failure
        }
        try await enrol(.listenbrainz, ScrobbleKeys(token: token), name)
        return name
    }

    /// With a person's own API account; answers the page where they give their consent.
    public func beginConsent(apiKey: Secret, sharedSecret: Secret) async throws(Failure) -> Secret {
        try connectivity.requireNetwork()
        for text in [apiKey.revealed, sharedSecret.revealed] {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw Failure(
                    .badArgument,
                    "an API key and its shared secret are wanted, one a line, from last.fm/api/account/create")
            }
        }
        do throws(ScrobbleRefusal) {
            let fresh = try await clients.lastFM.begin(apiKey: apiKey, sharedSecret: sharedSecret)
            grant = fresh
            return fresh.page
        } catch {
            throw error.failure
        }
    }

    /// After the consent; answers whose account it is. `.challengeNeeded` = it was not given yet.
    public func finishConsent() async throws(Failure) -> String {
        guard let grant else {
            throw Failure(.conflict, "no login was begun: `nyanctl scrobble login lastfm` begins one")
        }
        try connectivity.requireNetwork()
        do throws(ScrobbleRefusal) {
            let (keys, name) = try await clients.lastFM.finish(grant)
            if self.grant == grant { self.grant = nil }
            do throws(Failure) { try await enrol(.lastfm, keys, name) } catch { throw ScrobbleRefusal(.stopped(error)) }
            return name
        } catch {
            // The token of the page is of no more use.
            if case .stopped = error.answer, self.grant == grant { self.grant = nil }
            throw error.failure
        }
    }

    /// - Returns: how many listens were not sent and are thrown away.
    public func signOut(_ site: ScrobbleSite) async throws(Failure) -> Int {
        try await turns.run { [self] () throws(Failure) in
            var keys = try await knownKeys()
            keys[site] = nil
            // First: after this no key is left, whatever comes between.
            try await keyStore.save(keys)
            lanes[site]?.use(nil)
            if site == .lastfm { grant = nil }
            let lost = try await journal.forget(site)
            await joined(site, false, keys)
            return lost
        }
    }

    /// The keys that are kept. Where what is written cannot be read at all, those in use: a login must heal that.
    private func knownKeys() async throws(Failure) -> [ScrobbleSite: ScrobbleKeys] {
        do throws(Failure) {
            return try await keyStore.load()
        } catch  where error.code == .fileAccess {
            return lanes.compactMapValues(\.keys)
        }
    }

    private func enrol(_ site: ScrobbleSite, _ keys: ScrobbleKeys, _ name: String) async throws(Failure) {
        try await turns.run { [self] () throws(Failure) in
            var all = try await knownKeys()
            all[site] = keys
            try await keyStore.save(all)
            // What is under way for the account of before must not be counted to this one.
            let before = lanes[site]?.keys
            lanes[site]?.use(nil)
            do throws(Failure) { try await journal.enrol(site, name: name) } catch {
                lanes[site]?.use(before)
                throw error
            }
            await joined(site, true, all)
            log.notice("scrobbling to \(site.title)")
        }
    }

    /// The site was joined or left; `keys`: all that are kept by now.
    private func joined(_ site: ScrobbleSite, _ isEnrolled: Bool, _ keys: [ScrobbleSite: ScrobbleKeys]) async {
        if isEnrolled { enrolled.insert(site) } else { enrolled.remove(site) }
        // One that could not be read at the start can be by now.
        if let reports = try? await journal.reports() {
            enrolled = Set(reports.map(\.site))
            isJournalRead = true
        }
        setJournalProblem(nil)
        storeProblem = nil
        use(keys)
        listen()
        hub.changed(.playback)
        await lookAtJournal()
        retryIfOwed()
    }
}
