import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What an installation relies on.
@Suite("Installed", .serialized, .timeLimit(.minutes(1)))
struct PackagedTests {
    @Test(
        "The desktop entry it names is the one installed, also in a Flatpak",
        arguments: [(nil, "nyand"), ("org.nyantunes.Nyand", "org.nyantunes.Nyand")] as [(String?, String)])
    func desktopEntry(flatpak: String?, entry: String) async throws {
        let house = try await House(settings: "[desktop]\nnotify=on")
        house.environment["FLATPAK_ID"] = flatpak
        let mock = try MockNotifications(.address(house.bus.address))
        try await house.startDaemon()
        let reply = try await house.connection.call(
            destination: Names.mpris, path: Names.mprisPath, interface: "org.freedesktop.DBus.Properties",
            member: "Get", args: [.string("org.mpris.MediaPlayer2"), .string("DesktopEntry")])
        #expect(reply.first?.string == entry)
        // So do notifications, whose icon has the same name.
        try await house.signIn()
        try await house.ctl("play", "123456_456239999")
        try await house.until("the track is told") { !mock.shown.isEmpty }
        #expect(mock.shown[0].hints["desktop-entry"]?.string == entry && mock.shown[0].icon == entry)
    }

    @Test("Both programs say the same version, without a daemon")
    func version() async throws {
        let house = try await House(server: nil)
        let daemon = try await Program([House.programs + "/nyand", "--version"], environment: house.environment)
            .outcome()
        let client = try await house.ctl("--version")
        #expect(daemon.output == "nyand \(Names.version)\n")
        #expect(client.output == "nyanctl \(Names.version)\n")
        #expect(client.status == 0)
        for words in [["--version", "--json"], ["--json", "--version"]] {
            let outcome = try await house.ctl(words[0], words[1])
            #expect(outcome.status == 0 && outcome.output == "{\"version\":\"\(Names.version)\"}\n", "\(outcome)")
        }
    }
}
