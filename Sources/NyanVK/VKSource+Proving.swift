public import NyanCore

extension VKSource {
    public func prove(_ credential: Credential, isWanted: (() -> Bool)?) async throws(Failure) -> Account {
        // One that is void already must not end what a newer one waits for.
        guard isWanted?() ?? true else { throw Self.isVoid }
        let login = isWanted.map { _ in ParkedCall(isLogin: true) }
        if let login { challengeKeeper?.begins(login: login) }
        let isWanted = isWanted ?? { true }
        do throws(Reaction) {
            let users: LenientArray<VKUser> = try await client.call(
                "users.get", [], as: credential, isWanted: isWanted, login: login)
            guard let user = users.elements.first else {
                throw Reaction.final(Failure(.notSignedIn, "VK does not say whose token this is; log in with your own"))
            }
            guard !user.isDeactivated else {
                throw Reaction.final(Failure(.notSignedIn, "This VK account is deleted or banned"))
            }
            // users.get succeeds with tokens that have no music (vk-api.md §1.10): only this call proves anything.
            let list: VKAudioList = try await client.call(
                "audio.get", [(name: "count", value: "1")], as: credential, isWanted: isWanted, login: login)
            if Placeholder.isWhole(list.audios, count: list.count) { throw Reaction.final(Placeholder.failure) }
            return Account(
                id: user.id, name: TitleText.shown(user.name), tracks: list.count ?? list.itemCount,
                login: credential.way.rawValue,
                locationKind: list.audios.first.map { Self.kind(of: $0.location) })
        } catch {
            throw isWanted() ? error.failure : Self.isVoid
        }
    }

    private static let isVoid = Failure(.cancelled, "another login or logout came in between")

    /// The kind by the look of the address, as far as a login's summary needs it (vk-api.md §4.1).
    private static func kind(of location: Location?) -> String {
        guard let url = location?.url.revealed else { return "none" }
        return url.prefix { $0 != "?" && $0 != "#" }.hasSuffix(".m3u8") ? "hls" : "mp3"
    }
}
