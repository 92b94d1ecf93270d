public import NyanCore
import NyanDBus

/// Finds out whether the network is there again when the machine's routes have changed; otherwise it does nothing.
public final class NetworkReturn {
    /// Routes come one by one, and names can be looked up a little later; then it is given up until they change again.
    private static let pauses: [Duration] = [.seconds(1), .seconds(4), .seconds(15)]

    private let connectivity: Connectivity
    private let http: any HTTPClient
    private let time: any TimeSource
    private var looking: Task<Void, Never>?
    /// Where to ask; without a secret, since any answer will do.
    private let address: () -> String

    public init(
        connectivity: Connectivity, http: any HTTPClient, time: any TimeSource, address: @escaping () -> String
    ) {
        self.connectivity = connectivity
        self.http = http
        self.time = time
        self.address = address
    }

    /// The machine's routes are others.
    public func routesChanged() {
        looking?.cancel()
        looking = nil
        guard isWorthALook else { return }
        looking = Task.onMain { [weak self] in await self?.look() }
    }

    private var isWorthALook: Bool { !connectivity.isOnline && !connectivity.isOfflineMode }

    private func look() async {
        for pause in Self.pauses {
            do { try await time.wait(for: pause) } catch { return }
            guard isWorthALook else { return }
            let request = HTTPRequest(.get, url: Secret(address()), timeout: .seconds(10), maxBytes: 1 << 20)
            if (try? await http.send(request)) != nil {
                if !connectivity.isOfflineMode { connectivity.succeeded() }
                return
            }
            if Task.isCancelled { return }
        }
    }
}
