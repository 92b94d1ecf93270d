#!/usr/bin/python3
"""The services of a desktop that nyand and nyanctl ask something of, gone bad: the keyring, the notifications, logind, systemd.

    services.py [--programs DIR] [--quick] [--only WORD]

Each answers in every way of `WAYS`, and some in ways of their own. nyand must stay alive, answer others in time, stay
small, keep the login somewhere, say no secret and no long text, believe nobody who has not the name, and end in time.
Exit status 1 where a promise was broken."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "soak")]
from house import Broken, House  # noqa: E402
from keyring import KEYRING, PROMPT, PROPERTIES, ROOT, SECRET, SESSION, Keyring  # noqa: E402
from wire import CALL, Gone, Peer, pad, put, types  # noqa: E402

EVIL = "\x1b]0;own\x07\x1b[2J\x9b31m\u202e\u2066\x7f\r\n\t\x08%s\U000e0001"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066]")
FREEDESKTOP = "org.freedesktop."
WAYS = (
    "never", "nothing", "wrong", "number", "more", "less", "deep", "evil", "huge text", "huge list", "huge bytes",
    "error", "odd error", "twice", "opposite", "gone", "late",
)  # fmt: skip
# Milliseconds each, where nothing is waited for.
QUICK = ("evil",)


def list_of(kind, element, count):
    """An array of so many alike, made without a step for each."""
    one = bytearray()
    put(one, kind, element)
    pad(one, 8)
    return bytes(one) * count


def evil(kind):
    """A value of a type that says the worst it can."""
    letter = kind[0]
    if letter == "a":
        if kind[1] == "{":
            return {evil(kind[2]): evil(kind[3:-1])}
        return os.urandom(300) if kind[1] == "y" else [evil(kind[1:])] * 300
    if letter == "(":
        return [evil(one) for one in types(kind[1:-1])]
    if letter == "v":
        return ("s", EVIL)
    return {"s": EVIL * 5, "o": "/" + "a" * 4000, "g": "a{sv}", "d": float("nan"), "b": 1, "h": 0, "y": 255}.get(
        letter, -(2**15) if letter == "n" else -(2**31) if letter == "i" else -(2**63) if letter == "x" else 2**16 - 1
    )


def deep(levels):
    value = ("s", "x")
    for _ in range(levels):
        value = ("v", value)
    return value


def spoil(peer, message, way, signature, values, names):
    """Answers a call in one of the ways, instead of as it should be."""
    to, serial = message.sender, message.serial
    plain = {
        "right": (signature, values),
        "nothing": ("", ()),
        "wrong": ("a{sv}", [{"a": ("s", EVIL)}]) if signature != "a{sv}" else ("as", [[EVIL]]),
        "number": ("x", [-(2**63)]) if signature != "x" else ("y", [0]),
        "deep": ("v", [deep(60)]),
        "opposite": ("s" * 200, ["x" * 1000] * 200),
    }
    if way in plain:
        peer.reply(to, serial, *plain[way])
    elif way == "more":
        peer.reply(to, serial, signature + "s", [*values, EVIL])
    elif way == "less":
        kinds = list(types(signature))[:-1]
        peer.reply(to, serial, "".join(kinds), values[: len(kinds)])
    elif way == "evil":
        peer.reply(to, serial, signature, [evil(one) for one in types(signature)])
    elif way == "twice":
        for _ in range(3):
            peer.reply(to, serial, signature, values)
        peer.reply(to, serial, "s", [EVIL], error=FREEDESKTOP + "DBus.Error.Failed")
    elif way == "huge text":
        peer.reply(to, serial, "s", ["ж" * (15 << 20)])
    elif way == "huge list":
        kind = next((one for one in types(signature) if one[0] == "a" and one[1] in "so"), "as")
        peer.reply(to, serial, kind, [list_of(kind[1], "/aaaaaaaaaa", 1 << 20)])
    elif way == "huge bytes":
        peer.reply(to, serial, "ay", [b"\0" * (60 << 20)])
    elif way == "error":
        peer.reply(to, serial, "s", [EVIL * 50_000], error=FREEDESKTOP + "DBus.Error.Failed")
    elif way == "odd error":
        peer.reply(to, serial, "av", [[("s", EVIL)]], error="a" * 120 + ".b" * 60)
    elif way == "gone":
        for member, kind, more in (("ReleaseName", "s", []), ("RequestName", "su", [4])):
            for name in names:
                peer.send("org.freedesktop.DBus", "/", "org.freedesktop.DBus", member, kind, [name, *more], flags=1)
    elif way == "late":
        threading.Timer(4, lambda: quietly(lambda: peer.reply(to, serial, signature, values))).start()


def quietly(do):
    try:
        do()
    except (OSError, ValueError):
        pass


class Fake(threading.Thread):
    """A service with its right answers, `{member: (signature, values)}`, and a way of spoiling them."""

    def __init__(self, address, name, answers):
        super().__init__(daemon=True)
        self.name_held, self.answers, self.way, self.calls = name, answers, "right", 0
        self.peer = Peer(address, 3600)
        self.peer.driver("RequestName", "su", [name, 4])
        self.start()

    def run(self):
        try:
            while True:
                message = self.peer.next()
                if message.kind == CALL and message.sender.startswith(":"):
                    self.calls += 1
                    self.answer(message, *self.answers.get(message.member, ("", ())))
        except OSError:
            pass

    def answer(self, message, signature, values):
        spoil(self.peer, message, self.way, signature, values, [self.name_held])

    def end(self):
        quietly(lambda: self.peer.socket.shutdown(2))
        self.join(5)
        self.peer.close()


class Logind(Fake):
    """Its answer is a descriptor: one end of a pipe."""

    def answer(self, message, signature, values):
        if message.member == "Inhibit" and self.way in ("right", "many"):
            reading, writing = os.pipe()
            count = 16 if self.way == "many" else 1
            quietly(lambda: self.pass_on(message, [writing] * count))
            os.close(reading)
            os.close(writing)
        else:
            super().answer(message, "s", ["no descriptor"])

    def pass_on(self, message, descriptors):
        import array
        import socket
        from wire import REPLY, message as made, pack

        self.peer.serial += 1
        kinds = "h" * len(descriptors)
        fields = {5: ("u", message.serial), 6: ("s", message.sender)}
        data = made(REPLY, self.peer.serial, fields, kinds, pack(kinds, range(len(kinds))), 1, len(kinds))
        self.peer.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))])


class BadKeyring(Keyring, threading.Thread):
    """The tests' keyring, whose answers to the members of `spoilt` (None: to all) are spoilt in `way`. `taken`: the paths of
    the items of which it was rightly said that they are kept."""

    OWN = (
        "long secret", "NUL secret", "rubbish secret", "many items", "strangers", "bad proxies", "prompts", "rude prompts",
        "odd session", "bad key", "huge key", "shower", "other's secret", "endless properties",
    )  # fmt: skip

    def __init__(self, address, way, spoilt=None, items=None):
        threading.Thread.__init__(self, daemon=True)
        self.way, self.spoilt, self.taken = way, spoilt, set()
        Keyring.__init__(self, address)
        self.items |= items or {}
        if way in ("long secret", "NUL secret", "rubbish secret", "other's secret"):
            body = {"long": b"x" * (10 << 20), "NUL": b'{"version":1}\0\0\0', "rubbish": os.urandom(3000)}.get(way.split()[0])
            for kind in ("account", "scrobble"):
                found = b'{"token":"\x1b[2J","version":1,"profile":5}' if body is None else body
                self.put({"kind": kind, "xdg:schema": "org.nyantunes.Nyand"}, found)
        self.start()

    def run(self):
        try:
            while True:
                self.step()
        except OSError:
            pass

    def reply(self, message, answer):
        name, path, way, right = message.member, message.path, self.way, answer
        if way not in self.OWN:
            if answer and not isinstance(answer[1], str) and (self.spoilt is None or name in self.spoilt):
                # The first of several answers counts.
                if name == "CreateItem" and way in ("right", "twice"):
                    self.taken.add(right[1][0])
                return spoil(self.peer, message, way, *answer, [FREEDESKTOP + "secrets"])
        elif way == "many items" and name == "SearchItems":
            answer = "aoao", [list_of("o", KEYRING + "/000001", 20_000), []]
        elif way == "strangers" and name == "SearchItems":
            answer = "aoao", [["/", ROOT, PROMPT, "/org/freedesktop/DBus"] * 5, [KEYRING + "/none"]]
        elif way == "bad proxies" and name in ("GetAll", "Get"):
            values = {one: ("a{ss}", {EVIL: EVIL}) for one in ("Locked", "Items", "Collections", "Label", "Created")}
            answer = ("a{sv}", [{**values, "Attributes": ("u", 3)}]) if name == "GetAll" else ("v", [("u", 7)])
        elif way in ("prompts", "rude prompts") and name in ("CreateItem", "Delete"):
            answer = ("oo", ["/", PROMPT]) if name == "CreateItem" else ("o", [PROMPT])
        elif way == "prompts" and name in ("Dismiss", "Prompt"):
            return None
        elif way == "rude prompts" and name == "Dismiss":
            for _ in range(2000):
                self.peer.signal(PROMPT, SECRET + "Prompt", "Completed", "bv", [False, ("o", KEYRING)])
        elif way == "odd session" and name == "OpenSession":
            answer = "vo", [deep(50), "/"]
        elif way in ("bad key", "huge key") and name == "OpenSession":
            answer = "vo", [("ay", b"\xff" * (128 if way == "bad key" else 4 << 20)), SESSION]
        elif way == "shower":
            for _ in range(300):
                self.turn("works")
        elif way == "endless properties" and name == "GetAll":
            answer = "a{sv}", [{"Items": ("ao", list_of("o", KEYRING + "/000001", 300_000)), "Locked": ("b", 0)}]
        if name == "CreateItem" and right and answer is right and not isinstance(right[1], str):
            self.taken.add(right[1][0])
        return super().reply(message, answer)

    end = Fake.end


class Doors:
    """A house whose services are bad, and what must hold in it."""

    def __init__(self, words):
        self.words, self.problems = words, []
        self.slowness = 1 if "release" in words.programs or words.programs.startswith("/usr") else 6
        self.house = House(words.programs, settings="[desktop]\nnotify=on\ninhibit-sleep=on")
        self.house.environment["DBUS_SYSTEM_BUS_ADDRESS"] = self.house.address
        self.house.has_keyring = True
        self.house.write_settings("[desktop]\nnotify=on\ninhibit-sleep=on")
        self.house.start("debug")
        self.idle = self.memory("VmRSS")

    def memory(self, line):
        with open(f"/proc/{self.house.daemon.pid}/status") as file:
            return next(int(one.split()[1]) for one in file if one.startswith(line)) // 1024

    def run(self, name, do, most_memory=350):
        """`most_memory`: megabytes over those at rest, at the peak. A list of a million is 190 of them; twelve more of it make
        that 270, and it all goes back later."""
        if not re.search(self.words.only, name):
            return
        with open(f"/proc/{self.house.daemon.pid}/clear_refs", "w") as file:
            file.write("5")
        heard, begun, slowest, over, wrong = len(self.house.said()), time.monotonic(), [0.0], threading.Event(), []

        def ask():
            while not over.wait(0.05):
                try:
                    slowest[0] = max(slowest[0], self.house.answer_time())
                except Exception:  # noqa: BLE001 - no answer at all
                    slowest[0] = 99.0
                    return

        self.house.line = None
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        try:
            do()
        except Exception as error:  # noqa: BLE001 - one must not hide the next
            wrong.append(f"{type(error).__name__}: {error}")
        over.set()
        asking.join(20)
        grown = 0
        if self.house.daemon.poll() is not None:
            wrong.append(f"nyand died with {self.house.daemon.returncode}: {self.house.said()[-600:]}")
            self.house.start("debug")
        else:
            grown = self.memory("VmHWM") - self.idle
        if slowest[0] > 1.5 * self.slowness:
            wrong.append(f"others waited {slowest[0]:.1f} s")
        if grown > most_memory:
            wrong.append(f"grew by {grown} MB")
        said = self.house.said()[heard:]
        if self.house.ready["token"] in said:
            wrong.append("told the token")
        if len(said) > 200_000 or any(len(line) > 5000 for line in said.splitlines()):
            wrong.append(f"said {len(said)} characters")
        if CONTROLS.search(said):
            wrong.append(f"control characters in the log: {said[-300:]!r}")
        lines = "".join(f"\n    {line}" for line in wrong)
        print(
            f"{'✘' if wrong else '✔'} {name}: {time.monotonic() - begun:.1f} s, +{grown} MB, others waited {slowest[0]:.2f} s{lines}",
            flush=True,
        )
        self.problems += [f"{name}: {line}" for line in wrong]

    def ctl(self, *words, wanted=range(8), input=None):
        """Output of nyanctl; it must end by itself, with a status of those, and say nothing that moves a terminal."""
        status, output, errors = self.house.ctl("--timeout", "40", *words, input=input, limit=60)
        if status not in wanted:
            raise Broken(f"{words[0]} ended with {status}: {errors[-300:]}")
        if found := CONTROLS.search(output + errors if words[0] != "--json" else errors):
            raise Broken(f"{words[0]} printed {found.group()!r}: {(errors or output)[:200]!r}")
        if len(errors) > 5000 or self.house.ready["token"] in output + errors:
            raise Broken(f"{words[0]} said {errors[:300]}")
        return status, output, errors

    def sign_in(self):
        self.ctl("login", "--token", wanted=[0], input=self.house.ready["token"])

    def restart(self, level="debug"):
        """Ends nyand in time, with 0, and starts it again."""
        self.house.daemon.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        try:
            status = self.house.daemon.wait(10 * self.slowness)
        except subprocess.TimeoutExpired:
            self.house.daemon.kill()
            raise Broken("it does not end") from None
        if status or time.monotonic() - begun > 3 * max(1, self.slowness / 2):
            raise Broken(f"it ended with {status} after {time.monotonic() - begun:.1f} s")
        self.house.line = None
        self.house.start(level)

    # The keyring.

    def keyring(self, way, spoilt=None, starts=False):
        """Login, questions, logout with a bad keyring; `starts`: nyand starts with it as well."""
        service = BadKeyring(self.house.address, way, spoilt)
        try:
            self.sign_in()
            self.ctl("whoami", wanted=[0])
            self.ctl("--json", "status", wanted=[0])
            self.ctl("doctor")
            if starts:
                self.restart()
                self.ctl("status", wanted=[0])
                self.ctl("whoami")
        finally:
            service.end()
        try:
            self.outlives(service)
        finally:
            quietly(lambda: os.unlink(self.house.room + "/data/nyand/credentials"))

    def outlives(self, service):
        """The login outlives a keyring that took nothing: it is in the file, or the keyring said that it has it. The next
        start finds it there, with no keyring or a right one."""
        right = None
        if not os.path.exists(self.house.room + "/data/nyand/credentials"):
            if not service.taken & service.items.keys():
                raise Broken(f"the login is nowhere; in the keyring, which did not say so: {list(service.items)}")
            right = BadKeyring(self.house.address, "right", items=service.items)
        try:
            self.restart()
            # A keyring with a false key took what nobody can read: whoever asks is told to log in again.
            self.ctl("whoami", wanted=[0, 1] if service.way in ("bad key", "huge key") else [0])
            self.ctl("logout", wanted=[0])
        finally:
            if right:
                right.end()

    def keyrings(self):
        quick = self.words.quick
        for way in QUICK if quick else WAYS:
            self.run(f"keyring: {way}", lambda way=way: self.keyring(way, starts=not quick))
        members = ("OpenSession", "SearchItems", "GetSecrets", "ReadAlias", "CreateItem", "GetAll")
        for member in () if quick else members:
            for way in ("nothing", "wrong", "evil", "less", "huge list", "twice", "never"):
                self.run(f"keyring, {member}: {way}", lambda way=way, member=member: self.keyring(way, [member]))
        for way in ("prompts",) if quick else BadKeyring.OWN:
            self.run(f"keyring: {way}", lambda way=way: self.keyring(way, starts=not quick))

    # Notifications and logind, whose answers nobody waits for.

    def notifications(self, way):
        answers = {"GetCapabilities": ("as", [["body", "body-markup"]]), "Notify": ("u", [7])}
        service = Fake(self.house.address, FREEDESKTOP + "Notifications", answers)
        service.way = way
        try:
            # Each change of track is told once things are calm.
            self.ctl("next", wanted=[0])
            self.house.until("it is asked", lambda: service.calls > 0)
            service.way = "right"
            self.ctl("next", wanted=[0])
            for _ in range(500):
                service.peer.signal(
                    "/org/freedesktop/Notifications", FREEDESKTOP + "Notifications", "NotificationClosed", "uu", [7, 1]
                )
            service.peer.signal(
                "/org/freedesktop/Notifications", FREEDESKTOP + "Notifications", "NotificationClosed", "v", [deep(60)]
            )
            self.ctl("status", wanted=[0])
        finally:
            service.end()

    MANAGER = ("/org/freedesktop/login1", FREEDESKTOP + "login1.Manager")

    def logind(self, way):
        self.ctl("play", wanted=[0])
        service = Logind(self.house.address, FREEDESKTOP + "login1", {})
        service.way = way
        try:
            self.ctl("pause", wanted=[0])
            self.ctl("play", wanted=[0])
            self.house.until("it is asked", lambda: service.calls > 0)
            for kind, values in (("", []), ("s", [EVIL]), ("v", [deep(60)]), ("bb", [0, 0]), ("b", [0])):
                service.peer.signal(*self.MANAGER, "PrepareForSleep", kind, values)
            for number in range(500):
                service.peer.signal(*self.MANAGER, "PrepareForSleep", "b", [number % 2 == 0])
            self.house.until("it plays on", lambda: self.house.status()["state"] in ("playing", "buffering"))
        finally:
            service.end()

    def forged(self):
        """Sleep announced, a keyring unlocked and owners changed by somebody who has not the name."""
        self.ctl("play", wanted=[0])
        self.house.until("it plays", lambda: self.house.status()["state"] == "playing", why=self.house.status)
        service = Logind(self.house.address, FREEDESKTOP + "login1", {})
        try:
            with Peer(self.house.address) as liar:
                owner = liar.driver("GetNameOwner", "s", ["org.nyantunes.Nyand"]).values()[0]
                for to in (None, owner):
                    liar.signal(*self.MANAGER, "PrepareForSleep", "b", [True], to=to)
                    for name in ("login1", "secrets", "Notifications"):
                        liar.signal(
                            "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", "sss",
                            [FREEDESKTOP + name, liar.name, ""], to=to,
                        )  # fmt: skip
                    changed = [SECRET + "Collection", {"Locked": ("b", False)}, []]
                    liar.signal(KEYRING, PROPERTIES, "PropertiesChanged", "sa{sv}as", changed, to=to)
                before = self.house.status()["position"]
                self.house.until("it plays on", lambda: self.house.status()["position"] > before + 0.3, 20, self.house.status)
        finally:
            service.end()

    # What nyanctl asks by itself.

    def systemd(self, way):
        answers = {"GetUnit": ("o", ["/org/freedesktop/systemd1/unit/x"]), "Get": ("v", [("s", EVIL)])}
        service = Fake(self.house.address, FREEDESKTOP + "systemd1", answers)
        service.way = way
        try:
            for words in (["status"], ["doctor"], ["--json", "status"]):
                if self.ctl(*words)[0] == 0:
                    raise Broken(f"{words[0]} found a daemon")
        finally:
            service.end()

    def all(self):
        quick = self.words.quick
        self.keyrings()
        self.sign_in()
        self.ctl("sync", wanted=[0])
        tracks = json.loads(self.ctl("--json", "profile", wanted=[0])[1])
        self.ctl("play", *[one["id"] for one in tracks if one["available"]][:40], wanted=[0])
        for way in ("evil",) if quick else WAYS:
            self.run(f"notifications: {way}", lambda way=way: self.notifications(way))
        for way in ("many",) if quick else ("right", "many", *WAYS):
            self.run(f"logind: {way}", lambda way=way: self.logind(way))
        self.run("forged signals", self.forged)
        self.house.daemon.send_signal(signal.SIGTERM)
        if self.house.daemon.wait(30) != 0:
            self.problems.append("it did not end with 0")
        alive = self.house.daemon
        for way in ("evil",) if quick else ("right", *WAYS):
            self.plain(f"systemd: {way}", lambda way=way: self.systemd(way))
        self.house.daemon = alive

    def plain(self, name, do):
        """Without a daemon."""
        if not re.search(self.words.only, name):
            return
        try:
            do()
            print(f"✔ {name}", flush=True)
        except Exception as error:  # noqa: BLE001
            print(f"✘ {name}: {error}", flush=True)
            self.problems.append(f"{name}: {error}")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build/release"))
    words.add_argument("--quick", action="store_true")
    words.add_argument("--only", default="", help="a pattern of names")
    words.add_argument("--keep", action="store_true")
    words = words.parse_args()
    words.programs = os.path.abspath(words.programs)
    doors = Doors(words)
    try:
        doors.all()
    finally:
        doors.house.close(words.keep)
    print(f"{len(doors.problems)} broken" if doors.problems else "held: every service that went bad", flush=True)
    return 1 if doors.problems else 0


if __name__ == "__main__":
    sys.exit(main())
