import Dispatch
import Glibc
import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Account`: the secret comes through a file descriptor, never in a message.
public final class AccountFrontend: InterfaceHandler {
    private let account: AccountService
    let signedIn: () -> Void
    let signIn: SignIn?
    let desk: ChallengeDesk?
    let loginEnds: () -> Int64?
    let logins = LoginOutcomes()

    /// `signIn` are the ways over VK's own pages and forms, `desk` is where a person's answers to VK go, `loginEnds` the
    /// unix seconds at which the login in use ends for good (nil = VK named no end). `signedIn` is called after each
    /// login that held.
    public init(
        account: AccountService, signIn: SignIn? = nil, desk: ChallengeDesk? = nil,
        loginEnds: @escaping () -> Int64? = { nil }, signedIn: @escaping () -> Void
    ) {
        self.account = account
        self.signIn = signIn
        self.desk = desk
        self.loginEnds = loginEnds
        self.signedIn = signedIn
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "Login":
            logins.begin(by: context.sender) { [self] () throws(Failure) in
                guard let descriptor = arguments[1].unixFD else {
                    throw Failure(.badArgument, "no secret was handed over")
                }
                if arguments[0].string == LoginWay.url.rawValue {
                    return try await loginByAddress(descriptor, arguments[2].string, by: context.sender)
                }
                let secret = try await SecretReader.read(descriptor, of: context.sender)
                let profile = arguments[2].string.flatMap { $0.isEmpty ? nil : $0 }
                let proved: Account
                switch arguments[0].string.flatMap(LoginWay.init) {
                case .token: proved = try await account.login(token: secret, profileName: profile)
                case .cookies: proved = try await account.login(cookies: secret, profileName: profile)
                default: throw Failure(.badArgument, "there is no such way to sign in")
                }
                signedIn()
                return [Self.value(proved)]
            }
        case "Logout":
            .working { [account] () throws(Failure) in
                try await account.logout()
                return []
            }
        case "WhoAmI":
            .working { [account] () throws(Failure) in
                await account.ready()
                try account.requireAccount()
                return account.account.map { [Self.value($0)] } ?? []
            }
        default: try answered(member, arguments, context)
        }
    }

    static func value(_ account: Account) -> BusValue {
        .structure([
            .int64(account.id), .string(account.name), .uint32(UInt32(clamping: account.tracks)),
            .string(account.login), .string(account.locationKind ?? ""),
        ])
    }
}

/// Reads a secret from a descriptor somebody else fills: off the main queue, bounded in size and time.
enum SecretReader {
    /// A token has up to 1 KiB (vk-api.md §1.10); a cookies.txt may hold every cookie of a browser.
    private nonisolated static let limit = 4 << 20
    private nonisolated static let patience: Duration = .seconds(10)
    /// Each takes a thread for as long as whoever hands it over likes, up to ten seconds: of all, and of one caller.
    private static let mostAtOnce = 16
    private static let mostOfOne = 4
    /// By the caller's unique name.
    private static var readings: [String: Int] = [:]

    static func read(_ descriptor: OwnedFD, of caller: String) async throws(Failure) -> Secret {
        let text = try await text(descriptor, of: caller)
        // Whatever a terminal or an editor put around it.
        let trimmed = text.drop { $0.isWhitespace || $0 == "\"" }.reversed().drop { $0.isWhitespace || $0 == "\"" }
        return Secret(String(trimmed.reversed()))
    }

    /// The text as it is but for a line's end: a password may begin and end with anything.
    static func readLine(_ descriptor: OwnedFD, of caller: String) async throws(Failure) -> Secret {
        var text = try await text(descriptor, of: caller)
        while text.last?.isNewline == true { text.removeLast() }
        return Secret(text)
    }

    private static func text(_ descriptor: OwnedFD, of caller: String) async throws(Failure) -> String {
        guard readings[caller, default: 0] < mostOfOne, readings.values.reduce(0, +) < mostAtOnce else {
            throw Failure(.conflict, "too many secrets are handed over at once; try again in a few seconds")
        }
        readings[caller, default: 0] += 1
        defer { readings[caller] = readings[caller].flatMap { $0 > 1 ? $0 - 1 : nil } }
        let bytes = await withCheckedContinuation { (done: CheckedContinuation<[UInt8]?, Never>) in
            // A queue of this read's own: it may take long, and a global queue never rests again once it was used.
            DispatchQueue(label: "org.nyantunes.Nyand.secret").async { done.resume(returning: readAll(descriptor)) }
        }
        guard let bytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badArgument, "the secret could not be read")
        }
        return text
    }

    /// nil where all of it takes longer than ten seconds, is too long, or cannot be read.
    private nonisolated static func readAll(_ descriptor: OwnedFD) -> [UInt8]? {
        var collected: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let end = ContinuousClock.now + patience
        while true {
            let left = Int32(clamping: Int64((end - ContinuousClock.now) / .milliseconds(1)))
            var poll = pollfd(fd: descriptor.descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, Glibc.poll(&poll, 1, left) > 0 else { return nil }
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor.descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return collected }
            guard count > 0, collected.count + count <= limit else { return nil }
            collected += buffer[..<count]
        }
    }
}
