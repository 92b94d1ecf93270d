import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import Testing

/// Notifications and the sleep inhibitor under the real daemon.
@Suite("Notices and wakefulness", .serialized, .timeLimit(.minutes(2)))
struct DesktopNoticeTests {
    /// Of albums with covers.
    private let tracks = [50, 51, 55, 56, 60].map { "123456_\(456_240_000 - $0)" }

    @Test("track changes are told once things are calm, with the cover's file, and a reload turns them on and off")
    func notices() async throws {
        let house = try await House(settings: "[desktop]\nnotify=on")
        let mock = try MockNotifications(.address(house.bus.address), capabilities: ["body", "body-markup"])
        let daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("play", tracks[0], tracks[1], tracks[2], tracks[3], tracks[4]).status == 0)
        try await house.until("the track is told") { mock.shown.last?.hints["image-path"] != nil }
        let first = try #require(mock.shown.last)
        let status = try await house.status()
        #expect(first.title == status.track?.title && first.application == "Nyan Tunes")
        let cover = try #require(status.track?.cover)
        #expect(first.hints["image-path"]?.string == "file://" + cover && FileManager.default.fileExists(atPath: cover))
        let before = mock.shown.count
        try await house.ctl("pause")
        try await house.ctl("play")
        try await house.ctl("seek", "5")
        // All three are with the daemon before it answers the first: it waits for calm by its own clock.
        async let second = house.press("Next")
        async let third = house.press("Next")
        async let fourth = house.press("Next")
        _ = try await [second, third, fourth]
        let last = try #require(try await house.status().track?.title)
        try await house.until("the last one is told, and its cover") {
            mock.shown.last?.title == last && mock.shown.last?.hints["image-path"] != nil
        }
        // The last one, and perhaps its cover; one in between only where this machine was slow.
        #expect(
            mock.shown.count - before <= 3 && mock.shown.dropFirst(before).allSatisfy { $0.replaces == first.number })
        #expect(!mock.shown.contains { "\($0)".contains("http") })
        try house.writeSettings("[desktop]\nnotify=off")
        daemon.send(SIGHUP)
        try await house.until("it is read") { daemon.errors.contains("settings read again") }
        let silent = mock.shown.count
        try await house.ctl("next")
        try await house.until("it plays") { try await house.status().position > 1 }
        #expect(mock.shown.count == silent)
    }

    @Test("the machine is kept awake while music plays, and no longer: pause, stop, the end, the setting")
    func awake() async throws {
        let mock = try MockLogind()
        try await mock.start()
        let house = try await House(settings: "[desktop]\ninhibit-sleep=on")
        house.environment["DBUS_SYSTEM_BUS_ADDRESS"] = mock.bus.address
        let daemon = try await house.startDaemon()
        try await house.signIn()
        func blocks(_ wanted: Bool, _ what: Comment) async throws {
            try await house.until(what) { try await mock.inhibitors("block").isEmpty != wanted }
        }
        #expect(try await mock.inhibitors("block").isEmpty)
        for end in [["pause"], ["stop"], ["queue", "clear"]] {
            #expect(try await house.ctl("play", tracks[0], tracks[1]).status == 0)
            try await blocks(true, "it plays")
            #expect(try await mock.inhibitors("block") == ["Nyan Tunes"])
            _ = try await Program([House.programs + "/nyanctl"] + end, environment: house.environment).outcome()
            try await blocks(false, "\(end)")
        }
        #expect(try await house.ctl("play", tracks[0]).status == 0)
        try await blocks(true, "it plays again")
        try house.writeSettings("[desktop]\ninhibit-sleep=off")
        #expect(try await house.ctl("reload").status == 0)
        try await blocks(false, "it is off")
        try house.writeSettings("[desktop]\ninhibit-sleep=on")
        #expect(try await house.ctl("reload").status == 0)
        try await blocks(true, "it is on again, in mid-track")
        await mock.kill()
        try await mock.start()
        try await blocks(true, "a new logind")
        #expect(try await house.ctl("seek", "99%").status == 0)
        try await blocks(false, "the queue is over")
        #expect(!daemon.errors.contains("no effect"))
    }

    @Test("without a system bus it plays all the same, and the log says once that the machine may sleep")
    func nobody() async throws {
        let house = try await House(settings: "[desktop]\ninhibit-sleep=on\nnotify=on")
        let daemon = try await house.startDaemon()
        try await house.signIn()
        for _ in 0..<2 {
            #expect(try await house.ctl("play", tracks[0]).status == 0)
            try await house.until("it plays") { try await house.status().state == "playing" }
            try await house.ctl("pause")
        }
        let words = "the machine may go to sleep while music plays"
        try await house.until("it is logged") { daemon.errors.contains(words) }
        #expect(daemon.errors.components(separatedBy: words).count == 2)
    }
}
