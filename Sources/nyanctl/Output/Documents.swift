import FoundationEssentials
import NyanCore
import NyanDBus
import NyanWire

/// JSON as CONTRACT.md has it: keys never renamed, absent values null.
nonisolated enum JSONText {
    /// Plain JSON for a pipe or a file, and harmless for a terminal, whichever `descriptor` (1 or 2) is.
    static func encode(_ value: some Encodable, to descriptor: Int32 = 1) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else { return "null" }
        let text = String(decoding: bytes, as: UTF8.self)
        return (descriptor == 1 ? Terminal.outputIsTerminal : Terminal.errorsAreOnTerminal) ? harmless(text) : text
    }

    /// The same document for a terminal. JSON escapes no more than U+001F, and a title may hold what moves a cursor or
    /// turns a line beyond that: it is written as JSON's own escapes.
    static func harmless(_ json: String) -> String {
        guard DisplayText.escaped(json) != json else { return json }
        return json.unicodeScalars.reduce(into: "") { text, scalar in
            if DisplayText.escaped(String(scalar)) == String(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                // Beyond U+FFFF JSON writes two halves.
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                }
            }
        }
    }
}

/// A value that is written as null when it is absent, where Codable would leave it out.
struct Nullable<Value: Encodable>: Encodable {
    var value: Value?
    init(_ value: Value?) { self.value = value }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

/// The one number of an answer, such as `{"queued":3}`; nothing without `--json`.
enum CountDocument {
    static func print(_ name: String, _ answer: [BusValue], _ invocation: Invocation) {
        guard invocation.asJSON, let number = answer.first?.integer else { return }
        Terminal.print(JSONText.encode([name: number]))
    }
}

nonisolated struct ErrorDocument: Encodable, Equatable {
    var code: String
    var message: String
}

/// CONTRACT.md's Track, and the two more keys of `queue` and of `history`.
struct TrackDocument: Encodable {
    var id: String
    var artist: String
    var title: String
    var duration: Nullable<Int>
    var album: Nullable<String>
    var available: Bool
    var unavailableReason: Nullable<String>
    var downloaded: Bool
    var path: Nullable<String>
    var explicit: Bool
    var added: Bool
    var cover: Nullable<String>
    /// `queue` only; left out elsewhere.
    var position: Int?
    var current: Bool?
    /// `history` only: ISO 8601 in UTC, and seconds.
    var playedAt: String?
    var heard: Double?

    init(
        _ listed: ListedTrack, position: Int? = nil, current: Bool? = nil, playedAt: String? = nil,
        heard: Double? = nil
    ) {
        let track = listed.track
        id = track.id.description
        artist = track.artist
        title = track.title
        duration = Nullable(track.duration > 0 ? track.duration : nil)
        album = Nullable(track.album)
        available = track.isAvailable
        unavailableReason = Nullable(track.unavailableReason)
        downloaded = listed.copyPath != nil
        path = Nullable(listed.copyPath)
        explicit = track.isExplicit
        added = listed.isAdded
        cover = Nullable(listed.coverPath)
        self.position = position
        self.current = current
        self.playedAt = playedAt
        self.heard = heard
    }
}

/// When playback pauses by itself: `{"remaining": seconds}` or `{"atEndOf": "track"}`.
struct SleepDocument: Encodable {
    var remaining: Double?
    var atEndOf: String?

    init(_ timer: StatusReport.SleepTimer) {
        switch timer {
        case .remaining(let seconds): remaining = seconds
        case .endOfTrack: atEndOf = "track"
        }
    }
}

/// CONTRACT.md's `status`.
struct StatusDocument: Encodable {
    struct Queue: Encodable {
        var position: Nullable<Int>
        var length: Int
    }

    var state: String
    var track: Nullable<TrackDocument>
    var position: Double
    var duration: Nullable<Double>
    var volume: Double
    var shuffle: Bool
    var `repeat`: String
    var queue: Queue
    var buffered: Nullable<Double>
    var online: Bool
    var offlineMode: Bool
    var signedIn: Bool
    var audioOutput: String
    var problem: Nullable<ErrorDocument>
    var sleep: Nullable<SleepDocument>

    init(_ report: StatusReport) {
        state = report.state.rawValue
        track = Nullable(report.track.map { TrackDocument($0) })
        position = report.position
        duration = Nullable(report.duration)
        volume = report.volume
        shuffle = report.shuffle
        `repeat` = report.repeatMode.rawValue
        queue = Queue(position: Nullable(report.queuePosition), length: report.queueLength)
        buffered = Nullable(report.buffered)
        online = report.isOnline
        offlineMode = report.isOfflineMode
        signedIn = report.isSignedIn
        audioOutput = report.output.rawValue
        problem = Nullable(report.problem.map { ErrorDocument(code: $0.code, message: $0.message) })
        sleep = Nullable(report.sleepTimer.map(SleepDocument.init))
    }
}

/// One row of CONTRACT.md's `downloads`.
struct DownloadDocument: Encodable {
    var id: String
    var artist: String
    var title: String
    var state: String
    var received: Int64
    var total: Nullable<Int64>
    var error: Nullable<ErrorDocument>
    /// Bytes per second and seconds, of what runs.
    var speed: Nullable<Int64>
    var timeLeft: Nullable<Int>

    init(_ report: DownloadReport) {
        id = report.id.description
        artist = report.artist
        title = report.title
        state = report.state.rawValue
        received = report.received
        total = Nullable(report.total)
        error = Nullable(report.problem.map { ErrorDocument(code: $0.code, message: $0.message) })
        speed = Nullable(report.speed)
        timeLeft = Nullable(report.secondsLeft)
    }
}

/// CONTRACT.md's `whoami`.
struct AccountDocument: Encodable {
    var id: Int64
    var name: String
    var tracks: Int
    var login: String
    /// What VK gives for a track: `mp3`, `hls` or `none`; null while unknown.
    var sound: String?

    enum CodingKeys: String, CodingKey { case id, name, tracks, login, sound }

    init(_ account: Account) {
        sound = account.locationKind
        id = account.id
        name = account.name
        tracks = account.tracks
        login = account.login
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(tracks, forKey: .tracks)
        try fields.encode(login, forKey: .login)
        // Absent values are null (CONTRACT.md §5).
        try fields.encode(sound, forKey: .sound)
    }
}
