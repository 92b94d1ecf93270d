/// Port: trades a web session's cookies for a token (vk-api.md §1.7).
@MainActor public protocol SessionSource: AnyObject {
    /// The credential with a fresh token, its end, its owner, and the cookies as VK changed them.
    ///
    /// Throws `.notSignedIn` only where VK itself says no; everything else is doubt and says nothing about the session.
    func renewed(_ credential: Credential) async throws(Failure) -> Credential
}

/// Port: whoever holds the credential in use and gets newer ones, for those who make calls with it.
@MainActor public protocol CredentialKeeping: AnyObject {
    /// The credential to make a call with: a newer one where the end of the one in use is near.
    func fresh() async throws(Failure) -> Credential?
    /// VK did not take this token: a newer credential to try once more with; nil = there is none to be had.
    func renewed(after rejected: Secret) async throws(Failure) -> Credential?
}
