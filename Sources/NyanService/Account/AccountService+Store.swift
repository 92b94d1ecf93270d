import NyanCore
import NyanDBus

/// What the secret store could not do yet.
enum StoreDebt: Equatable {
    /// Nobody knows yet whether it holds a login, or it holds one that was signed out of.
    case load
    /// The credential in use is not where it belongs.
    case save
}

/// A secret store that was late, locked or silent is tried again: when the bus tells of it, and by itself a few times.
extension AccountService {
    /// Pauses before it is tried again by itself; after the last only when the bus tells something.
    private static let pauses: [Duration] = [10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) }

    /// Notes what the store has still to do; nil = nothing.
    func owes(_ debt: StoreDebt?) {
        guard debt != self.debt else { return }
        self.debt = debt
        retrying?.cancel()
        retrying = nil
        guard debt != nil, let time else { return }
        retrying = Task.onMain { [self] in
            for pause in Self.pauses {
                do { try await time.wait(for: pause) } catch { return }
                await tryStoreAgain()
            }
        }
    }

    /// The keyring has appeared, or something of it has changed. One that appears may hold a login nobody knew of.
    public func storeMayWork(appeared: Bool) {
        guard debt != nil || appeared && !isSignedIn else { return }
        Task.onMain { [self] in await tryStoreAgain() }
    }

    private func tryStoreAgain() async {
        guard !isTryingStore else {
            triesStoreAgain = true
            return
        }
        isTryingStore = true
        repeat {
            triesStoreAgain = false
            if debt == .load || !isSignedIn {
                await takeUp()
                if isSignedIn { restoredLate() }
            } else if debt == .save {
                await settleStore()
            }
        } while triesStoreAgain && debt != nil
        isTryingStore = false
    }

    /// Brings the credential in use to where it belongs.
    func settleStore() async {
        let epoch = epoch
        var failure: Failure?
        do throws(Failure) {
            try await storing.run { [self] () throws(Failure) in
                guard self.epoch == epoch, let credential = session.credential else { return }
                if debt == .save, await credentials.trouble == nil { try await credentials.save(credential) }
                await credentials.settle()
            }
        } catch {
            failure = error
        }
        if self.epoch == epoch { await noteStore(failure) }
    }
}
