import NyanCore
import NyanNet
import NyanScrobble
import NyanService
import NyanStore
import NyanWire

/// The doors to the scrobbling sites, whose addresses are settings.
struct ScrobbleDoors {
    let listenBrainz: ListenBrainzClient
    let lastFM: LastFMClient

    func use(_ settings: Settings) {
        listenBrainz.url = settings.listenBrainzURL
        lastFM.url = settings.lastFMURL
    }
}

extension Composition {
    func makeScrobbles() -> ScrobbleService {
        let doors = ScrobbleDoors(
            listenBrainz: ListenBrainzClient(
                http: session, url: settings.listenBrainzURL, version: Names.version,
                wallClock: { WallClock.now }),
            lastFM: LastFMClient(http: session, url: settings.lastFMURL, wallClock: { WallClock.now }))
        scrobbleClients = doors
        return ScrobbleService(
            clients: .init(listenBrainz: doors.listenBrainz, lastFM: doors.lastFM),
            journal: ScrobbleDatabase(path: places.scrobblesFile),
            keyStore: ScrobbleKeyFile(settings.accountStore, path: places.scrobbleKeysFile), player: player,
            connectivity: connectivity, hub: hub, time: time, log: log)
    }
}
