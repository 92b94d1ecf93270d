public import NyanCore
public import NyanDBus
import NyanWire

/// The desktop's notifications over `org.freedesktop.Notifications` on the session bus (Desktop Notifications
/// Specification 1.2). Nothing waits for them; where nobody shows any, that is told to the log once.
public final class DesktopNotifications: Notifications {
    private static let name = "org.freedesktop.Notifications"
    private static let path: ObjectPath = "/org/freedesktop/Notifications"
    /// A service that hangs holds up no later notice for longer.
    private static let patience: Duration = .seconds(10)

    private let connection: Connection
    private let log: Log
    private var owner: Subscription?
    private var closings: Subscription?
    /// What the service can do; nil = not asked yet.
    private var capabilities: Set<String>?
    /// The number of the notice shown last of each kind, which the next one replaces.
    private var shown: [Notice.Kind: UInt32] = [:]
    /// The newest notice of each kind that waits for an answer to the one before.
    private var waiting: [Notice.Kind: Notice] = [:]
    private var isAsking = false
    private var toldTrouble = false

    public init(_ connection: Connection, log: Log) {
        self.connection = connection
        self.log = log
    }

    public func show(_ notice: Notice) {
        waiting[notice.kind] = notice.spoken
        watchOwner()
        goOn()
    }

    /// A service that is new knows nothing of what the one before has shown.
    private func watchOwner() {
        guard owner == nil else { return }
        owner = try? connection.watchOwner(of: Self.name) { [weak self] owner in
            self?.shown = [:]
            self?.capabilities = nil
            if owner != nil { self?.toldTrouble = false }
        }
        // Services differ in what they make of the number of a notice that is gone.
        closings = try? connection.subscribe(
            MatchRule(sender: Self.name, path: Self.path, interface: Self.name, member: "NotificationClosed")
        ) { [weak self] message in
            guard let self, let number = (try? message.values())?.first?.uint32 else { return }
            shown = shown.filter { $0.value != number }
        }
    }

    /// One question at a time: the number that a later notice replaces is in the answer to the one before.
    private func goOn() {
        guard !isAsking, let kind = Notice.Kind.allCases.first(where: { waiting[$0] != nil }) else { return }
        guard let capabilities else { return askCapabilities() }
        guard let notice = waiting.removeValue(forKey: kind) else { return }
        ask("Notify", Self.arguments(notice, replacing: shown[kind] ?? 0, capabilities)) { [weak self] values in
            self?.shown[kind] = values.first?.uint32
        }
    }

    private func askCapabilities() {
        ask("GetCapabilities", []) { [weak self] values in self?.capabilities = Set(values.first?.strings ?? []) }
    }

    private func ask(_ member: String, _ arguments: [BusValue], _ take: @escaping ([BusValue]) -> Void) {
        isAsking = true
        let call = MethodCall(
            Self.name, Self.path, Self.name, member, .values(arguments), timeout: Self.patience)
        connection.begin(call) { [weak self] outcome in
            guard let self else { return }
            isAsking = false
            do throws(BusError) {
                take(try outcome.get().values())
                goOn()
            } catch {
                failed(error)
            }
        }
    }

    /// What could not be shown is dropped: later it would be old news. One that came meanwhile may have better luck with
    /// a service that is new.
    private func failed(_ error: BusError) {
        let words = ForeignWords.cleaned(error.message) ?? error.name
        if !toldTrouble { log.info("notifications are not shown: \(words)") }
        toldTrouble = true
        shown = [:]
        if capabilities == nil { waiting = [:] }
        capabilities = nil
        goOn()
    }

    /// The arguments of `Notify`.
    private static func arguments(
        _ notice: Notice, replacing earlier: UInt32, _ capabilities: Set<String>
    ) -> [BusValue] {
        // Not of low urgency: GNOME shows none of those, and of transient ones keeps no list either.
        var hints: [(String, BusValue)] = [
            ("desktop-entry", .string(Names.desktopEntry)), ("transient", .bool(true)), ("urgency", .byte(1)),
        ]
        if notice.kind == .downloads { hints.append(("category", .string("transfer.complete"))) }
        if let picture = notice.picture {
            hints.append(("image-path", .string(MetadataCoding.fileURL(picture))))
        }
        let text = NoticeText.line(notice.body)
        let body = capabilities.contains("body-markup") ? Markup.escaped(text) : text
        return [
            .string("Nyan Tunes"), .uint32(earlier), .string(Names.desktopEntry),
            .string(NoticeText.line(notice.title)), .string(body), .strings([]), .dictionary(pairs: hints), .int32(-1),
        ]
    }
}
