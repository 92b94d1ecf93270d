public import NyanCore

/// VK as the place where tracks come from: `MusicSource` over an `HTTPClient` (vk-api.md §2). Main actor.
public final class VKSource: MusicSource {
    /// Spoken to media hosts while nobody is signed in.
    private static let plainUserAgent = "nyand"

    let client: VKClient
    private var credential: Credential?

    /// - Parameters:
    ///   - http: carries every call; the source opens nothing itself.
    ///   - time: measures the pace and sleeps out back-offs.
    ///   - minInterval: least time between the starts of two calls; VK's own limit is three a second.
    ///   - timeout: how long one try of a call may take; there are at most five.
    ///   - language: VK's `lang`; any but `ru` makes VK translate or transliterate Russian names.
    ///   - seed: of the back-off's jitter.
    public init(
        http: any HTTPClient, time: any TimeSource,
        minInterval: Duration = .milliseconds(400), timeout: Duration = .seconds(20), language: String = "ru",
        seed: UInt64 = .random(in: 0 ... .max)
    ) {
        client = VKClient(
            http: http, time: time, minInterval: minInterval, timeout: timeout, language: language, seed: seed)
    }

    /// Least time between the starts of two calls; may be changed at any time (`vk.min-interval-ms`).
    public var minInterval: Duration {
        get { client.minInterval }
        set { client.minInterval = newValue }
    }

    /// Throws where no call may be made now (offline mode). Asked before each try; what is under way is let end.
    public var requireNetwork: () throws(Failure) -> Void {
        get { client.requireNetwork }
        set { client.requireNetwork = newValue }
    }

    /// Calls made with another credential that still wait or are under way end as cancelled.
    public func use(_ credential: Credential?) { self.credential = credential }

    public var userAgent: String { credential?.profile.userAgent ?? Self.plainUserAgent }

    public func profilePage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> TrackPage {
        var parameters = [
            (name: "offset", value: String(max(offset, 0))), (name: "count", value: String(max(count, 1))),
        ]
        if let owner { parameters.append((name: "owner_id", value: String(owner))) }
        let list = try await listing("audio.get", parameters)
        // Without a length a sync could take the rest of the library for gone.
        guard let total = list.count else { throw Reaction.unreadable.failure }
        return TrackPage(count: total, tracks: list.audios.map(\.track), itemCount: list.itemCount)
    }

    /// VK gives at most 300; many fewer may come (vk-api.md §2.2 `audio.search`).
    public func search(_ text: String, count: Int, byArtist: Bool) async throws(Failure) -> [Track] {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Failure(.badArgument, "There is nothing to search for")
        }
        var parameters = [
            (name: "q", value: text), (name: "auto_complete", value: "1"),
            (name: "count", value: String(min(max(count, 1), 300))),
        ]
        if byArtist { parameters.append((name: "performer_only", value: "1")) }
        let list = try await listing("audio.search", parameters)
        var seen: Set<TrackID> = []
        return list.audios.map(\.track).filter { seen.insert($0.id).inserted }
    }

    /// A list of audios that is not VK's fake.
    private func listing(
        _ method: String, _ parameters: [(name: String, value: String)]
    ) async throws(Failure) -> VKAudioList {
        let list: VKAudioList
        do { list = try await callSignedIn(method, parameters) } catch { throw error.failure }
        if Placeholder.isWhole(list.audios, count: list.count) { throw Placeholder.failure }
        return list
    }

    /// Calls a method with the credential in use.
    func callSignedIn<Response: Decodable>(
        _ method: String, _ parameters: [(name: String, value: String)], mayRepeat: Bool = true
    ) async throws(Reaction) -> Response {
        guard let used = credential else {
            throw .final(Failure(.notSignedIn, "There is no VK account: log in with nyanctl login"))
        }
        return try await client.call(
            method, parameters, as: used, mayRepeat: mayRepeat, isWanted: { self.credential == used })
    }
}
