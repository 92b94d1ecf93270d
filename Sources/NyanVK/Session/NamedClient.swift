import NyanCore

extension Credential {
    /// The `client_id` that calls carry: only the web player's calls name theirs (vk-api.md §1.7).
    nonisolated var namedClient: String? {
        way == .cookies || profile.name == "web" ? profile.clientID : nil
    }
}
