#!/usr/bin/python3
"""A Secret Service that keeps its items in a file, so that it can die and come back with them.
usage: keyring.py FILE. USR2 locks it, USR1 unlocks it; prints READY once it has its name."""

import json
import signal
import sys

from gi.repository import Gio, GLib

SECRET, ROOT = "org.freedesktop.Secret.", "/org/freedesktop/secrets"
KEYRING, V = ROOT + "/collection/login", GLib.Variant
XML = """<node>
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
<property name="Modified" type="t" access="read"/></interface></node>"""
ATTRIBUTES = SECRET + "Item.Attributes"


class Keyring:
    def __init__(self, path):
        self.path, self.locked, self.places = path, False, {}
        try:
            with open(path) as file:
                self.items = json.load(file)
        except FileNotFoundError:
            self.items = []
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.info = Gio.DBusNodeInfo.new_for_xml(XML)
        self.bus.register_object(ROOT, self.info.interfaces[0], self.call, self.get, None)
        for path in (KEYRING, ROOT + "/aliases/default"):
            self.bus.register_object(path, self.info.interfaces[1], self.call, self.get, None)
        for item in self.items:
            self.show(item)

    def show(self, item):
        """Puts an item on the bus."""
        place = f"{KEYRING}/{len(self.places) + 1}"
        self.places[place] = item
        self.bus.register_object(place, self.info.interfaces[2], self.call, self.get, None)
        return place

    def save(self):
        self.items = list(self.places.values())
        with open(self.path, "w") as file:
            json.dump(self.items, file)

    def matching(self, wanted):
        return [place for place, item in self.places.items() if wanted.items() <= item["attributes"].items()]

    def call(self, conn, sender, path, iface, name, args, answer):
        if name == "OpenSession":
            if args[0] != "plain":
                return answer.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", "plain only")
            answer.return_value(V("(vo)", (V("s", ""), ROOT + "/session/1")))
        elif name == "SearchItems":
            found = self.matching(args[0])
            answer.return_value(V("(aoao)", ([], found) if self.locked else (found, [])))
        elif name == "GetSecrets":
            held = {
                place: (ROOT + "/session/1", b"", self.places[place]["secret"].encode(), "text/plain")
                for place in args[0]
                if place in self.places and not self.locked
            }
            answer.return_value(V("(a{o(oayays)})", (held,)))
        elif name == "ReadAlias":
            answer.return_value(V("(o)", (KEYRING,)))
        elif name == "CreateItem":
            if self.locked:
                return answer.return_dbus_error(SECRET + "Error.IsLocked", "locked")
            item = {"attributes": args[0].get(ATTRIBUTES, {}), "secret": bytes(args[1][2]).decode()}
            place = next(iter(self.matching(item["attributes"])), None)
            if place:
                self.places[place] = item
            else:
                place = self.show(item)
            self.save()
            answer.return_value(V("(oo)", (place, "/")))
        elif name == "Delete":
            self.places.pop(path, None)
            self.save()
            answer.return_value(V("(o)", ("/",)))

    def get(self, conn, sender, path, iface, name):
        item = self.places.get(path)
        return {
            "Locked": V("b", self.locked),
            "Label": V("s", "x"),
            "Attributes": V("a{ss}", item["attributes"] if item else {}),
            "Collections": V("ao", [KEYRING]),
            "Items": V("ao", list(self.places)),
        }.get(name, V("t", 0))

    def turn(self, locked):
        self.locked = locked
        changed = V("(sa{sv}as)", (SECRET + "Collection", {"Locked": V("b", locked)}, []))
        self.bus.emit_signal(None, KEYRING, "org.freedesktop.DBus.Properties", "PropertiesChanged", changed)
        return True


def main():
    keyring, loop = Keyring(sys.argv[1]), GLib.MainLoop()
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR1, keyring.turn, False)
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR2, keyring.turn, True)
    keyring.bus.connect("closed", lambda *_: loop.quit())
    ready = lambda *_: print("READY", flush=True)  # noqa: E731
    Gio.bus_own_name_on_connection(keyring.bus, "org.freedesktop.secrets", 0, ready, None)
    loop.run()


if __name__ == "__main__":
    main()
