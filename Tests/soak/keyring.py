#!/usr/bin/python3
"""The one Secret Service of all tests: it says its messages by hand, so that `Tests/hostile/services.py` can spoil each.
usage: keyring.py [--file FILE] [MODE]

MODE: works; locked (nothing is in it), full (locked, and one item in it that answers to every search), empty (there is no
default keyring), silent, refuses (to search), asks (for a window of its own before it takes something) or dies (when it is
given something). USR2 locks it, USR1 lets it work; both print KEPT or EMPTY. With FILE what it keeps outlives it. Prints
READY once it has its name."""

import json
import os
import select
import signal
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(TESTS + "/hostile")
from wire import CALL, DRIVER, Gone, Peer  # noqa: E402

NAME, SECRET, ROOT = "org.freedesktop.secrets", "org.freedesktop.Secret.", "/org/freedesktop/secrets"
KEYRING, PROMPT, SESSION = ROOT + "/collection/login", ROOT + "/prompt/1", ROOT + "/session/1"
PROPERTIES, ERROR = "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Error."


class Keyring:
    """`items`: by path, each with its attributes and its secret's bytes."""

    def __init__(self, address, mode="works", path=None):
        self.mode, self.path, self.items, self.made = mode, path, {}, 0
        if path and os.path.exists(path):
            with open(path) as file:
                for item in json.load(file):
                    self.put(item["attributes"], item["secret"].encode())
        if mode == "full":
            self.put({}, b"")
        self.peer = Peer(address, 3600)
        self.peer.driver("RequestName", "su", [NAME, 4])

    @property
    def locked(self):
        return self.mode in ("locked", "full")

    def put(self, attributes, secret):
        """The path of an item, the former one where it has the same attributes."""
        place = next((path for path, item in self.items.items() if item["attributes"] == attributes), None)
        if not place:
            self.made += 1
            place = f"{KEYRING}/{self.made}"
        self.items[place] = {"attributes": attributes, "secret": secret}
        return place

    def save(self):
        if self.path:
            kept = [{"attributes": one["attributes"], "secret": one["secret"].decode()} for one in self.items.values()]
            with open(self.path + ".new", "w") as file:
                json.dump(kept, file)
            os.replace(self.path + ".new", self.path)

    def properties(self, path, interface):
        """Those of an object's interface."""
        if interface == SECRET + "Service":
            return {"Collections": ("ao", [] if self.mode == "empty" else [KEYRING])}
        times = {"Label": ("s", "x"), "Locked": ("b", self.locked), "Created": ("t", 0), "Modified": ("t", 0)}
        if interface == SECRET + "Collection":
            return {**times, "Items": ("ao", list(self.items))}
        return {**times, "Attributes": ("a{ss}", self.items.get(path, {"attributes": {}})["attributes"])}

    def exists(self, path):
        collections = () if self.mode == "empty" else (KEYRING, ROOT + "/aliases/default")
        return path in (ROOT, PROMPT, *collections) or path in self.items

    def answer(self, message):
        """Signature and values of the answer; a str in place of the values: an error. None: no answer."""
        name, path = message.member, message.path
        if self.mode == "silent":
            return None
        if not self.exists(path):
            return ERROR + "UnknownObject", f"no {path}"
        values = message.values()
        if name == "GetAll":
            return "a{sv}", [self.properties(path, values[0])]
        if name == "Get":
            found = self.properties(path, values[0]).get(values[1])
            return ("v", [found]) if found else (ERROR + "UnknownProperty", values[1])
        if name == "OpenSession":
            if values[0] != "plain":
                return ERROR + "NotSupported", "plain only"
            return "vo", [("s", ""), SESSION]
        if name == "SearchItems":
            if self.mode == "refuses":
                return ERROR + "AccessDenied", "not for you"
            wanted = values[0].items()
            found = [place for place, item in self.items.items() if self.mode == "full" or wanted <= item["attributes"].items()]
            return "aoao", [[], found] if self.locked else [found, []]
        if name == "GetSecrets":
            held = {
                place: (SESSION, b"", self.items[place]["secret"], "text/plain")
                for place in values[0]
                if place in self.items and not self.locked
            }
            return "a{o(oayays)}", [held]
        if name == "ReadAlias":
            return "o", ["/" if self.mode == "empty" else KEYRING]
        if name == "CreateItem":
            return self.create(*values)
        if name == "Delete":
            self.items.pop(path, None)
            self.save()
            return "o", ["/"]
        if name == "Prompt":
            # Nobody sits there: it is as if the window had been closed.
            self.peer.signal(PROMPT, SECRET + "Prompt", "Completed", "bv", [True, ("s", "")])
        if name in ("Prompt", "Dismiss"):
            return "", []
        return ERROR + "UnknownMethod", name

    def create(self, properties, secret, _):
        if self.locked:
            return SECRET + "Error.IsLocked", "locked"
        if self.mode == "dies":
            sys.exit(0)
        if self.mode == "asks":
            return "oo", ["/", PROMPT]
        place = self.put(properties[SECRET + "Item.Attributes"][1], secret[2])
        self.save()
        return "oo", [place, "/"]

    def reply(self, message, answer):
        """Sends an answer. A spoiler takes its place."""
        if answer and isinstance(answer[1], str):
            self.peer.reply(message.sender, message.serial, "s", [answer[1]], error=answer[0])
        elif answer:
            self.peer.reply(message.sender, message.serial, *answer)

    def turn(self, mode):
        self.mode = mode
        changed = [SECRET + "Collection", {"Locked": ("b", self.locked)}, []]
        self.peer.signal(KEYRING, PROPERTIES, "PropertiesChanged", "sa{sv}as", changed)

    def step(self):
        """Takes one message."""
        message = self.peer.next()
        if message.kind == CALL and message.sender != DRIVER[0]:
            answer = self.answer(message)
            # One that wants no answer (flag 1) gets none.
            if not message.flags & 1:
                self.reply(message, answer)

    def serve(self, signals):
        """Until the bus is gone. `signals`: a descriptor that can be read when one came, as its number."""
        while True:
            for ready in select.select([self.peer.socket, signals], [], [])[0]:
                if ready == self.peer.socket:
                    self.step()
                    continue
                for number in os.read(signals, 64):
                    self.turn("works" if number == signal.SIGUSR1 else "locked")
                    print("KEPT" if self.items else "EMPTY", flush=True)


def main():
    words = sys.argv[1:]
    path = words.pop(1) if words[:1] == ["--file"] else None
    mode = words[-1] if words and not words[-1].startswith("--") else "works"
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(writing)
    try:
        keyring = Keyring(os.environ["DBUS_SESSION_BUS_ADDRESS"], mode, path)
        print("READY", flush=True)
        keyring.serve(reading)
    except (Gone, ConnectionError):
        pass


if __name__ == "__main__":
    main()
