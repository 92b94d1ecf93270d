import CSystem
import Dispatch
import Glibc

/// Hears from the kernel when something is mounted or unmounted; costs nothing while nothing is.
///
/// A folder's own watch hears its disk go, but not another one come.
final class MountWatch {
    private let source: any DispatchSourceRead

    /// nil where there is no such table (a sandbox).
    init?(_ changed: @escaping () -> Void) {
        let descriptor = nyan_open_mount_watch()
        guard descriptor >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler {
            nyan_read_mount_watch(descriptor)
            changed()
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.activate()
    }

    isolated deinit { source.cancel() }
}
