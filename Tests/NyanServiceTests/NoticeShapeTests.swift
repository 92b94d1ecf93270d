import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// What a notification looks like on the bus.
@Suite("The shape of notices", .serialized, .timeLimit(.minutes(1)))
final class NoticeShapeTests {
    private let desk: NoticeBus
    private var notifications: DesktopNotifications { desk.notifications }

    init() throws { desk = try NoticeBus() }

    @Test(
        "No letter and no mark hides a sign of markup",
        arguments: [
            ("\u{D4E}<b>\u{D4E}&x", "\u{D4E}&lt;b&gt;\u{D4E}&amp;x"),
            ("a<\u{301}b&\u{301}", "a&lt;\u{301}b&amp;\u{301}"),
        ])
    func clusters(text: String, body: String) async throws {
        let mock = try desk.mock(["body", "body-markup"])
        notifications.show(Notice(.track, title: "T", body: text))
        #expect(await until { mock.shown.count == 1 })
        #expect(Array(mock.shown[0].body.unicodeScalars) == Array(body.unicodeScalars), "\(mock.shown[0].body)")
    }

    @Test("A cover is a file URL with everything odd in it encoded; the urgency is one that GNOME shows")
    func picture() async throws {
        let mock = try desk.mock()
        notifications.show(Notice(.track, title: "T", body: "B", picture: "/tmp/c d/ё#1.jpg"))
        #expect(await until { mock.shown.count == 1 })
        let hints = mock.shown[0].hints
        #expect(hints["image-path"]?.string == "file:///tmp/c%20d/%D1%91%231.jpg")
        #expect(hints["urgency"]?.byte == 1 && hints["transient"]?.bool == true && hints["category"] == nil)
        #expect(hints["desktop-entry"]?.string == "nyand")
    }

    @Test("Titles neither break lines nor turn what stands around them, with or without markup")
    func harmless() async throws {
        let mock = try desk.mock(["body", "body-markup"])
        notifications.show(Notice(.track, title: "a\n\u{202E}<b>", body: "x\u{1B}&\u{2067}y\r\nz"))
        #expect(await until { mock.shown.count == 1 })
        #expect(mock.shown[0].title == "a <b>" && mock.shown[0].body == "x&amp;y z")
    }

    @Test("One that was swept away is not replaced any more, and neither is one of a service that is gone")
    func dismissed() async throws {
        var mock = try desk.mock()
        notifications.show(Notice(.track, title: "1", body: ""))
        #expect(await until { mock.shown.count == 1 })
        notifications.show(Notice(.track, title: "2", body: ""))
        #expect(await until { mock.shown.count == 2 && mock.shown[1].replaces == mock.shown[0].number })
        // Another's number is none of ours.
        try mock.dismiss(7)
        try mock.dismiss(mock.shown[0].number)
        await told(mock)
        notifications.show(Notice(.track, title: "3", body: ""))
        #expect(await until { mock.shown.count == 3 && mock.shown[2].replaces == 0 })
        try await desk.goesAway(mock)
        mock = try desk.mock()
        notifications.show(Notice(.track, title: "4", body: ""))
        #expect(await until { mock.shown.count == 1 && mock.shown[0].replaces == 0 })
    }

    /// Returns when what the service said so far has arrived: the bus keeps the order of one sender's messages.
    private func told(_ mock: MockNotifications) async {
        _ = try? await desk.connection.call(
            destination: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
            interface: "org.freedesktop.Notifications", member: "GetCapabilities", args: [], timeout: .seconds(5))
    }
}
