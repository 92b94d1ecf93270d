import NyanCore
import NyanDBus
import NyanNet
import NyanService

/// What the machine's sleep means for the parts, and what is looked at when bytes make trouble.
extension Composition {
    /// From now on sleep is prepared for where logind announces it, and noticed by the clocks where not.
    func watchSleep() {
        let reaction = SleepWatch.Reaction(
            prepare: { [weak self] in await self?.prepareForSleep() }, wake: { [weak self] in self?.wake() },
            stoodStill: { [weak self] in self?.player.stoodStill(for: $0) })
        let watch = SleepWatch(
            log: log, isTicking: { [weak self] in self?.player.isTicking == true }, reaction: reaction)
        sleepWatch = watch
        player.onActivity = { [weak watch] in watch?.look() }
        transfers.onTrouble = { [weak watch] in watch?.look() }
        Task.onMain { [self] in await listenToLogind() }
    }

    private func listenToLogind() async {
        do throws(BusError) {
            let logind = try await Logind.onBus(log: log)
            self.logind = logind
            logind.onGone = { [weak self] in
                self?.logind = nil
                self?.sleepWatch?.announcerGone()
            }
            sleepWatch?.use(logind)
        } catch {
            log.debug("sleep is noticed only after it: no system bus (\(error.message))")
        }
    }

    private func prepareForSleep() async {
        transfers.cutOff()
        await player.prepareForSleep()
    }

    /// Connections of before lead nowhere now, and waiting for their time limits would be silence.
    private func wake() {
        transfers.cutOff()
        session.dropConnections()
        transfers.goOn()
        player.wake()
        periodicSync.woke()
        scrobbles.mayReach()
    }

    /// What is told of the bytes on disk, and what of them the stream cache keeps whatever its ceiling.
    func watchCache() {
        transfers.currentTrack = { [weak self] in self?.player.state.currentEntry?.track.id }
        transfers.onDamage = { [log] id, bytes in
            log.notice("\(id): \(bytes) bytes of it on disk were damaged and are fetched anew")
        }
    }
}
