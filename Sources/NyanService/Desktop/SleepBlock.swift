import NyanCore
public import NyanDBus

/// Keeps the machine from sleeping while something is to be heard (`desktop.inhibit-sleep`): a `block` inhibitor of logind
/// on the system bus, as `SleepBlockMachine` decides. Nothing waits for it, and without logind the log says so once.
///
/// Its connection is its own and made at the first wish, so that who leaves the setting off pays nothing.
@MainActor public final class SleepBlock {
    private static let name = "org.freedesktop.login1"
    private static let path: ObjectPath = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"

    private let address: BusAddress
    private let complain: (String) -> Void
    private var machine = SleepBlockMachine()
    private var connection: Connection?
    private var owner: Subscription?
    /// The bus has said whether there is a logind.
    private var knowsOwner = false
    /// While this descriptor is open, the machine stays awake.
    private var inhibitor: OwnedFD?
    /// Why it is not held, in words of the bus.
    private(set) var trouble = ""

    public convenience init(_ address: BusAddress = .system, log: Log) {
        self.init(address) { log.notice("the machine may go to sleep while music plays: \($0)") }
    }

    /// `complain`: told why, once.
    init(_ address: BusAddress, complain: @escaping (String) -> Void) {
        self.address = address
        self.complain = complain
    }

    isolated deinit { connection?.close() }

    /// Whether the machine is to stay awake now. Costs nothing where that is as before.
    public func setWanted(_ wanted: Bool) { take(.wants(wanted)) }

    private func take(_ input: SleepBlockMachine.Input) {
        for effect in machine.handle(input) {
            switch effect {
            case .ask: Task.onMain { [weak self] in await self?.ask() }
            case .release: inhibitor = nil
            case .complain: complain(trouble)
            }
        }
    }

    private func ask() async {
        do throws(BusError) {
            let connection = try await connected()
            let words = ["sleep", "Nyan Tunes", "Music is playing", "block"].map { BusValue.string($0) }
            // Never started for our sake.
            let call = MethodCall(Self.name, Self.path, Self.interface, "Inhibit", .values(words), autoStart: false)
            connection.begin(call) { [weak self] outcome in self?.answered(outcome) }
        } catch {
            failed(error)
        }
    }

    private func answered(_ outcome: Result<Message, BusError>) {
        do throws(BusError) {
            // Without a descriptor nothing is held, whatever else was answered.
            var reader = MessageReader(try outcome.get())
            guard let held = try? reader.unixFD() else { throw .failed("logind gave no inhibitor") }
            inhibitor = held
            take(.granted)
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: BusError) {
        trouble = ForeignWords.cleaned(error.message) ?? error.name
        take(.refused)
    }

    private func connected() async throws(BusError) -> Connection {
        if let connection { return connection }
        let fresh = try await Connection.opening(address)
        try fresh.attach()
        fresh.onDisconnect = { [weak self] in self?.lost() }
        owner = try fresh.watchOwner(of: Self.name) { [weak self] owner in self?.ownerChanged(owner) }
        connection = fresh
        return fresh
    }

    private func ownerChanged(_ fresh: String?) {
        if knowsOwner, fresh != nil { take(.renewed) }
        knowsOwner = true
    }

    private func lost() {
        connection = nil
        owner = nil
        knowsOwner = false
        trouble = "the system bus is gone"
        take(.lost)
    }
}
