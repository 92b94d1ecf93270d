public import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Daemon`: the process itself.
public final class DaemonFrontend: InterfaceHandler {
    private let setOfflineMode: (Bool) async throws(Failure) -> Void
    private let reload: () throws(Failure) -> Void

    public init(
        setOfflineMode: @escaping (Bool) async throws(Failure) -> Void, reload: @escaping () throws(Failure) -> Void
    ) {
        self.setOfflineMode = setOfflineMode
        self.reload = reload
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "SetOfflineMode":
            .working { [self] () throws(Failure) in
                try await setOfflineMode(arguments[0].bool ?? false)
                return []
            }
        case "Reload":
            try Answer.doing { () throws(Failure) in
                try reload()
                return []
            }
        default: throw .unknownMethod(member)
        }
    }

    public func get(_ property: String) -> BusValue? { property == "Version" ? .string(Names.version) : nil }
}
