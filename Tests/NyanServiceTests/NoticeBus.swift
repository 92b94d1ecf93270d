import NyanCore
import NyanDBus
import NyanTestKit

@testable import NyanService

/// Our notifications on a bus of their own, where a test can stand in for the desktop's service.
final class NoticeBus {
    let bus: PrivateBus
    let connection: Connection
    let notifications: DesktopNotifications

    init() throws {
        bus = try PrivateBus()
        connection = try Connection.open(.address(bus.address))
        try connection.attach()
        notifications = DesktopNotifications(connection, log: Log(level: .error))
    }

    func mock(_ capabilities: [String] = ["body"], isSilent: Bool = false) throws -> MockNotifications {
        try MockNotifications(.address(bus.address), capabilities: capabilities, isSilent: isSilent)
    }

    /// Returns when the bus knows that it is gone.
    func goesAway(_ mock: MockNotifications) async throws {
        mock.connection.close()
        while try await connection.owner(of: "org.freedesktop.Notifications") != nil { await settle() }
    }
}
