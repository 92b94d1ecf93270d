/// The two cookies that make a browser's session at VK (vk-api.md §1.7). They are the account: never shown, prints as
/// `•••`.
public struct WebCookies: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Lives on vk.ru; VK changes it when it gives out a token.
    public var remixsid: Secret
    /// Lives on login.vk.ru.
    public var p: Secret

    public init(remixsid: Secret, p: Secret) {
        self.remixsid = remixsid
        self.p = p
    }

    public var description: String { "•••" }
    public var debugDescription: String { "•••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
