import CSystem
import NyanCore
import NyanDBus
import NyanService
import NyanStore

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
        guard store.isNew else { return await downloads.restore() }
        await findFiles()
        await downloads.restore(sweeping: false)
        await findUnfinished()
    }

    /// Damage was found at a query: what could be read of the old library is in the new one already.
    private func damaged(_ damage: Failure, isNew: Bool) async {
        log.error(damage.message)
        guard isNew else { return }
        // What is known here must be in the new library too.
        do throws(Failure) {
            try await store.setAccount(account.account)
            try await store.save(downloads.list)
            if connectivity.isOfflineMode { try await store.setNote(Self.offlineNote, "on") }
        } catch {
            log.error(error.message)
        }
        await findFiles()
        await findUnfinished()
        hub.changed([.library, .playback])
        if account.isSignedIn, !connectivity.isOfflineMode { _ = try? await library.sync() }
    }

    /// What My Music holds is known again by the files' tags.
    private func findFiles() async {
        do throws(Failure) {
            let found = try await music.scan()
            guard !found.isEmpty else { return }
            try await store.addCopies(found)
            log.info("\(found.count) tracks of My Music are in the library again")
            hub.changed(.library)
        } catch {
            log.error("My Music could not be read into the new library: \(error.message)")
        }
    }

    /// Downloads whose rows were lost but whose bytes are there go on as soon as VK describes their tracks.
    private func findUnfinished() async {
        let listed = Set(downloads.list.map(\.id))
        lostDownloads = copies.durableIDs().filter { !listed.contains($0) }
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

    /// VK answers: what is still lost is asked for.
    private func synced() async {
        await account.describeAgain()
        await askForLostDownloads()
    }

    private func askForLostDownloads() async {
        let ids = lostDownloads
        guard !ids.isEmpty, account.isSignedIn, !connectivity.isOfflineMode else { return }
        lostDownloads = []
        for id in ids {
            do throws(Failure) {
                let found = try await library.tracks([TrackReference(id: id)])
                _ = try await downloads.add(found.map(\.track))
            } catch  where error.retry != .never || error.code == .network {
                lostDownloads.append(id)
            } catch {
                log.notice("the unfinished download \(id) cannot go on: \(error.message)")
            }
        }
        guard lostDownloads.count < ids.count else { return }
        log.info("\(ids.count - lostDownloads.count) unfinished downloads are in the list again")
    }
}
