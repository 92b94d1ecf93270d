import FoundationEssentials
import Glibc
import Testing

@testable import NyanStore

/// A program a test started, ended with it.
final class Child: Sendable {
    let id: pid_t
    /// The first line it printed.
    let line: String

    init?(_ arguments: [String], environment: [String: String] = [:]) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        // A thread of Dispatch blocks all signals, and its children would inherit that.
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = arguments.map { strdup($0) } + [nil]
        let variables = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
        var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        var child: pid_t = 0
        let code = posix_spawnp(&child, arguments[0], &actions, &attributes, &words, &pairs)
        (words + pairs).forEach { free($0) }
        close(ends[1])
        defer { close(ends[0]) }
        guard code == 0 else { return nil }
        id = child
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != 10 { bytes.append(byte) }
        line = String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }
}

/// A Secret Service on a bus of its own, that works, is locked, or never answers.
enum SecretServiceStand {
    static let isPossible = Disk.output("/usr/bin/python3", ["-c", "print(1)"]) == "1\n"

    /// A bus on which nothing can be started by itself.
    static func bus(in folder: TemporaryFolder) -> Child? {
        let config = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>unix:dir=\(folder.path)</listen>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """
        guard (try? Disk.write(folder("bus.conf"), Array(config.utf8))) != nil else { return nil }
        return Child(["dbus-daemon", "--config-file=\(folder("bus.conf"))", "--nofork", "--print-address=1"])
    }

    /// `mode`: `works`, `full` (locked), `empty` (no default keyring), `silent` or `refuses` (a search).
    static func service(_ mode: String, bus: String) -> Child? {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return Child(
            ["/usr/bin/python3", "/\(tests)/soak/keyring.py", mode], environment: ["DBUS_SESSION_BUS_ADDRESS": bus])
    }
}
