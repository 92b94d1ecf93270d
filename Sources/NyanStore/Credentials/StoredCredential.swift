import FoundationEssentials
import NyanCore

/// A credential as it is written down: JSON, the same in the file and in the keyring.
struct StoredCredential: Codable {
    var version = 1
    var profile: String
    var userAgent: String
    var apiVersion: String
    var apiURL: String
    var headers: [String: String]
    var token: String
    // Absent in what versions before web sessions wrote.
    var clientID: String?
    var oauthURL: String?
    var loginURL: String?
    var way: LoginWay?
    var expires: Int64?
    var remixsid: String?
    var p: String?
    var user: Int64?

    static func bytes(of credential: Credential) -> [UInt8] {
        let stored = StoredCredential(
            profile: credential.profile.name, userAgent: credential.profile.userAgent,
            apiVersion: credential.profile.version, apiURL: credential.profile.apiURL,
            headers: credential.profile.headers, token: credential.token.revealed,
            clientID: credential.profile.clientID, oauthURL: credential.profile.oauthURL,
            loginURL: credential.profile.loginURL, way: credential.way, expires: credential.expires,
            remixsid: credential.cookies?.remixsid.revealed, p: credential.cookies?.p.revealed, user: credential.user)
        // Strings and a dictionary of strings can always be encoded.
        return (try? JSONEncoder().encode(stored)).map { Array($0) } ?? []
    }

    /// nil for what is no credential of ours, or one of a newer nyand.
    static func credential(from bytes: [UInt8]) -> Credential? {
        guard let stored = try? JSONDecoder().decode(StoredCredential.self, from: Data(bytes)), stored.version == 1,
            !stored.token.isEmpty
        else { return nil }
        let profile = ClientProfile(
            name: stored.profile, userAgent: stored.userAgent, version: stored.apiVersion, apiURL: stored.apiURL,
            headers: stored.headers, clientID: stored.clientID, oauthURL: stored.oauthURL ?? "",
            loginURL: stored.loginURL ?? "")
        let cookies = stored.remixsid.flatMap { sid in
            stored.p.map { WebCookies(remixsid: Secret(sid), p: Secret($0)) }
        }
        return Credential(
            profile: profile, token: Secret(stored.token), way: stored.way ?? .token, expires: stored.expires,
            cookies: cookies, user: stored.user)
    }
}
