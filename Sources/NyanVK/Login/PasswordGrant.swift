public import NyanCore

/// The password grant of VK's own clients (vk-api.md §1.4): one request, and one more for each answer of the person.
/// Main actor. Keeps nothing: the password lives in the wish of the login under way.
public final class PasswordGrant: PasswordGrants {
    private let http: any HTTPClient
    private let time: any TimeSource
    private let requireNetwork: () throws(Failure) -> Void
    private weak var keeper: (any ChallengeKeeper)?
    private let language = "ru"
    private let timeout = Duration.seconds(20)

    /// The name the desk knows the grant by.
    private static let method = "oauth.token"
    /// Questions of all kinds one login may be asked; a person gives up sooner.
    private static let maxQuestions = 12

    public init(
        http: any HTTPClient, time: any TimeSource, keeper: any ChallengeKeeper,
        requireNetwork: @escaping () throws(Failure) -> Void
    ) {
        self.http = http
        self.time = time
        self.keeper = keeper
        self.requireNetwork = requireNetwork
    }

    public func grant(_ wish: PasswordWish) async throws(Failure) -> Credential {
        let call = ParkedCall(isLogin: true)
        keeper?.begins(login: call)
        do {
            let credential = try await conversation(wish, call)
            keeper?.ended(call, nil)
            return credential
        } catch {
            keeper?.ended(call, error)
            throw error
        }
    }

    private func conversation(_ wish: PasswordWish, _ call: ParkedCall) async throws(Failure) -> Credential {
        var device = SystemRandomNumberGenerator()
        let deviceID = (0..<4).map { _ in Self.hex(device.next()) }.joined()
        var answers: [FormField] = []
        var codes = CodeSending()
        /// The question about the second factor, while it stands.
        var asked: Challenge?
        for _ in 0...Self.maxQuestions {
            let challenge: Challenge
            switch OAuthAnswer.read(try await send(Self.tokenRequest(wish, deviceID, answers), wish.profile)) {
            case .token(let token, let user, let expires):
                return Credential(profile: wish.profile, token: token, way: .password, expires: expires, user: user)
            case .refused(let failure): throw failure
            case .challenge(let new): challenge = new
            case .wrongCode:
                guard var again = asked else { throw Failure(.badAnswer, "VK refuses a code it did not ask for") }
                again.note = "VK did not take that code"
                challenge = again
            }
            guard var question = challenge.vetted(for: wish.profile) else {
                throw Failure(
                    .challengeNeeded,
                    "VK wants \(challenge.word), and names no page of its own for it: log in another way")
            }
            if case .code = question.kind { asked = question }
            // Another code is no new try of the password.
            while true {
                let answer = try await ask(question, call)
                if answer != .resend {
                    if let credential = take(answer, into: &answers, wish) { return credential }
                    break
                }
                question.note = try await codes.send(for: question, now: time.now) { sid async throws(Failure) in
                    try await self.send(Self.codeRequest(wish, deviceID, sid), wish.profile)
                }
            }
        }
        throw Failure(.challengeNeeded, "VK asks for one thing after another: log in another way")
    }

    /// The person's answer, however many questions of others are open before. Nothing is sent without one: each request
    /// is a try of the password, and may send another code.
    private func ask(_ question: Challenge, _ call: ParkedCall) async throws(Failure) -> ChallengeAnswer {
        while true {
            guard let keeper else { throw question.failure }
            let answer = try await keeper.meet(question, of: Self.method, by: call)
            if answer != .released { return answer }
        }
    }

    /// Puts an answer beside those before: a captcha's goes once, a code stays. A page may have given the token itself.
    private func take(_ answer: ChallengeAnswer, into answers: inout [FormField], _ wish: PasswordWish) -> Credential? {
        answers.removeAll { $0.name != "code" }
        switch answer {
        case .fields(let fields):
            answers.removeAll { kept in fields.contains { $0.name == kept.name } }
            answers += fields
        case .token(let token, let user, let expires):
            return Credential(
                profile: wish.profile, token: token, way: .password, expires: expires.map { UnixTime.now + $0 },
                user: user)
        case .again, .resend, .released: break
        }
        return nil
    }

    /// Name and password travel in the body only.
    private static func tokenRequest(
        _ wish: PasswordWish, _ deviceID: String, _ answers: [FormField]
    ) -> (url: String, fields: [(name: String, value: String)]) {
        var fields = [
            (name: "grant_type", value: "password"), (name: "client_id", value: wish.profile.clientID ?? ""),
        ]
        if let secret = wish.clientSecret { fields.append((name: "client_secret", value: secret.revealed)) }
        fields += [
            (name: "username", value: wish.user), (name: "password", value: wish.password.revealed),
            (name: "scope", value: wish.scope), (name: "2fa_supported", value: "1"), (name: "force_sms", value: "1"),
            (name: "device_id", value: deviceID),
        ]
        return ("\(wish.profile.oauthURL)/token", fields + answers.map { (name: $0.name, value: $0.value.revealed) })
    }

    private static func codeRequest(
        _ wish: PasswordWish, _ deviceID: String, _ sid: String
    ) -> (url: String, fields: [(name: String, value: String)]) {
        var fields = [(name: "sid", value: sid), (name: "client_id", value: wish.profile.clientID ?? "")]
        if let secret = wish.clientSecret { fields.append((name: "client_secret", value: secret.revealed)) }
        return ("\(wish.profile.apiURL)/auth.validatePhone", fields + [(name: "device_id", value: deviceID)])
    }

    private func send(
        _ call: (url: String, fields: [(name: String, value: String)]), _ profile: ClientProfile
    ) async throws(Failure) -> HTTPResponse {
        try requireNetwork()
        let fields = call.fields + [(name: "v", value: profile.version), (name: "lang", value: language)]
        return try await http.send(
            HTTPRequest(
                .post, url: Secret(call.url), headers: profile.formHeaders(),
                body: FormBody.encode(fields), timeout: timeout, maxBytes: 1 << 20))
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number & 0xFFFF, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
