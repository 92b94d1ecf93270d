import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import Testing

/// What a person sees of downloads that run, with the real programs.
@Suite("Downloads, shown", .serialized, .timeLimit(.minutes(2)))
struct DownloadShowTests {
    private struct Row: Decodable {
        let id: String, state: String, received: Int, total: Int?, speed: Int?, timeLeft: Int?
    }

    private func rows(_ house: House) async throws -> [Row] {
        let answer = try await house.ctl("--json", "downloads")
        return try JSONDecoder().decode([Row].self, from: Data(answer.output.utf8))
    }

    private let long = "123456_456239965"

    @Test("speed and time left come true, and the list is whole the moment a killed daemon is back")
    func pace() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"set","bandwidth":100000}"#)
        #expect(try await house.ctl("download", long, "123456_456239964", "123456_456239999").status == 0)
        try await house.until("the speed is known") {
            guard let row = try await rows(house).first(where: { $0.id == long }), let speed = row.speed,
                let left = row.timeLeft, let total = row.total
            else { return false }
            // The server's drip is not to the byte.
            return (60_000...140_000).contains(speed) && abs(left - (total - row.received) / speed) <= 1
        }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        try await house.startDaemon()
        #expect(try await Set(rows(house).map(\.id)).count == 3)
    }

    @Test("the end of a batch is told to the desktop once, and only while the setting says so")
    func notifies() async throws {
        let house = try await House(settings: "[desktop]\nnotify=true")
        let mock = try MockNotifications(.address(house.bus.address))
        let daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("download", long, "123456_456239964", "123456_456239999", "--wait").status == 0)
        try await house.until("it is told") { !mock.shown.isEmpty }
        #expect(mock.shown.map(\.body) == ["3 tracks downloaded"])
        #expect(mock.shown.first?.title == "Downloads finished")
        try house.writeSettings("[desktop]\nnotify=false")
        daemon.send(SIGHUP)
        try await house.until("the settings are read") { daemon.errors.contains("settings read again") }
        #expect(try await house.ctl("download", "123456_456239998", "--wait").status == 0)
        try house.writeSettings("[desktop]\nnotify=true")
        daemon.send(SIGHUP)
        try await house.until("they are read again") {
            daemon.errors.components(separatedBy: "settings read again").count == 3
        }
        #expect(try await house.ctl("download", "123456_456239997", "--wait").status == 0)
        try await house.until("the next is told, ten seconds after the first at the latest") {
            mock.shown.count == 2
        }
        #expect(mock.shown.last?.body == "1 track downloaded" && mock.shown.last?.replaces == mock.shown.first?.number)
        #expect(!daemon.errors.contains("notifications are not shown"))
    }
}
