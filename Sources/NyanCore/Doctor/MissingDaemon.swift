/// Why there is no daemon to ask, as far as a client can see.
public struct MissingDaemon: Sendable, Equatable {
    /// What systemd says of the unit (D-Bus, org.freedesktop.systemd1); nil = it was not asked or knows no such unit.
    public struct UnitState: Sendable, Equatable {
        /// `active`, `inactive`, `failed`, `activating`…
        public var active: String
        /// The status its process ended with.
        public var exitStatus: Int
        public init(active: String, exitStatus: Int) {
            self.active = active
            self.exitStatus = exitStatus
        }
    }

    /// Why there is no session bus; nil = there is one.
    public var busTrouble: String?
    /// What the bus said when it could not start nyand; nil = it did not try.
    public var startTrouble: String?
    public var unit = UnitFacts()
    public var unitState: UnitState?
    /// Where the program is; nil = neither in PATH nor beside nyanctl.
    public var program: String?

    public init() { unit.isRunning = false }

    /// The lines of `nyanctl doctor`.
    public var findings: [Finding] {
        let bus =
            busTrouble.map {
                Finding(
                    .bus, .problem, "no session bus answers (\($0))",
                    advice: "run this inside your desktop session, or both programs under `dbus-run-session`; "
                        + "over ssh set DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus",
                    packages: ["dbus-user-session"])
            } ?? Finding(.bus, .ok, "the session bus answers")
        return [bus, daemon] + Diagnosis.unit(unit)
    }

    /// The same in one line, for every other command: the one thing to do.
    public var sentence: String {
        guard program != nil || unit.unitFile != nil else {
            return "nyand is not running, and no program of that name is installed: install nyand"
        }
        guard unit.unitFile == nil || unit.isMasked else {
            return "nyand is not running: start it, now and at every login, with `systemctl --user enable --now nyand`"
        }
        return "nyand is not running: start it with `\(program ?? "nyand") &`; `nyanctl doctor` tells more"
    }

    private var daemon: Finding {
        if let state = unitState, state.active == "failed" {
            return Finding(
                .daemon, .problem, "nyand is not running: its unit failed (exit status \(state.exitStatus))",
                advice: "\(reason(state.exitStatus)); then `systemctl --user restart nyand`")
        }
        if busTrouble != nil { return Finding(.daemon, .skipped, "without a bus nobody can be asked") }
        if let startTrouble {
            return Finding(
                .daemon, .problem, "the bus could not start nyand: \(startTrouble)",
                advice: Self.exitStatus(in: startTrouble).flatMap(ownReason)
                    ?? "run `nyand` in a terminal: it says what is wrong")
        }
        guard program != nil || unit.unitFile != nil else {
            return Finding(
                .daemon, .problem, "nyand is not running, and no program of that name is installed",
                advice: "install nyand", packages: ["nyand"])
        }
        let start =
            unit.unitFile == nil || unit.isMasked ? "`\(program ?? "nyand") &`" : "`systemctl --user start nyand`"
        return Finding(.daemon, .problem, "nyand is not running", advice: "start it: \(start)")
    }

    private func reason(_ status: Int) -> String {
        ownReason(status) ?? "`journalctl --user -u nyand -n 20` says why"
    }

    /// nyand's own exit statuses (CONTRACT.md §1), and those of programs that are not there.
    private func ownReason(_ status: Int) -> String? {
        switch status {
        case 2: "a setting is wrong: `nyand` in a terminal names file and line"
        case 3: "it found no session bus: log in anew"
        case 4: "another nyand was running: end that"
        case 127, 203: "its program is not there: install nyand again"
        default: nil
        }
    }

    /// Of `Process org.nyantunes.Nyand exited with status 2`.
    static func exitStatus(in text: String) -> Int? {
        guard let place = text.utf8.lastIndex(of: UInt8(ascii: " ")), text[..<place].hasSuffix("status") else {
            return nil
        }
        return Int(text[text.index(after: place)...])
    }
}
