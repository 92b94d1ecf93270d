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
    static let isPossible = Disk.output("/usr/bin/python3", ["-c", "from gi.repository import Gio; print(1)"]) == "1\n"

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

    /// `mode`: `works`, `locked`, `empty` (no default keyring), `silent` or `refuses` (a search).
    static func service(_ mode: String, bus: String) -> Child? {
        Child(["/usr/bin/python3", "-c", program, mode], environment: ["DBUS_SESSION_BUS_ADDRESS": bus])
    }

    private static let program = """
        import sys
        from gi.repository import Gio, GLib
        mode = sys.argv[1]
        xml = '''<node>
        <interface name="org.freedesktop.Secret.Service">
        <method name="OpenSession"><arg type="s" direction="in"/><arg type="v" direction="in"/>
        <arg type="v" direction="out"/><arg type="o" direction="out"/></method>
        <method name="SearchItems"><arg type="a{ss}" direction="in"/><arg type="ao" direction="out"/>
        <arg type="ao" direction="out"/></method>
        <method name="GetSecrets"><arg type="ao" direction="in"/><arg type="o" direction="in"/>
        <arg type="a{o(oayays)}" direction="out"/></method>
        <method name="ReadAlias"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
        <property name="Collections" type="ao" access="read"/></interface>
        <interface name="org.freedesktop.Secret.Collection">
        <method name="CreateItem"><arg type="a{sv}" direction="in"/><arg type="(oayays)" direction="in"/>
        <arg type="b" direction="in"/><arg type="o" direction="out"/><arg type="o" direction="out"/></method>
        <property name="Items" type="ao" access="read"/><property name="Label" type="s" access="read"/>
        <property name="Locked" type="b" access="read"/><property name="Created" type="t" access="read"/>
        <property name="Modified" type="t" access="read"/></interface>
        <interface name="org.freedesktop.Secret.Item">
        <method name="Delete"><arg type="o" direction="out"/></method>
        <property name="Locked" type="b" access="read"/><property name="Attributes" type="a{ss}" access="read"/>
        <property name="Label" type="s" access="read"/><property name="Created" type="t" access="read"/>
        <property name="Modified" type="t" access="read"/></interface></node>'''
        info = Gio.DBusNodeInfo.new_for_xml(xml)
        root = "/org/freedesktop/secrets"
        keyring = root + "/collection/login"
        items = {}
        V = GLib.Variant
        if mode == "locked": items[keyring + "/0"] = b""
        def register(path, number):
            bus.register_object(path, info.interfaces[number], call, get, None)
        def call(conn, sender, path, iface, name, args, inv):
            if mode == "silent": return
            if mode == "refuses" and name == "SearchItems":
                inv.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "not for you")
                return
            if name == "OpenSession":
                if args[0] != "plain":
                    inv.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", "plain only")
                    return
                inv.return_value(V("(vo)", (V("s", ""), root + "/session/1")))
            elif name == "SearchItems":
                # One item of each kind; the locked one may be of any.
                paths = [p for p in items if mode == "locked" or p.endswith("/" + args[0].get("kind", ""))]
                found = ([], paths) if mode == "locked" else (paths, [])
                inv.return_value(V("(aoao)", found))
            elif name == "GetSecrets":
                held = {p: (root + "/session/1", b"", items[p], "text/plain") for p in args[0]}
                inv.return_value(V("(a{o(oayays)})", (held,)))
            elif name == "ReadAlias":
                inv.return_value(V("(o)", ("/" if mode == "empty" else keyring,)))
            elif name == "CreateItem":
                path = keyring + "/" + args[0]["org.freedesktop.Secret.Item.Attributes"]["kind"]
                if path not in items: register(path, 2)
                items[path] = bytes(args[1][2])
                inv.return_value(V("(oo)", (path, "/")))
            elif name == "Delete":
                items.pop(path, None)
                inv.return_value(V("(o)", ("/",)))
        def get(conn, sender, path, iface, name):
            if name == "Locked": return V("b", mode == "locked")
            if name == "Label": return V("s", "x")
            if name in ("Created", "Modified"): return V("t", 0)
            if name == "Attributes": return V("a{ss}", {})
            if name == "Collections": return V("ao", [] if mode == "empty" else [keyring])
            if name == "Items": return V("ao", list(items))
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        register(root, 0)
        if mode != "empty":
            register(keyring, 1)
            register(root + "/aliases/default", 1)
        for path in items: register(path, 2)
        Gio.bus_own_name_on_connection(bus, "org.freedesktop.secrets", 0, lambda *a: print("READY", flush=True), None)
        GLib.MainLoop().run()
        """
}
