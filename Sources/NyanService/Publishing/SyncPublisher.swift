import NyanCore
public import NyanDBus
import NyanWire

/// Tells the bus how far a sync is: one signal per page, which are at least a third of a second apart.
public final class SyncPublisher {
    public init(connection: Connection, syncs: SyncService) {
        syncs.onProgress = { progress in
            let numbers = [progress?.read ?? 0, progress?.total ?? 0].map { BusValue.uint32(UInt32(clamping: $0)) }
            try? connection.emit(Names.nyandPath, NyandInterfaces.library.name, "SyncProgress", .values(numbers))
        }
    }
}
