import FoundationEssentials
import Glibc
public import NyanCore

/// The exchange of a web session's cookies for a token, `login.vk.ru/?act=web_token` (vk-api.md §1.7). Main actor; who
/// calls it when is decided elsewhere.
public final class VKSession: SessionSource {
    /// Tries of one exchange, the first included; more would keep a caller waiting who tries again anyway.
    private static let maxTries = 3

    private let http: any HTTPClient
    private let time: any TimeSource
    private let timeout: Duration
    private let wallClock: () -> Int64
    private var jitter: SeededRandom
    /// Throws where no call may be made now (offline mode). Asked before each try.
    public var requireNetwork: () throws(Failure) -> Void = {}

    /// `timeout`: of one try. `wallClock`: unix seconds.
    public init(
        http: any HTTPClient, time: any TimeSource, timeout: Duration = .seconds(20),
        seed: UInt64 = .random(in: 0 ... .max), wallClock: (() -> Int64)? = nil
    ) {
        self.http = http
        self.time = time
        self.timeout = timeout
        self.wallClock = wallClock ?? { Int64(Glibc.time(nil)) }
        jitter = SeededRandom(seed: seed)
    }

    public func renewed(_ credential: Credential) async throws(Failure) -> Credential {
        guard let cookies = credential.cookies, !credential.profile.loginURL.isEmpty,
            let clientID = credential.profile.clientID
        else { throw Failure(.notSignedIn, "this login cannot be renewed; log in again") }
        var tries = 0
        while true {
            tries += 1
            try requireNetwork()
            do throws(Reaction) {
                let response: HTTPResponse
                do {
                    response = try await http.send(request(credential, cookies, clientID))
                } catch {
                    throw Reaction.transport(error)
                }
                return try granted(credential, cookies, response)
            } catch {
                guard let backoff = error.backoff, tries < Self.maxTries else { throw error.failure }
                try await time.wait(until: time.now + backoff.delay(after: tries, jitter: &jitter))
            }
        }
    }

    private func request(_ credential: Credential, _ cookies: WebCookies, _ clientID: String) -> HTTPRequest {
        let profile = credential.profile
        let base = profile.loginURL.hasSuffix("/") ? String(profile.loginURL.dropLast()) : profile.loginURL
        let headers =
            profile.formHeaders(but: ["cookie"]) + [
                (name: "Cookie", value: cookies.header.revealed),
                (name: "Sec-Fetch-Mode", value: "cors"), (name: "Sec-Fetch-Site", value: "same-site"),
                (name: "Sec-Fetch-Dest", value: "empty"),
            ]
        let fields = [
            (name: "version", value: "1"), (name: "app_id", value: clientID),
            (name: "access_token", value: credential.token.revealed),
        ]
        return HTTPRequest(
            .post, url: Secret("\(base)/?act=web_token"), headers: headers, body: FormBody.encode(fields),
            timeout: timeout, maxBytes: 1 << 20)
    }

    /// What the answer makes of the credential. Cookies are taken over only after a success: on a refusal VK sends
    /// deletions also for sessions that are still good.
    private func granted(
        _ credential: Credential, _ cookies: WebCookies, _ response: HTTPResponse
    ) throws(Reaction) -> Credential {
        let answer = try? JSONDecoder().decode(WebTokenAnswer.self, from: Data(BodyMending.mend(response.body)))
        switch answer {
        case .refused: throw .final(Self.refusal)
        case .granted(let token, let expires, let user) where (200...299).contains(response.status):
            if let user, let owner = credential.user, user != owner {
                throw .final(
                    Failure(.notSignedIn, "the browser session belongs to another VK account now; log in again"))
            }
            var fresh = credential
            fresh.token = Secret(token)
            fresh.expires = expires.map { TokenLife.end($0, now: wallClock()) }
            fresh.user = user ?? credential.user
            fresh.cookies = cookies.changed(by: response.setCookies, from: credential.profile.loginURL)
            return fresh
        default:
            guard (200...299).contains(response.status) else {
                throw .status(response.status, retryAfter: response.headers["retry-after"])
            }
            throw Reaction(
                failure: Failure(
                    .badAnswer, "VK's login service answered something that is no token; the login is kept",
                    retry: .later), backoff: .trouble)
        }
    }

    static let refusal = Failure(
        .notSignedIn,
        "VK does not take the browser session's cookies; if that stays so, sign in to VK in the browser again and then "
            + "run `nyanctl login --cookies`")
}

/// `{"type":"okay","data":{…}}` or `{"type":"error",…}`.
private nonisolated enum WebTokenAnswer: Decodable {
    case granted(token: String, expires: Int64?, user: Int64?)
    case refused

    private struct Grant: Decodable {
        var token: String?
        var expires: Int64?
        var user: Int64?
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            token = fields.filledText("access_token")
            // Nothing before 1970: sums and differences with the calendar must not overflow.
            expires = fields.int64("expires").map { max($0, 0) }
            user = fields.int64("user_id")
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        if fields.text("type") == "error" || fields.has("error_info") || fields.has("error_code") {
            self = .refused
        } else if let grant = fields.object("data", as: Grant.self), let token = grant.token {
            self = .granted(token: token, expires: grant.expires, user: grant.user)
        } else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no token"))
        }
    }
}
