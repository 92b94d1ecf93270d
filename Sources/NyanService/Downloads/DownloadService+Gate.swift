import NyanCore
import NyanDBus

// Whether anything may be fetched. Where nothing can be, the whole list waits: no download fails for what concerns all.
extension DownloadService {
    /// Whether the list waits, and for what.
    struct Gate {
        var isClosed = false
        /// While VK cannot be reached: looks again by itself.
        var timer: Task<Void, Never>?
        /// How often in a row looking again was in vain; decides the pause.
        var outages = 0
    }

    private static let firstPause = 5
    private static let longestPause = 60

    /// Failures of the account or the network, not of one track.
    private static let ofAccount: Set<Failure.Code> = [.notSignedIn, .clientRefused, .challengeNeeded, .offline]
    private static let ofNetwork: Set<Failure.Code> = [.network, .timeout]

    private var mayFetch: Bool { account.isSignedIn && !connectivity.isOfflineMode }

    /// The account or the network is another: opens or closes.
    func lookAtGate() {
        if !mayFetch {
            close()
        } else if account.problem == nil, connectivity.isOnline || !gate.isClosed {
            open()
        } else if account.problem == nil, gate.timer == nil {
            // Closed for another reason that is over: the next attempt tells whether the network is there.
            open()
        }
    }

    /// Somebody wishes for a download now: worth a try whatever was wrong before.
    func tryGate() {
        if mayFetch { open() }
    }

    /// Judges the end of a transfer. True: it concerns all, and this download waits with the rest.
    func concernsAll(_ id: TrackID, _ failure: Failure) -> Bool {
        if Self.ofAccount.contains(failure.code) {
            close()
            return true
        }
        guard Self.ofNetwork.contains(failure.code), !connectivity.isOnline else { return false }
        // The reason stays to be seen at the one that met it.
        handle(.transferFailed(id, failure))
        close()
        lookAgainLater()
        return true
    }

    func bytesCame() { gate.outages = 0 }

    private func open() {
        gate.timer?.cancel()
        gate.timer = nil
        guard gate.isClosed else { return }
        gate.isClosed = false
        handle(.online(true))
    }

    private func close() {
        guard !gate.isClosed else { return }
        gate.isClosed = true
        handle(.online(false))
    }

    private func lookAgainLater() {
        let pause = min(Self.firstPause << min(gate.outages, 4), Self.longestPause)
        gate.outages += 1
        gate.timer?.cancel()
        gate.timer = Task.onMain { [weak self, time] in
            do { try await time.wait(for: .seconds(pause)) } catch { return }
            guard let self else { return }
            gate.timer = nil
            if mayFetch { open() }
        }
    }
}
