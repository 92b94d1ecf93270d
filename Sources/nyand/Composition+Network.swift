import NyanCore
import NyanService

/// What is done when the network comes back, and when the library had to be begun anew.
extension Composition {
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
