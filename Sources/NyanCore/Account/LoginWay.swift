/// How somebody signed in; the raw value is `Account.login` and the kind of `login` on the bus.
public enum LoginWay: String, Sendable, Codable, CaseIterable {
    /// A token somebody already had.
    case token
    /// A browser's session: cookies that the daemon trades for a token again and again (vk-api.md §1.7).
    case cookies
    /// The address that VK's authorize page ended at (vk-api.md §1.5).
    case url
    /// Name and password, which are not kept (vk-api.md §1.4).
    case password
}
