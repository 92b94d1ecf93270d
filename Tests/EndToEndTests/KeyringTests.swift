import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The daemon with a keyring that is silent, locked, unlocked later, or gone (field-issues.md F4).
@Suite("The keyring", .serialized, .timeLimit(.minutes(4)))
struct KeyringTests {
    /// A Secret Service whose mode the test changes by signals: USR1 unlocks it.
    private static let program = """
        import signal, sys
        from gi.repository import Gio, GLib
        mode = sys.argv[1]
        S, root = "org.freedesktop.Secret.", "/org/freedesktop/secrets"
        keyring, item = root + "/collection/login", root + "/collection/login/1"
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
        <property name="Modified" type="t" access="read"/></interface>
        <interface name="org.freedesktop.Secret.Prompt">
        <method name="Prompt"><arg type="s" direction="in"/></method><method name="Dismiss"/>
        <signal name="Completed"><arg type="b"/><arg type="v"/></signal></interface></node>'''
        info, V = Gio.DBusNodeInfo.new_for_xml(xml), GLib.Variant
        kept = {}
        def call(conn, sender, path, iface, name, args, inv):
            if mode == "silent": return
            if name == "OpenSession":
                if args[0] != "plain":
                    return inv.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", "plain only")
                inv.return_value(V("(vo)", (V("s", ""), root + "/session/1")))
            elif name == "SearchItems":
                inv.return_value(V("(aoao)", ([], list(kept)) if mode == "locked" else (list(kept), [])))
            elif name == "GetSecrets":
                held = {p: (root + "/session/1", b"", kept[p], "text/plain") for p in args[0]}
                inv.return_value(V("(a{o(oayays)})", (held,)))
            elif name == "ReadAlias":
                inv.return_value(V("(o)", (keyring,)))
            elif name == "CreateItem" and mode == "asks":
                inv.return_value(V("(oo)", ("/", root + "/prompt")))
            elif name == "Prompt":
                inv.return_value(None)
                bus.emit_signal(None, path, S + "Prompt", "Completed", V("(bv)", (True, V("s", ""))))
            elif name == "CreateItem":
                if mode == "dies": sys.exit(0)
                if item not in kept: bus.register_object(item, info.interfaces[2], call, get, None)
                kept[item] = bytes(args[1][2])
                inv.return_value(V("(oo)", (item, "/")))
            elif name == "Delete":
                kept.pop(path, None)
                inv.return_value(V("(o)", ("/",)))
        def get(conn, sender, path, iface, name):
            return {"Locked": V("b", mode == "locked"), "Label": V("s", "x"), "Attributes": V("a{ss}", {}),
                    "Collections": V("ao", [keyring]), "Items": V("ao", list(kept))}.get(name, V("t", 0))
        def unlock():
            global mode
            mode = "works"
            bus.emit_signal(None, keyring, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                            V("(sa{sv}as)", (S + "Collection", {"Locked": V("b", False)}, [])))
            print("KEPT" if kept else "EMPTY", flush=True)
            return True
        def lock():
            global mode
            mode = "locked"
            print("KEPT" if kept else "EMPTY", flush=True)
            return True
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR1, unlock)
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR2, lock)
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        bus.register_object(root, info.interfaces[0], call, get, None)
        for path in (keyring, root + "/aliases/default"): bus.register_object(path, info.interfaces[1], call, get, None)
        bus.register_object(root + "/prompt", info.interfaces[3], call, get, None)
        Gio.bus_own_name_on_connection(bus, "org.freedesktop.secrets", 0, lambda *a: print("READY", flush=True), None)
        GLib.MainLoop().run()
        """

    private func keyring(_ mode: String, _ house: House) async throws -> Program {
        let service = try Program(
            ["/usr/bin/python3", "-c", Self.program, mode], environment: house.environment)
        try #require(await service.line() == "READY", "\(service.errors)")
        return service
    }

    @Test("in trouble holds nobody up and is named; the login is in the file meanwhile, and moves when it is unlocked")
    func trouble() async throws {
        let house = try await House()
        try house.writeSettings("[account]\nstore=auto")
        let file = house.home + "/data/nyand/credentials"
        var service: Program? = try await keyring("locked", house)
        try await house.startDaemon()
        // Locked at the login.
        #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
        #expect(try await house.status().problem?.message.contains("keyring is locked") == true)
        var facts = stat()
        #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        service?.send(SIGUSR1)
        try await house.until("the login is in the keyring") { access(file, F_OK) != 0 }
        try await house.until("nothing is wrong any more") { try await house.status().problem == nil }
        // Locked when the daemon starts, unlocked later.
        service?.send(SIGUSR2)
        let lines = [await service?.line(), await service?.line()]
        #expect(lines.last == "KEPT")
        house.daemon?.send(SIGTERM)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        let locked = try await house.ctl("whoami")
        #expect(locked.errors.contains("keyring is locked") && locked.status != 0, "\(locked)")
        #expect(try await house.status().problem?.message.contains("keyring is locked") == true)
        service?.send(SIGUSR1)
        try await house.until("it is signed in") { try await house.status().signedIn }
        #expect(try await house.ctl("whoami").status == 0)
        #expect(try await house.ctl("logout").status == 0)
        service = nil
        // A window that is closed, and a service that dies.
        for (mode, words) in [("asks", "question"), ("dies", "ended before it answered")] {
            service = try await keyring(mode, house)
            #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
            let problem = try await house.status().problem?.message ?? ""
            #expect(problem.contains(words), "\(mode): \(problem)")
            #expect(access(file, F_OK) == 0)
            let logout = try await house.ctl("logout")
            #expect(logout.status == 0, "\(mode): \(logout.errors)")
            service = nil
        }
        // Silent: every answer comes at once, whatever the keyring is waited for.
        service = try await keyring("silent", house)
        let login = Task { try await house.ctl("login", "--token", input: house.token) }
        // A stall would last the keyring's three seconds.
        for _ in 0..<10 { #expect(try await house.statusTime() < 1500) }
        #expect(try await login.value.status == 0)
        #expect(access(file, F_OK) == 0)
        #expect(try await house.status().problem?.message.contains("keyring does not answer") == true)
        withExtendedLifetime(service) {}
    }

    @Test("is found where the bus is, although no variable names that")
    func unnamedBus() async throws {
        let house = try await House()
        try house.writeSettings("[account]\nstore=auto")
        let service = try await keyring("works", house)
        try house.hideBusAddress()
        try await house.startDaemon()
        #expect(try await house.ctl("login", "--token", input: house.token).status == 0)
        #expect(access(house.home + "/data/nyand/credentials", F_OK) != 0)
        service.send(SIGUSR1)
        #expect(await service.line() == "KEPT")
        #expect(try await house.status().problem == nil)
    }
}
