/// The one error value that leaves a module: a stable code and a sentence a person can act on.
///
/// `message` never holds a token, a cookie, a signed URL or a path that reveals one.
public struct Failure: Error, Sendable, Equatable, Codable {
    public var code: Code
    public var message: String
    /// The track it is about, if it is about one.
    public var subject: TrackID?
    public var retry: Retry
    /// The media host that asks everybody to wait (429, 503); nil = no pause of a host's.
    public var host: String?

    public init(_ code: Code, _ message: String, subject: TrackID? = nil, retry: Retry = .never) {
        self.code = code
        self.message = message
        self.subject = subject
        self.retry = retry
    }

    /// Whether trying again by itself makes sense.
    public enum Retry: Sendable, Equatable, Codable {
        case never
        /// After the usual back-off.
        case later
        /// Not before this many seconds (a server said so).
        case after(seconds: Double)
    }
}

extension Failure {
    /// What went wrong, in a word that scripts may rely on. Raw values are the JSON `code`; never renamed.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// No account, or VK refuses the stored one.
        case notSignedIn = "not-signed-in"
        /// VK wants a captcha, a code or a confirmation from the person.
        case challengeNeeded = "challenge-needed"
        /// The token's client has no music (error 3, or the placeholder track).
        case clientRefused = "client-refused"
        case unavailableTrack = "unavailable-track"
        /// A media URL is no longer valid; a fresh one may help.
        case expiredLocation = "expired-location"
        case network
        case timeout
        /// The server asks to wait (flood control, 429, 5xx).
        case serverBusy = "server-busy"
        /// Offline mode is on.
        case offline
        /// VK answered something that is no valid answer (HTML, half JSON).
        case badAnswer = "bad-answer"
        /// VK refused this object or method.
        case denied
        case diskFull = "disk-full"
        case fileAccess = "file-access"
        /// The sound is not what it should be: truncated, a sample, HTML, broken frames.
        case damagedSound = "damaged-sound"
        case missingDecoder = "missing-decoder"
        case audioOutput = "audio-output"
        case badArgument = "bad-argument"
        case notFound = "not-found"
        case conflict
        case unsupported
        case cancelled
        case `internal`
    }
}

extension Failure.Code {
    /// `nyanctl`'s exit status for this code (CONTRACT.md "Exit status").
    public var exitStatus: Int32 {
        switch self {
        case .badArgument: 2
        case .notSignedIn, .challengeNeeded, .clientRefused: 4
        case .notFound: 5
        case .network, .timeout, .serverBusy, .offline, .badAnswer, .expiredLocation: 6
        case .unavailableTrack, .denied, .diskFull, .fileAccess, .damagedSound, .missingDecoder, .audioOutput,
            .conflict, .unsupported, .cancelled, .internal:
            1
        }
    }

    /// The last element of the D-Bus error name, `org.nyantunes.Nyand1.Error.…`: the code in upper camel case.
    public var busName: String {
        rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Reads `busName` back; nil for a name this version does not know.
    public init?(busName: some StringProtocol) {
        guard let code = Self.allCases.first(where: { $0.busName == busName }) else { return nil }
        self = code
    }
}
