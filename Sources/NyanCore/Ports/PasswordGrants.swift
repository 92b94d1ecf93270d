/// A name and a password, and the client they are shown to: held only while a login is under way, never stored.
public struct PasswordWish: Sendable {
    public var user: String
    public var password: Secret
    public var profile: ClientProfile
    /// nil for clients that have none (Marusia).
    public var clientSecret: Secret?
    public var scope: String

    public init(user: String, password: Secret, profile: ClientProfile, clientSecret: Secret?, scope: String) {
        self.user = user
        self.password = password
        self.profile = profile
        self.clientSecret = clientSecret
        self.scope = scope
    }
}

/// Port: trades a password for a token (vk-api.md §1.4). Main actor.
@MainActor public protocol PasswordGrants: AnyObject {
    /// One try, and one more for each answer of the person (captcha, code); never one by itself. Waits for answers as
    /// parked calls do.
    func grant(_ wish: PasswordWish) async throws(Failure) -> Credential
}
