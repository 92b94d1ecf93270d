import Glibc
public import NyanCore

/// VK as the place where tracks come from: `MusicSource` over an `HTTPClient` (vk-api.md §2). Main actor.
public final class VKSource: MusicSource {
    /// Spoken to media hosts while nobody is signed in.
    private static let plainUserAgent = "nyand"

    let client: VKClient
    /// What calls are made with.
    public private(set) var credential: Credential?
    /// Changes with each login and logout; another token of the same person changes nothing.
    private var login = 0
    /// Where newer tokens come from; nil = nowhere.
    public weak var keeper: (any CredentialKeeping)?
    /// Proves, stores and takes into use a credential whose token VK gave with a confirmation (error 17); refuses one
    /// that is not its `user`'s.
    public var takeCredential: ((Credential) async throws(Failure) -> Void)?

    /// - Parameters:
    ///   - http: carries every call; the source opens nothing itself.
    ///   - time: measures the pace and sleeps out back-offs.
    ///   - minInterval: least time between the starts of two calls; VK's own limit is three a second.
    ///   - timeout: how long one try of a call may take; there are at most five.
    ///   - language: VK's `lang`; any but `ru` makes VK translate or transliterate Russian names.
    ///   - seed: of the back-off's jitter.
    ///   - wallClock: unix seconds: how long VK has closed a method outlives a run.
    public init(
        http: any HTTPClient, time: any TimeSource,
        minInterval: Duration = .milliseconds(400), timeout: Duration = .seconds(20), language: String = "ru",
        seed: UInt64 = .random(in: 0 ... .max), wallClock: (() -> Int64)? = nil
    ) {
        client = VKClient(
            http: http, time: time, minInterval: minInterval, timeout: timeout, language: language, seed: seed,
            wallClock: wallClock ?? { Int64(Glibc.time(nil)) })
    }

    /// Least time between the starts of two calls; may be changed at any time (`vk.min-interval-ms`).
    public var minInterval: Duration {
        get { client.minInterval }
        set { client.minInterval = newValue }
    }

    /// Told of tries that met no network, see `VKClient`.
    public var metNoNetwork: (Failure) -> Void {
        get { client.metNoNetwork }
        set { client.metNoNetwork = newValue }
    }

    /// Throws where no call may be made now (offline mode). Asked before each try; what is under way is let end.
    public var requireNetwork: () throws(Failure) -> Void {
        get { client.requireNetwork }
        set { client.requireNetwork = newValue }
    }

    /// Calls made with another person's credential that still wait or are under way end as cancelled.
    public func use(_ credential: Credential?) {
        guard credential != self.credential else { return }
        if credential?.user == nil || credential?.user != self.credential?.user { login += 1 }
        self.credential = credential
    }

    public var userAgent: String { credential?.profile.userAgent ?? Self.plainUserAgent }

    public func profilePage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> TrackPage {
        var parameters = [
            (name: "offset", value: String(max(offset, 0))), (name: "count", value: String(max(count, 1))),
        ]
        if let owner { parameters.append((name: "owner_id", value: String(owner))) }
        let list = try await listing("audio.get", parameters)
        // Without a length a sync could take the rest of the library for gone.
        guard let total = list.count else { throw Reaction.unreadable.failure }
        return TrackPage(
            count: total, tracks: list.audios.map(\.track), itemCount: list.itemCount,
            doubtful: list.audios.filter(\.isDoubtful).map(\.trackID))
    }

    /// A list of audios that is not VK's fake.
    func listing(
        _ method: String, _ parameters: [(name: String, value: String)]
    ) async throws(Failure) -> VKAudioList {
        let list: VKAudioList
        do { list = try await callSignedIn(method, parameters) } catch { throw error.failure }
        if Placeholder.isWhole(list.audios, count: list.count) { throw Placeholder.failure }
        return list
    }

    /// Calls a method with the credential in use; where VK does not take its token, once more with a newer one.
    func callSignedIn<Response: Decodable>(
        _ method: String, _ parameters: [(name: String, value: String)], mayRepeat: Bool = true
    ) async throws(Reaction) -> Response {
        guard var used = credential else {
            throw .final(Failure(.notSignedIn, "There is no VK account: log in with nyanctl login"))
        }
        let mine = login
        let isWanted = { self.login == mine }
        try await take(mine) { (keeper) async throws(Failure) in try await keeper.fresh() }
        do {
            return try await client.call(
                method, parameters, as: newest(&used), mayRepeat: mayRepeat, isWanted: isWanted)
        } catch {
            if let fresh = try await renewed(used, by: error) {
                let next = login
                return try await client.call(
                    method, parameters, as: fresh, mayRepeat: mayRepeat, isWanted: { self.login == next })
            }
            let rejected = used.token
            let isOld = error.vkCode == 5 && credential?.token != rejected
            guard error.wantsRenewal || isOld, isWanted() else { throw error }
            try await take(mine) { (keeper) async throws(Failure) in try await keeper.renewed(after: rejected) }
            guard let next = credential, next.token != rejected else { throw error }
            return try await client.call(
                method, parameters, as: newest(&used), mayRepeat: mayRepeat, isWanted: isWanted)
        }
    }

    /// The credential in use, noted as the one a call was made with.
    private func newest(_ used: inout Credential) -> Credential {
        used = credential ?? used
        return used
    }

    /// Takes a newer credential of the same login into use, if the keeper has one.
    private func take(
        _ mine: Int, _ ask: (any CredentialKeeping) async throws(Failure) -> Credential?
    ) async throws(Reaction) {
        guard let keeper else { return }
        let newer: Credential?
        do { newer = try await ask(keeper) } catch { throw .final(error) }
        guard login == mine, !Task.isCancelled else { throw .final(.callCancelled) }
        if let newer { credential = newer }
    }
}
