// Pauses that servers ask for: one for a host, not one for each download (field-issues.md C12).
extension DownloadMachine {
    /// A pause of one host.
    struct Hold: Sendable, Equatable {
        /// Nothing of this host starts before.
        var until: Duration
    }

    /// The key of VK's own API among holds that are told and stored: it holds every download.
    public static let everyHost = ""
    /// Downloads of unknown hosts that are tried while a host asks for a pause and nothing else comes.
    static let mostProbes = 20

    /// What is waited for, by host, as time left from `now`; `everyHost` = VK itself.
    public func holds(at now: Duration) -> [String: Duration] {
        var left = hostHolds.mapValues { $0.until - now }
        if let holdUntil { left[Self.everyHost] = holdUntil - now }
        return left.filter { $0.value > .zero }
    }

    func isHeld(_ host: String?, at now: Duration) -> Bool {
        guard let host, let hold = hostHolds[host] else { return false }
        return hold.until > now
    }

    /// Whose pause a download would wait for, as far as that is known; nil = nobody's. `holds`: as `holds(at:)` tells.
    public func holder(of id: TrackID, among holds: [String: Duration]) -> String? {
        guard !holds.isEmpty else { return nil }
        if let host = items[id]?.host, holds[host] != nil { return host }
        return holds[Self.everyHost].map { _ in Self.everyHost }
    }

    /// A host asks for a pause. One that is waited for already says nothing new, unless it asks for longer: the answers
    /// of all workers of a moment are one.
    mutating func hold(_ host: String, after failure: Failure, at now: Duration, _ outcome: inout Outcome) {
        if isHeld(host, at: now), let hold = hostHolds[host] {
            guard case .after(let seconds) = failure.retry, seconds.isFinite else { return }
            let until = now + .seconds(min(seconds, RetryRule.longestWish))
            guard until > hold.until else { return }
            hostHolds[host] = Hold(until: until)
        } else {
            let rounds = busyRounds[host, default: 0] + 1
            busyRounds[host] = rounds
            let chance = nextChance()
            var usual = failure
            usual.retry = .later
            let pause = max(
                RetryRule.pause(after: failure, attempts: rounds, chance: chance),
                RetryRule.pause(after: usual, attempts: rounds, chance: chance))
            hostHolds[host] = Hold(until: now + pause)
        }
        armHold(at: now, &outcome)
    }

    /// Takes up the pauses of an earlier run; times are from `now` on.
    mutating func restoreHolds(_ left: [String: Duration], at now: Duration, _ outcome: inout Outcome) {
        for (host, pause) in left where pause > .zero {
            let until = now + min(pause, .seconds(RetryRule.longestWish * 1.1))
            if host == Self.everyHost { holdUntil = until } else { hostHolds[host] = Hold(until: until) }
        }
        armHold(at: now, &outcome)
    }

    /// Asks to be told when the first of the pauses is over.
    func armHold(at now: Duration, _ outcome: inout Outcome) {
        let ends = hostHolds.values.map(\.until) + [holdUntil].compactMap { $0 }
        if let first = ends.min() { outcome.act(.hold(first - now)) }
    }

    mutating func holdOver(at now: Duration, _ outcome: inout Outcome) {
        guard holdUntil != nil || !hostHolds.isEmpty else { return }
        if let holdUntil, holdUntil <= now { self.holdUntil = nil }
        hostHolds = hostHolds.filter { $0.value.until > now }
        probes = 0
        armHold(at: now, &outcome)
    }

    /// Where downloads will be fetched from, as far as that is known before they start.
    mutating func located(_ hosts: [TrackID: String]) {
        for (id, host) in hosts { items[id]?.host = host }
    }

    /// Bytes came from where this download is fetched: its host is well again.
    mutating func heard(from host: String?) {
        guard !busyRounds.isEmpty || probes > 0 else { return }
        probes = 0
        if let host { busyRounds[host] = nil }
    }

    /// The next that will start, in their order, to be asked for along with others; those that back off or are held are
    /// left out.
    public func upcoming(_ limit: Int, at now: Duration) -> [TrackReference] {
        guard isOnline, placeTrouble == nil, holdUntil == nil, limit > 0 else { return [] }
        var found: [TrackReference] = []
        for id in order[cursor...] {
            guard let item = items[id], item.download.state == .waiting, item.waitsUntil == nil,
                !isHeld(item.host, at: now), item.download.track.address == nil
            else { continue }
            found.append(item.download.track.reference)
            if found.count == limit { break }
        }
        return found
    }
}
