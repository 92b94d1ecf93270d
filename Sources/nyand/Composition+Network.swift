import Dispatch
import NyanCore
import NyanNet
import NyanService

/// What is done when the network comes back, and when the library had to be begun anew.
extension Composition {
    private static let loading = DispatchQueue(label: "org.nyantunes.Nyand.loading")

    /// Who is signed in will ask VK soon: libcurl is loaded before, and away from the main queue.
    func warmUpNetwork() {
        guard account.isSignedIn, !connectivity.isOfflineMode else { return }
        Self.loading.async { @Sendable in CurlSession.loadLibrary() }
    }

    /// From now on the machine's routes are listened to.
    func watchNetwork() {
        let network = NetworkReturn(
            connectivity: connectivity, http: session, time: time,
            address: { [weak self] in self?.settings.apiURL ?? "" })
        routes = RouteWatch { [weak self] in
            network.routesChanged()
            self?.periodicSync.networkChanged()
            self?.scrobbles.mayReach()
        }
    }
}
