import NyanCore
import Testing

/// The unit and the activation file, by the files that are there.
@Suite("Unit and activation")
struct UnitFactsTests {
    private static let environment = [
        "HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1", "XDG_DATA_DIRS": "/opt/share:/usr/share",
    ]

    private func look(_ tree: [String: UnitFacts.Entry], programs: Set<String> = ["/usr/bin/nyand"]) -> UnitFacts {
        UnitFacts.look(environment: Self.environment, entry: { tree[$0] }, isProgram: programs.contains)
    }

    private static let unit = UnitFacts.Entry.file(text: "[Service]\nType=notify\nExecStart=/usr/bin/nyand\n")

    @Test("the first of the folders counts, and a link in a .wants folder enables")
    func found() {
        var tree: [String: UnitFacts.Entry] = ["/usr/lib/systemd/user/nyand.service": Self.unit]
        var facts = look(tree)
        #expect(facts.unitFile == "/usr/lib/systemd/user/nyand.service" && facts.enabling == nil)
        tree["/h/.config/systemd/user"] = .folder(names: ["default.target.wants", "other.service"])
        tree["/h/.config/systemd/user/default.target.wants/nyand.service"] = .link(to: "/usr/lib/x")
        tree["/opt/share/dbus-1/services/org.nyantunes.Nyand.service"] = .file(text: "")
        facts = look(tree)
        #expect(facts.enabling == "/h/.config/systemd/user/default.target.wants/nyand.service")
        #expect(facts.activationFile == "/opt/share/dbus-1/services/org.nyantunes.Nyand.service")
        #expect(facts.missingProgram == nil)
        facts.runsUnder = "nyand.service"
        #expect(Diagnosis.unit(facts).map(\.state) == [.ok, .ok])
        facts.runsUnder = nil
        #expect(Diagnosis.unit(facts).map(\.state) == [.note, .ok])
        facts.isRunning = false
        #expect(Diagnosis.unit(facts).map(\.state) == [.ok, .ok])
    }

    @Test("masked, its program gone, not there at all")
    func broken() {
        let masked = look(["/h/.config/systemd/user/nyand.service": .link(to: "/dev/null")])
        #expect(masked.isMasked && Diagnosis.unit(masked)[0].advice.contains("unmask"))
        let gone = look(["/usr/lib/systemd/user/nyand.service": Self.unit], programs: [])
        #expect(gone.missingProgram == "/usr/bin/nyand" && Diagnosis.unit(gone)[0].state == .problem)
        #expect(Diagnosis.unit(look([:])).map(\.state) == [.note, .note])
        var under = look([:])
        under.runsUnder = "nyand.service"
        #expect(Diagnosis.unit(under)[0].state == .ok)
    }

    @Test(
        "the service of a control group",
        arguments: [
            ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/nyand.service\n", "nyand.service"),
            ("0::/user.slice/user-1000.slice/session-2.scope\n", nil), ("0::/user.slice/user@1000.service\n", nil),
            ("12:pids:/x\n0::/a/nyand.service\n", "nyand.service"), ("", nil),
        ])
    func service(text: String, service: String?) {
        #expect(UnitFacts.service(inControlGroups: text) == service)
    }

    @Test("why nobody answers: no bus, a unit that failed, a start that failed, nothing installed")
    func missing() throws {
        func daemon(_ change: (inout MissingDaemon) -> Void) throws -> Finding {
            var missing = MissingDaemon()
            missing.program = "/usr/bin/nyand"
            change(&missing)
            return try #require(missing.findings.first { $0.check == .daemon })
        }
        #expect(try daemon { _ in }.advice.contains("/usr/bin/nyand"))
        #expect(try daemon { $0.busTrouble = "no" }.state == .skipped)
        let failed = try daemon { $0.unitState = .init(active: "failed", exitStatus: 2) }
        #expect(failed.state == .problem && failed.advice.contains("a setting is wrong"))
        #expect(try daemon { $0.unitState = .init(active: "failed", exitStatus: 1) }.advice.contains("journalctl"))
        let start = try daemon { $0.startTrouble = "Process org.nyantunes.Nyand exited with status 2" }
        #expect(start.message.contains("exited with status 2") && start.advice.contains("a setting is wrong"))
        #expect(try daemon { $0.startTrouble = "Permission denied" }.advice.contains("in a terminal"))
        #expect(try daemon { $0.program = nil }.packages == ["nyand"])
        #expect(try daemon { $0.unit.unitFile = "/u" }.advice.contains("systemctl --user start"))
    }
}
