import Glibc
import NyanCore
import NyanDBus
import NyanWire

/// Whether the daemon that runs is of nyanctl's own version, and what to say where it is not: after an update of the
/// package the old one goes on until it is restarted.
@MainActor enum VersionLook {
    private static let limit: Duration = .seconds(2)

    /// The version of the daemon that runs; nil where none runs or answers. Starts none.
    static func running(_ client: NyanClient? = nil) -> String? {
        guard let client = client ?? (try? NyanClient(timeout: limit)) else { return nil }
        return try? client.connection.callBlocking(
            destination: Names.nyand, path: Names.nyandPath, interface: "org.freedesktop.DBus.Properties",
            member: "Get", args: [.string(NyandInterfaces.daemon.name), .string("Version")], timeout: limit,
            autoStart: false
        ).first?.string
    }

    /// The sentence of a call that was not understood. Both versions are looked up only here, where something failed.
    /// `detail`: what it was about.
    static func misunderstanding(_ detail: String) -> String { VersionText.misunderstood(running(), detail: detail) }

    /// All works, but the versions differ: told a person at a terminal once for each pair.
    static func hint(_ running: String?) {
        guard let words = VersionText.difference(running) else { return }
        let pair = "\(running ?? "") \(Names.version)\n"
        guard KeptLines.read(file) != pair else { return }
        Terminal.complain("hint: \(Terminal.printableMessage(words))")
        KeptLines.write(pair, as: file)
    }

    private static let file = "nyanctl-versions"

    /// The same as `doctor` shows it; nil where there is nothing to tell.
    static func finding(_ running: String?) -> Finding? {
        VersionText.difference(running).map {
            Finding(.daemon, .note, $0, advice: "restart it: \(VersionText.restart)")
        }
    }
}

/// Two versions in words.
nonisolated enum VersionText {
    static let restart = "`systemctl --user restart nyand`"

    /// nil where they are one, or the daemon's is not known.
    static func difference(_ daemon: String?, client: String = Names.version) -> String? {
        guard let daemon, daemon != client else { return nil }
        return isNewer(daemon, than: client)
            ? "nyand \(daemon) runs, but this nyanctl is \(client): an older nyanctl stands first in PATH, or was not updated"
            : "nyand \(daemon) still runs, but nyanctl is \(client): `systemctl --user restart nyand`"
    }

    /// A call was unknown, or answered in another shape.
    static func misunderstood(_ daemon: String?, client: String = Names.version, detail: String) -> String {
        guard let daemon else {
            return "nyand does not understand nyanctl \(client): `systemctl --user restart nyand` (\(detail))"
        }
        if daemon == client {
            return
                "nyand and nyanctl are both \(client), but of different builds: `systemctl --user restart nyand` (\(detail))"
        }
        return isNewer(daemon, than: client)
            ? "nyand \(daemon) and nyanctl \(client) do not understand each other: update nyanctl (\(detail))"
            : "nyand \(daemon) and nyanctl \(client) do not understand each other: `systemctl --user restart nyand` (\(detail))"
    }

    /// By their numbers; what is no number counts as 0.
    static func isNewer(_ one: String, than other: String) -> Bool {
        func numbers(_ text: String) -> [Int] {
            text.split(separator: ".").map { part in Int(part.prefix { $0.isASCII && $0.isNumber }) ?? 0 }
        }
        let (left, right) = (numbers(one), numbers(other))
        for place in 0..<max(left.count, right.count) {
            let (mine, theirs) = (
                left.indices.contains(place) ? left[place] : 0, right.indices.contains(place) ? right[place] : 0
            )
            if mine != theirs { return mine > theirs }
        }
        return false
    }
}
