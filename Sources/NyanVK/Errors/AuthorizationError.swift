import NyanCore

/// Error 5 has many causes; the subcode or VK's sentence tells which (vk-api.md §3.2 "Known error-5 messages", §1.10).
nonisolated enum AuthorizationError {
    static func row(for error: VKError) -> VKErrorTable.Row {
        VKErrorTable.Row(5, meaning: .notSignedIn, words(for: error))
    }

    /// Whether only the token is at fault, not the person's login: its end, another network address, or a token VK does
    /// not know any more. A session that was ended or revoked is not renewed behind the person's back.
    static func wantsRenewal(_ error: VKError) -> Bool {
        guard !error.isBan else { return false }
        if error.subcode == 1130 || error.subcode == 1117 { return true }
        return ["another ip", "expired", "invalid access_token"].contains { error.words.contains($0) }
    }

    private static func words(for error: VKError) -> String {
        if error.isBan { return "VK has blocked this account" }
        switch error.subcode {
        case 1130: return otherAddress
        case 1117: return expired
        default: break
        }
        return causes.first { error.words.contains($0.sign) }?.words ?? "VK does not accept the token; log in again"
    }

    private static let otherAddress = "The token was made for another network address; log in again on this machine"
    private static let expired = "The token has expired; log in again"

    /// Signs in VK's sentence, in lower case; the first that is found counts.
    private static let causes: [(sign: String, words: String)] = [
        ("another ip", otherAddress),
        ("expired", expired),
        ("invalid session", "VK ended this session (password changed, or logged out everywhere); log in again"),
        ("revoke", "Access was revoked in VK's settings; log in again"),
        ("sig param", "The token wants signed calls; log in with a token made without nohttps"),
        ("no access_token", "VK got no token; log in again"),
        ("without access_token", "VK got no token; log in again"),
        ("invalid access_token", "VK does not know this token; check that it was copied whole and log in again"),
    ]
}
