/// Where a sound is that is no track of VK: a file of this machine, or an http or https address (mpris.md §4.2 OpenUri).
///
/// `text` may hold a secret in its user or query part: it is stored and fetched, never shown and never logged.
public struct SoundAddress: Hashable, Sendable {
    public enum Scheme: String, Sendable, CaseIterable { case file, http, https }

    public let scheme: Scheme
    /// The whole address in one spelling, so that the same place has the same `trackID`.
    public let text: String
    /// A file's absolute path; nil for the network's addresses.
    public let path: String?

    /// Longer than any address that servers take.
    private static let longest = 8_192

    /// Reads a `file`, `http` or `https` address. Blanks and letters beyond ASCII may stand in it as they are.
    /// - Throws: `.unsupported` for another scheme, `.badArgument` where the text is no whole address.
    public init(_ text: some StringProtocol) throws(Failure) {
        guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]) else {
            throw Failure(.badArgument, "that is no address: it begins with none of file:, http: and https:")
        }
        let word = text[..<colon].lowercased()
        guard let scheme = Scheme(rawValue: word) else {
            throw Failure(
                .unsupported, "\(word.prefix(20)): addresses cannot be played, only file:, http: and https:")
        }
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Failure(.badArgument, "the address is too long, or has line breaks or the like in it")
        }
        let rest = text[text.index(after: colon)...]
        if scheme == .file {
            try self.init(path: Self.path(behindScheme: rest))
        } else {
            try self.init(web: rest, scheme)
        }
    }

    /// A file by its absolute path.
    /// - Throws: `.badArgument` for a relative path, and for one that no file can have.
    public init(path: String) throws(Failure) {
        guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count <= Self.longest / 2 else {
            throw Failure(.badArgument, "a file is named by its whole path, from / on")
        }
        scheme = .file
        self.path = path
        text = "file://" + PercentText.encoded(path.utf8, keeping: "/")
    }

    private init(web rest: some StringProtocol, _ scheme: Scheme) throws(Failure) {
        let noHost = Failure(.badArgument, "the address has no host, or one that cannot be read")
        guard rest.hasPrefix("//") else { throw noHost }
        let behind = rest.dropFirst(2)
        let authority = behind.prefix { !"/?#".contains($0) }
        // What is not a path is not encoded: a host is shown as it is.
        guard !authority.contains(" "), DisplayText.escaped(String(authority)) == authority,
            !Self.host(authority).isEmpty
        else { throw noHost }
        // As browsers do it: what was not encoded is encoded now, what was encoded stays.
        let place = PercentText.encoded(behind[authority.endIndex...].utf8, keeping: "%/?:@!$&'()*+,;=[]#")
        let full = "\(scheme.rawValue)://\(authority)\(place.hasPrefix("/") ? place : "/" + place)"
        guard let resolved = URLReference.resolve(full, against: "") else { throw noHost }
        self.scheme = scheme
        path = nil
        text = resolved
    }

    private static func isScheme(_ word: some StringProtocol) -> Bool {
        // A single letter is a drive of another system, and never a scheme.
        word.utf8.count > 1 && word.first?.isLetter == true
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// `///path`, `//localhost/path` or `/path` (RFC 8089), percent-decoded.
    private static func path(behindScheme rest: some StringProtocol) throws(Failure) -> String {
        var place = rest[...]
        if place.hasPrefix("//") {
            let host = place.dropFirst(2).prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else {
                throw Failure(.badArgument, "the file is on another machine")
            }
            place = place[host.endIndex...]
        }
        guard let path = String(validating: PercentText.decoded(place), as: UTF8.self) else {
            throw Failure(.badArgument, "the file's name is not in UTF-8")
        }
        return path
    }

    private static func withoutUser(_ authority: some StringProtocol) -> String {
        authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? String(authority)
    }

    /// The host of `user@host:port`.
    private static func host(_ authority: some StringProtocol) -> String {
        let place = withoutUser(authority)
        if place.hasPrefix("[") { return String(place.prefix { $0 != "]" }.dropFirst()) }
        return String(place.prefix { $0 != ":" })
    }
}

// What is shown of an address, and what it is known by.
extension SoundAddress {
    /// The host, without user and port; nil for files.
    public var host: String? { path == nil ? Self.host(authority) : nil }

    private var authority: Substring { text.dropFirst(scheme.rawValue.count + 3).prefix { $0 != "/" } }

    /// The address without user and query, which may be secrets: fit for showing.
    public var shown: String {
        guard path == nil else { return text }
        return "\(scheme.rawValue)://\(Self.withoutUser(authority))\(webPath)"
    }

    /// The part between host and query, encoded as it is.
    private var webPath: Substring {
        text.dropFirst(scheme.rawValue.count + 3 + authority.count).prefix { $0 != "?" }
    }

    /// The file's name without its ending, or the host of an address without one.
    public var title: String {
        let place = path ?? String(decoding: PercentText.decoded(webPath), as: UTF8.self)
        let name = place.split(separator: "/").last.map(String.init) ?? ""
        let printable = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        let title = Self.withoutEnding(ComposedText.compose(String(String.UnicodeScalarView(printable))))
        return title.isEmpty ? host ?? name : title
    }

    /// `.mp3` and the like are cut off; a dot in a name is not taken for one.
    private static func withoutEnding(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return endings.contains(name[name.index(after: dot)...].lowercased()) ? String(name[..<dot]) : name
    }

    private static let endings: Set<String> = [
        "mp3", "flac", "ogg", "oga", "opus", "wav", "m4a", "mp4", "aac", "m4b", "wv", "ape", "aif", "aiff", "mka",
        "webm",
    ]

    /// Owner 0 and a number made of the text: stable over restarts, and another one for another place. (FNV-1a; no
    /// protection against somebody who looks for two addresses with one number, who would gain nothing.)
    public var trackID: TrackID {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return TrackID(owner: 0, audio: max(1, Int64(hash >> 1)))
    }

    /// The track a queue holds for it, until more is known.
    public var track: Track { Track(id: trackID, artist: host ?? "", title: title, address: text) }
}
