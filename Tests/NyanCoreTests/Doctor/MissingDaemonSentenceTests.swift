import NyanCore
import Testing

@Suite("One line about a daemon that is not there")
struct MissingDaemonSentenceTests {
    @Test(
        "It names the one thing to do on this machine",
        arguments: [
            (nil, nil, false, "install nyand"), ("/usr/bin/nyand", "/u", false, "systemctl --user enable --now nyand"),
            (nil, "/u", false, "systemctl --user enable --now nyand"), ("/opt/nyand", nil, false, "`/opt/nyand &`"),
            ("/opt/nyand", "/u", true, "`/opt/nyand &`"),
        ] as [(String?, String?, Bool, String)])
    func sentence(program: String?, unit: String?, isMasked: Bool, advice: String) {
        var absence = MissingDaemon()
        absence.program = program
        absence.unit.unitFile = unit
        absence.unit.isMasked = isMasked
        #expect(absence.sentence.hasPrefix("nyand is not running") && absence.sentence.contains(advice))
        #expect(!absence.sentence.contains("\n"))
    }
}
