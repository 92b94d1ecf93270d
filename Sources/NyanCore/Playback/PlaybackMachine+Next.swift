// Having the next sound ready before the current one ends, so that they join without a gap (DESIGN.md §4).
extension PlaybackMachine {
    /// How many entries are tried, one after another, before the player gives up.
    static var mostFailures: Int { 10 }

    mutating func allBytesCame(_ load: LoadNumber) {
        if load == upcoming?.number { upcoming?.hasAllBytes = true }
        guard load == sounding?.number else { return }
        sounding?.wantsNext = true
        reconsiderNext()
    }

    mutating func endIsNear(_ load: LoadNumber) {
        guard load == sounding?.number else { return }
        if sounding?.isNearEnd == false, upcoming == nil { sounding?.passedOver = [] }
        sounding?.isNearEnd = true
        sounding?.wantsNext = true
        reconsiderNext()
    }

    /// Makes sure that what is prepared is what comes next; called after everything that may change it.
    mutating func reconsiderNext() {
        guard let sounding, sounding.phase == .started, sounding.wantsNext else { return }
        let wanted = following(sounding)
        if let wanted, wanted.entry.id == upcoming?.entry {
            upcoming?.steps = wanted.steps
            return
        }
        dropUpcoming()
        guard let wanted else { return }
        let load = newLoad()
        upcoming = UpcomingLoad(number: load, entry: wanted.entry.id, steps: wanted.steps)
        effects.append(.prepare(load, wanted.entry, .next))
    }

    /// The nearest entry to come that has not proved bad, within reach.
    private mutating func following(_ sounding: SoundingLoad) -> (entry: Entry, steps: Int)? {
        guard !sounding.endsAlone, sounding.passedOver.count < Self.mostFailures, state.sleepTimer != .endOfTrack else {
            return nil
        }
        if order.repeatMode == .track {
            return currentEntry.flatMap { sounding.passedOver.contains($0.id) ? nil : ($0, 0) }
        }
        for (index, id) in order.ahead(Self.mostFailures).enumerated() where !sounding.passedOver.contains(id) {
            return queue[id].map { ($0, index + 1) }
        }
        return nil
    }

    mutating func stage() {
        guard let upcoming, !upcoming.isStaged else { return }
        self.upcoming?.isStaged = true
        effects.append(.stage(upcoming.number))
    }

    mutating func dropUpcoming() {
        guard let upcoming else { return }
        if upcoming.isStaged {
            effects.append(.unstage)
            unstaged = upcoming.number
        }
        effects.append(.release(upcoming.number))
        self.upcoming = nil
    }

    /// The next one cannot be had: try the one after it. What sounds is not touched.
    mutating func upcomingFailed(_ failure: Failure) {
        guard let upcoming else { return }
        let isMissingPiece = isMissingPiece(failure)
        state.problem = isMissingPiece ? failure : about(queue[upcoming.entry], failure)
        sounding?.passedOver.insert(upcoming.entry)
        // Others would fail in the same way: what sounds is heard to its end, and then the next one stops the row.
        if isMissingPiece { sounding?.endsAlone = true }
        dropUpcoming()
        reconsiderNext()
    }

    /// The engine went over to the staged sound by itself: it is the current one from here on.
    mutating func switchToUpcoming() {
        guard let upcoming, upcoming.isStaged, let old = sounding else { return }
        // A row of scraps must end, too, also where each is joined to the one before.
        if !wasScrap {
            failuresInARow = 0
        } else if failuresInARow + 1 >= min(Self.mostFailures, queue.count) {
            return loadFailed(old.number, Failure(.damagedSound, "The sound ended when it had hardly begun."))
        } else {
            noteFailure()
        }
        let isSame = upcoming.entry == order.current
        _ = order.advance(by: upcoming.steps)
        var load = SoundingLoad(number: upcoming.number)
        load.phase = .started
        load.startedAt = now
        load.wantsNext = upcoming.hasAllBytes
        load.knowsLength = upcoming.length != nil
        sounding = load
        self.upcoming = nil
        unstaged = nil
        if let entry = currentEntry { beginHearing(entry, at: .zero) }
        setClock(to: .zero)
        state.length = upcoming.length ?? currentEntry?.track.length
        clearProblem()
        effects.append(.release(old.number))
        if isSame { announceJump() }
        reconsiderNext()
        save()
    }
}
