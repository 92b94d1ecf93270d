public import NyanCore
public import NyanDBus
import NyanWire

/// Tells the bus that a listing may be another now: after a sync, a change of the profile, files that came or went, a login.
/// At most four times a second: an import takes thousands of files.
public final class LibraryPublisher {
    private static let pause: Duration = .milliseconds(250)

    private let connection: Connection
    private let time: any TimeSource
    private var isResting = false
    private var isDue = false

    public init(connection: Connection, hub: EventHub, time: any TimeSource) {
        self.connection = connection
        self.time = time
        hub.subscribe { [weak self] changes in
            if !changes.isDisjoint(with: [.library, .account]) { self?.due() }
        }
    }

    private func due() {
        isDue = true
        guard !isResting else { return }
        isDue = false
        try? connection.emit(Names.nyandPath, NyandInterfaces.library.name, "Changed", [])
        isResting = true
        Task.onMain { [self] in
            try? await time.wait(for: Self.pause)
            isResting = false
            if isDue { due() }
        }
    }
}
