public import NyanDBus

/// A scrobbler as others write them, which knows a player by MPRIS alone: `PropertiesChanged`, `Seeked`, and `Position`
/// when it asks. It counts half of a track or four minutes of one longer than 30 seconds, and knows nothing of nyand.
///
/// A track is another one when `mpris:trackid` is another; the same once more is one that had come to its end when
/// `Seeked` put it back to its start. What is skipped by a seek was not heard.
public final class OutsideScrobbler {
    private static let interface = "org.mpris.MediaPlayer2.Player"
    private static let path: ObjectPath = "/org/mpris/MediaPlayer2"

    private let connection: Connection
    private let player: String
    private let now: () -> Duration
    private var subscriptions: [Subscription] = []
    private var trackID = ""
    private var title = ""
    private var length = Duration.zero
    private var status = "Stopped"
    private var position = Duration.zero
    private var since = Duration.zero
    private var heard = Duration.zero
    private var isCounted = false
    /// Titles of the plays that count, in their order.
    public private(set) var counted: [String] = []

    /// `player`: its name on the bus. `now`: a monotonic clock.
    public init(_ connection: Connection, player: String, now: @escaping () -> Duration) throws {
        self.connection = connection
        self.player = player
        self.now = now
        subscriptions = [
            try connection.subscribe(MatchRule(sender: player, path: Self.path, member: "PropertiesChanged")) {
                [weak self] in self?.changed($0)
            },
            try connection.subscribe(MatchRule(sender: player, path: Self.path, member: "Seeked")) { [weak self] in
                self?.seeked($0)
            },
        ]
    }

    /// What is so now: the first thing a scrobbler asks.
    public func begin() async throws {
        let values = try await ask("GetAll", .string(Self.interface))
        take(values.first?.dictionary ?? [:])
        position = .microseconds(values.first?.dictionary?["Position"]?.int64 ?? 0)
        since = now()
    }

    /// Asks for the position, as scrobblers do now and then: where it stands still, nothing is heard.
    public func look() async throws {
        let told = try await ask("Get", .string(Self.interface), .string("Position"))
        advance()
        let real = Duration.microseconds(told.first?.int64 ?? 0)
        if status == "Playing", real < position - .seconds(1) { heard -= position - real }
        position = real
    }

    private func ask(_ member: String, _ arguments: BusValue...) async throws(BusError) -> [BusValue] {
        try await connection.call(
            destination: player, path: Self.path, interface: "org.freedesktop.DBus.Properties", member: member,
            args: arguments, timeout: .seconds(10))
    }

    private func changed(_ message: Message) {
        guard let values = try? message.values(), values.count == 3, values[0].string == Self.interface else { return }
        take(values[1].dictionary ?? [:])
    }

    private func take(_ properties: [String: BusValue]) {
        advance()
        if let metadata = properties["Metadata"] {
            let id = metadata["mpris:trackid"].map { "\($0)" } ?? ""
            if id != trackID { beginPlay(id) }
            title = metadata["xesam:title"]?.string ?? ""
            length = .microseconds(metadata["mpris:length"]?.int64 ?? 0)
        }
        if let status = properties["PlaybackStatus"]?.string, status != self.status {
            if status == "Stopped" { beginPlay(trackID) }
            self.status = status
        }
    }

    private func seeked(_ message: Message) {
        guard let place = (try? message.values())?.first?.int64 else { return }
        advance()
        let target = Duration.microseconds(place)
        if length > .zero, position >= length - .seconds(2), target < .seconds(2) { beginPlay(trackID) }
        position = target
    }

    private func beginPlay(_ id: String) {
        trackID = id
        (position, heard, isCounted) = (.zero, .zero, false)
    }

    /// Brings the count up to this moment.
    private func advance() {
        let moment = now()
        let elapsed = max(.zero, moment - since)
        since = moment
        guard status == "Playing", !trackID.isEmpty else { return }
        position += elapsed
        heard += elapsed
        let needed = length > .zero ? min(length / 2, .seconds(240)) : .seconds(240)
        guard !isCounted, length == .zero || length > .seconds(30), heard >= needed else { return }
        isCounted = true
        counted.append(title)
    }
}
