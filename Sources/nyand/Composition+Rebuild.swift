import CSystem
import NyanCore
import NyanDBus
import NyanService
import NyanStore

/// How far a new library is. The store's note of it stands until all is done, so that the next start goes on.
struct Rebuild {
    /// My Music was read.
    var knowsFiles = false
    /// Downloads whose rows were lost with the library, and whose bytes are there; nil = not looked for yet.
    var lost: [TrackID]?
    /// VK is being asked for them.
    var isAsking = false
}

/// What is done where the library is a new one: it knows again what VK and the disk know, and nothing is fetched twice.
extension Composition {
    /// Takes up the download list. Nothing that a lost list may have wanted is taken for left over.
    func restoreLibrary() async {
        store.onDamage.listen { [weak self] damage, isNew in
            Task.onMain { await self?.damaged(damage, isNew: isNew) }
        }
        library.syncs.listen { [weak self] result in
            self?.returnMemorySoon()
            guard case .success = result else { return }
            Task.onMain { await self?.synced() }
        }
        copies.sweepLeftovers(olderThan: time.now - began)
        guard store.isNew else {
            await settleFinished()
            return await downloads.restore()
        }
        rebuild = Rebuild()
        await findFiles()
        await settleFinished()
        await downloads.restore(sweeping: false)
        await findUnfinished()
    }

    /// Damage was found at a query: what could be read of the old library is in the new one already.
    private func damaged(_ damage: Failure, isNew: Bool) async {
        log.error(damage.message)
        guard isNew else { return }
        rebuild = Rebuild()
        // What is known here must be in the new library too.
        do throws(Failure) {
            // Nobody is known here yet where the damage showed as nyand starts: then the old library's account stays.
            if let known = account.account { try await store.setAccount(known) }
            try await store.save(downloads.list)
            if connectivity.isOfflineMode { try await store.setNote(Self.offlineNote, "on") }
        } catch {
            log.error(error.message)
        }
        await findFiles()
        await findUnfinished()
        await startKeeping()
        hub.changed([.library, .playback])
        if account.isSignedIn, !connectivity.isOfflineMode { _ = try? await library.sync() }
    }

    /// What My Music holds is known again by the files' tags.
    private func findFiles() async {
        do throws(Failure) {
            // Looked at first: a disk that is away and comes while it is read is read again at the next start.
            let isThere = await music.isThere()
            let found = try await music.scan()
            try await store.addCopies(found)
            // An empty folder of which copies are listed may be the place of a disk that is away as well.
            let misses = found.isEmpty ? try await store.hasCopies(in: music.directory) : false
            rebuild?.knowsFiles = isThere && !misses
            guard !found.isEmpty else { return }
            log.info("\(found.count) tracks of My Music are in the library again")
            hub.changed(.library)
        } catch {
            log.error("My Music could not be read into the new library: \(error.message)")
        }
    }

    /// Downloads whose rows were lost but whose bytes are there go on as soon as VK describes their tracks.
    private func findUnfinished() async {
        let listed = Set(downloads.list.map(\.id))
        rebuild?.lost = copies.durableIDs().filter { !listed.contains($0) }
        await askForLostDownloads()
    }

    /// What a sync or a long listing took is given back when the answer is out of the house: once, a second later.
    func returnMemorySoon() {
        guard memoryReturn == nil else { return }
        memoryReturn = Task.onMain { [weak self, time] in
            try? await time.wait(for: .seconds(1))
            self?.memoryReturn = nil
            nyan_return_memory()
        }
    }

    /// VK answers: what is still lost is asked for, and the list of playlists.
    private func synced() async {
        await account.describeAgain()
        await askForLostDownloads()
        await playlists.refresh()
    }

    private func askForLostDownloads() async {
        guard let ids = rebuild?.lost, rebuild?.isAsking == false else { return }
        if !ids.isEmpty, account.isSignedIn, !connectivity.isOfflineMode {
            rebuild?.isAsking = true
            let still = await ask(for: ids)
            rebuild?.isAsking = false
            rebuild?.lost = still
            if still.count < ids.count {
                log.info("\(ids.count - still.count) unfinished downloads are in the list again")
            }
        }
        await endRebuilding()
    }

    /// Puts lost downloads into the list again.
    /// - Returns: those to ask for another time.
    private func ask(for ids: [TrackID]) async -> [TrackID] {
        var still: [TrackID] = []
        for id in ids {
            do throws(Failure) {
                let found = try await library.tracks([TrackReference(id: id)])
                _ = try await downloads.addAgain(found.map(\.track))
            } catch  where error.retry != .never || error.code == .network {
                still.append(id)
            } catch {
                log.notice("the unfinished download \(id) cannot go on: \(error.message)")
            }
        }
        return still
    }

    /// Nothing is lacking any more: the next start is an ordinary one.
    private func endRebuilding() async {
        guard let rebuild, rebuild.knowsFiles, rebuild.lost?.isEmpty == true else { return }
        self.rebuild = nil
        do throws(Failure) { try await store.endRebuilding() } catch { log.error(error.message) }
    }
}
