import Glibc
public import NyanCore
import NyanDBus

/// The ways to sign in that go over VK's own pages and forms: the authorize page (vk-api.md §1.5) and name and password
/// (§1.4). What comes of them is proved and stored as every login is (`AccountService.login`).
public final class SignIn {
    private let account: AccountService
    private let grants: any PasswordGrants
    /// The client profiles as the settings have them now.
    public var profiles: [String: ProfileSettings]
    /// States of authorize pages that were asked for, oldest first, and the profile each is for.
    private var states: [(state: String, profile: String)] = []

    /// The grant under way.
    private var granting: Task<Result<Credential, Failure>, Never>?

    /// Pages somebody may have open at once.
    private static let maxStates = 16
    /// Clients that have no secret (vk-api.md §1.3): Marusia.
    private static let withoutSecret: Set<String> = ["6463690"]

    public init(
        account: AccountService, grants: any PasswordGrants, profiles: [String: ProfileSettings]
    ) {
        self.account = account
        self.grants = grants
        self.profiles = profiles
    }

    /// The page the person opens; the address it ends at goes to `login(pasted:profileName:)`.
    public func authorizeAddress(profileName: String?) throws(Failure) -> String {
        let client = try account.clientProfile(named: profileName)
        var random = SystemRandomNumberGenerator()
        let state = String(random.next(), radix: 36) + String(random.next(), radix: 36)
        let scope = profiles[client.name]?.scope ?? "audio,offline"
        let address = try AuthorizePage.address(client, scope: scope, state: state)
        states.append((state, client.name))
        if states.count > Self.maxStates { states.removeFirst() }
        return address
    }

    /// Signs in with the address that the authorize page ended at.
    public func login(pasted: Secret, profileName: String?) async throws(Failure) -> Account {
        let named = try account.clientProfile(named: profileName)
        let read = try PastedAddress.read(
            pasted.revealed, configured: [named.oauthURL, named.apiURL, named.loginURL])
        guard case .token(let token, let user, let seconds, let state) = read else {
            if case .refused(let why) = read { throw Failure(.denied, why) }
            throw Failure(.badArgument, "the address has no access_token: copy it whole")
        }
        var profile = named
        if let state {
            guard let asked = states.first(where: { $0.state == state }) else {
                throw Failure(
                    .denied, "that address answers another page than the one asked for: run `nyanctl login --url` again"
                )
            }
            profile = try account.clientProfile(named: asked.profile)
        }
        let credential = Credential(
            profile: profile, token: token, way: .url, expires: seconds.map { Int64(time(nil)) + $0 }, user: user)
        let proved = try await account.login(credential)
        states.removeAll { $0.state == state }
        return proved
    }

    /// Signs in with name and password, which are forgotten when this returns.
    public func login(
        user: String, password: Secret, profileName: String?
    ) async throws(Failure) -> Account {
        let client = try account.clientProfile(named: profileName)
        guard !user.isEmpty, !user.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Failure(.badArgument, "the user name must be a phone number, an e-mail address or a login")
        }
        guard !password.revealed.isEmpty else { throw Failure(.badArgument, "the password is empty") }
        let settings = profiles[client.name]
        let place = "[profile.\(client.name)] in nyand.conf"
        guard let number = client.clientID else {
            throw Failure(.badArgument, "the client profile “\(client.name)” has no client-id: set it under \(place)")
        }
        guard client.name != "web" || settings?.clientSecret != nil else {
            throw Failure(
                .badArgument,
                "VK's web client takes no passwords: add --profile marusia, or --profile android with its "
                    + "client-secret set; `nyanctl login --cookies` needs no password at all")
        }
        guard settings?.clientSecret != nil || Self.withoutSecret.contains(number) else {
            throw Failure(
                .badArgument,
                "the client profile “\(client.name)” needs its client's secret, which nyand does not bring: "
                    + "set client-secret under \(place) and run `nyanctl reload`; --profile marusia needs none")
        }
        let wish = PasswordWish(
            user: user, password: password, profile: client, clientSecret: settings?.clientSecret,
            scope: settings?.scope ?? "audio,offline")
        return try await account.login(try await granted(wish))
    }

    /// Ends a login by password that still waits for the person: another login or a logout has come.
    public func cancelPending() {
        granting?.cancel()
        granting = nil
    }

    /// One grant at a time: a newer one ends the one before, whose question nobody means to answer any more.
    private func granted(_ wish: PasswordWish) async throws(Failure) -> Credential {
        cancelPending()
        let epoch = account.epoch
        let task = Task.onMain { [grants] () async -> Result<Credential, Failure> in
            do throws(Failure) { return .success(try await grants.grant(wish)) } catch { return .failure(error) }
        }
        granting = task
        let outcome = await task.value
        guard !task.isCancelled, account.epoch == epoch else {
            throw Failure(.cancelled, "another login or logout came in between")
        }
        granting = nil
        return try outcome.get()
    }
}
