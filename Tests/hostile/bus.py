"""A hostile peer on the bus: every member of nyand with wrong values, floods, descriptors, forgeries, peers that do not read.

    bus.py [--programs DIR] [--quick] [NAME…]

After each attack, and during the floods, nyand must answer a well-behaved client in time, hold what it held before, and
play on. Prints one line per attack; exit status 1 where a promise was broken."""

import argparse
import os
import random
import struct
import sys
import threading
import time
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "soak")]
from house import Broken, House  # noqa: E402
from sanitised import PATIENCE, SANITIZER  # noqa: E402
from wire import Peer, pack, types  # noqa: E402

NYAND = ("org.nyantunes.Nyand", "/org/nyantunes/Nyand")
MPRIS = ("org.mpris.MediaPlayer2.nyand", "/org/mpris/MediaPlayer2")
OURS, PLAYER = "org.nyantunes.Nyand1.", "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"
# These end the daemon or what the next attack needs; they are called elsewhere.
LEFT_OUT = {"Quit", "Logout", "Reload"}
ODD = {
    "y": [0, 255], "b": [0, 1], "n": [-32768], "q": [65535], "i": [-(2**31)], "u": [0, 2**32 - 1],
    "x": [-(2**63), 2**63 - 1, 0], "t": [2**64 - 1], "d": [float("nan"), float("inf"), -float("inf"), -1.0, 1e300, 5e-324],
    "s": ["", "x" * 10_000, "‮\u2028￿", "%s%n", "../../etc/passwd", "a\tb\n\x1b[2J", "1_1", "' OR 1=1 --", "file:///dev/zero"],
    "o": ["/", "/org/mpris/MediaPlayer2/TrackList/NoTrack", "/" + "a" * 3000], "g": ["", "a{sv}"],
}  # fmt: skip


class Attacks:
    def __init__(self, house, quick, answer):
        self.house, self.quick, self.limit = house, quick, answer
        self.well = Peer(house.address, 60)
        # Seconds, and how many of them were spent in line for a processor.
        self.slowest = (0.0, 0.0)

    # What must hold.

    def ask(self):
        """The answer of GetStatus to a client that does nothing wrong, in time."""
        began, queued = time.monotonic(), self.queued()
        answer = self.well.ask(*NYAND, OURS + "Player", "GetStatus")
        took = time.monotonic() - began
        # On a busy machine each of the three may stand in line for a processor: that is nobody's fault here.
        idle = self.queued() - queued
        self.slowest = max(self.slowest, (took, idle))
        took -= idle
        if answer.error:
            raise Broken(f"GetStatus: {answer.error}")
        if took > self.limit:
            raise Broken(f"GetStatus took {took:.1f} s")
        return {key: value[1] for key, value in answer.values()[0].items()}

    def queued(self):
        """Seconds that the main threads of nyand, of the bus and of this program have waited for a processor so far."""
        total = 0
        for process in (self.house.daemon.pid, self.house.bus.pid, os.getpid()):
            with open(f"/proc/{process}/schedstat") as file:
                total += int(file.read().split()[1])
        return total / 1e9

    def peak(self):
        if SANITIZER:
            return 0
        with open(f"/proc/{self.house.daemon.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024

    def forget_peak(self):
        with open(f"/proc/{self.house.daemon.pid}/clear_refs", "w") as file:
            file.write("5")

    def holds(self, name, before, memory):
        if self.house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {self.house.daemon.returncode}: {self.house.said()[-500:]}")
        self.ask()
        end = time.monotonic() + 40
        while True:
            now = self.house.figures()
            if now[1] <= before[1] + 12 and now[2] <= before[2] + 24:
                break
            if time.monotonic() > end:
                raise Broken(f"descriptors {before[1]} → {now[1]}, threads {before[2]} → {now[2]}")
            time.sleep(0.1)
        if self.peak() > memory:
            raise Broken(f"{self.peak()} MB at the peak, {memory} are allowed")

    def peer(self, limit=60):
        return Peer(self.house.address, limit)

    def members(self, destination, path):
        """Interface, kind, name and signature of everything that introspection shows."""
        text = self.well.ask(destination, path, "org.freedesktop.DBus.Introspectable", "Introspect").values()[0]
        for interface in xml.etree.ElementTree.fromstring(text):
            for member in interface:
                kind = member.get("type") or "".join(
                    argument.get("type") for argument in member if argument.get("direction") == "in"
                )
                yield interface.get("name"), member.tag, member.get("name"), kind, member.get("access")

    # The attacks. The number is how many MB nyand may have at its peak.

    def wrong_values(self):
        """every method: no, missing, extra, wrong and odd arguments, an answer wanted or not"""
        count = 0
        with self.peer() as peer:
            for destination, path in (NYAND, MPRIS):
                for interface, tag, name, kind, _ in list(self.members(destination, path)):
                    if tag != "method" or name in LEFT_OUT:
                        continue
                    where = (destination, path, interface, name)
                    parts = list(types(kind))
                    bodies = [("", ())] if kind else [("s", ("x",))]
                    bodies += [(letter, (values[0],)) for letter, values in ODD.items() if letter != kind]
                    bodies += [("".join(parts[:-1]), None)] if len(parts) > 1 else []
                    bodies += [(kind + "s", None), ("v", (deep(60),)), ("a{sv}", ({"a": ("i", 1)},)), ("av", ([deep(20)] * 50,))]
                    for signature, values in bodies:
                        if signature == kind:
                            continue
                        values = [odd(one, 0) for one in types(signature)] if values is None else values
                        answer = peer.ask(*where, signature, values)
                        count += 1
                        if not answer.error or not answer.error.endswith("InvalidArgs"):
                            if interface.startswith("org.freedesktop.DBus.Peer"):
                                continue
                            raise Broken(f"{name}({signature}) answered {answer.error or answer.values()}")
                    peer.send(*where, kind + "i", [odd(one, 0) for one in parts] + [1], flags=1)
        self.ask()
        return f"{count} calls"

    def odd_values(self):
        """every method with odd values of the right types"""
        count = 0
        with self.peer() as peer:
            chance = random.Random(3)
            for destination, path in (NYAND, MPRIS):
                for interface, tag, name, kind, _ in list(self.members(destination, path)):
                    if tag != "method" or name in LEFT_OUT or "h" in kind or not kind:
                        continue
                    for _ in range(2 if self.quick else 12):
                        answer = peer.ask(destination, path, interface, name, kind, [odd(one, chance) for one in types(kind)])
                        count += 1
                        said = str(answer.values())
                        if self.house.ready["token"] in said:
                            raise Broken(f"{name} told a secret")

        status = self.ask()
        if not 0 <= status["volume"] <= 1:
            raise Broken(f"the volume is {status['volume']}")
        return f"{count} calls"

    def properties(self):
        """every property set to every type, those that may not be set, and odd numbers"""
        count = 0
        with self.peer() as peer:
            for destination, path in (NYAND, MPRIS):
                for interface, tag, name, kind, access in list(self.members(destination, path)):
                    if tag != "property":
                        continue
                    for letter, values in [*ODD.items(), ("v", [("v", deep(50))]), ("av", [[deep(5)] * 20])]:
                        answer = peer.ask(destination, path, PROPERTIES, "Set", "ssv", [interface, name, (letter, values[0])])
                        count += 1
                        if (access == "read" or letter != kind) and not answer.error:
                            raise Broken(f"{name} was set to {letter}")
            for value in ODD["d"]:
                peer.ask(*MPRIS, PROPERTIES, "Set", "ssv", [PLAYER, "Volume", ("d", value)])
                peer.ask(*MPRIS, PROPERTIES, "Set", "ssv", [PLAYER, "Rate", ("d", value)])
                volume = peer.ask(*MPRIS, PROPERTIES, "Get", "ss", [PLAYER, "Volume"]).values()[0][1]
                if not 0 <= volume <= 1:
                    raise Broken(f"the volume is {volume}")
            for value in ODD["x"]:
                peer.ask(*MPRIS, PLAYER, "Seek", "x", [value])
                track = peer.ask(*MPRIS, PROPERTIES, "Get", "ss", [PLAYER, "Metadata"]).values()[0][1].get("mpris:trackid")
                peer.ask(*MPRIS, PLAYER, "SetPosition", "ox", [track[1] if track else "/", value])
        return f"{count} calls"

    def names(self):
        """objects, interfaces and members that are not there, of any length"""
        with self.peer() as peer:
            long = "/" + "/".join(["a" * 100] * 5000)
            for path in ("/", "/org", "/org/nyantunes", long, MPRIS[1] + "/Nothing"):
                for interface in (None, "a.b", OURS + "Player", PROPERTIES):
                    for member in ("GetStatus", "Nothing", "Introspect", "GetAll", "a" * 255):
                        answer = peer.ask(NYAND[0], path, interface, member)
                        if len(answer.body) > 10_000:
                            raise Broken(f"{len(answer.body)} bytes were said about {member}")
            size = (4 if self.quick else 128) << 20
            for room in (4096, 600):
                answer = peer.ask(*NYAND, PROPERTIES, "Get", "ss", ["a" * (size - room), ""])
                if not answer.error or len(answer.body) > 10_000:
                    raise Broken("a long name was repeated")
        return ""

    def large(self):
        """lists of millions, texts of megabytes, 64 levels, 60 MB of variants"""
        empty = b"\0\0\0\0\0\0\0\0" * ((1 << 20) if self.quick else (7 << 20))
        with self.peer(120) as peer:
            for interface, member in (("Downloads", "Add"), ("Downloads", "Standing"), ("Profile", "Remove")):
                self.refused(peer.ask(*NYAND, OURS + interface, member, "as", [empty[:-3]]))
            for interface, member, kind, rest in (
                ("Library", "Search", "sub", [1, 0]), ("Library", "Music", "s", []), ("Files", "Import", "s", []),
                ("Playlists", "Create", "s", []), ("People", "Resolve", "s", []), ("Library", "Select", "s", []),
            ):  # fmt: skip
                self.refused(peer.ask(*NYAND, OURS + interface, member, kind, ["ab " * (350 << 10), *rest]))
                peer.ask(*NYAND, OURS + interface, member, kind, ["ab " * 5000, *rest])
                self.ask()
            self.refused(peer.ask(*MPRIS, PLAYER, "OpenUri", "s", ["http://127.0.0.1:1/" + "a" * (20 << 20)]))
            count = (1 << 18) if self.quick else (15 << 20)
            body = bytearray(pack("ssg", [PLAYER, "Volume", "av"]))
            body += b"\0" * (-len(body) % 4) + struct.pack("<I", 4 * count) + b"\1y\0\7" * count
            self.refused(peer.ask(*MPRIS, PROPERTIES, "Set", "ssv", body=bytes(body)))
        return ""

    @staticmethod
    def refused(answer):
        if not answer.error:
            raise Broken(f"it was taken: {str(answer.values())[:100]}")

    def descriptors(self):
        """a thousand messages with 16 descriptors each, to methods that want none, and signals with some"""
        null = [os.open("/dev/null", os.O_RDONLY) for _ in range(16)]
        count = 200 if self.quick else 1000
        try:
            with self.peer() as peer:
                for number in range(count):
                    peer.send(*NYAND, OURS + "Player", "GetStatus", flags=number % 2, pass_fds=null)
                    if number % 100 == 0:
                        self.ask()
                peer.ask(*NYAND, OURS + "Player", "GetStatus")
        finally:
            for one in null:
                os.close(one)
        return f"{count} messages"

    def open_secrets(self):
        """three hundred logins whose secret never comes"""
        read, write = os.pipe()
        with self.peer() as peer:
            for _ in range(300):
                peer.send(*NYAND, OURS + "Account", "Login", "shs", ["token", 0, ""], pass_fds=[read])
            threads = 0
            for _ in range(20):
                self.ask()
                threads = max(threads, self.house.figures()[2])
                time.sleep(0.02)
        os.close(read)
        os.close(write)
        if threads > 60:
            raise Broken(f"{threads} threads")
        return f"{threads} threads"

    def flood(self):
        """twenty thousand calls from one peer that does not read"""
        count = 3000 if self.quick else 20_000
        peer = self.peer(120)
        data = b"".join(peer.make(*NYAND, OURS + "Player", "GetStatus") for _ in range(count))
        sender = threading.Thread(target=quietly, args=(peer.socket.sendall, data), daemon=True)
        sender.start()
        for _ in range(10):
            self.ask()
        peer.close()
        sender.join(60)
        self.ask()
        return f"{count} calls"

    def long_lists(self):
        """hundreds of long listings at once from one peer that does not read"""
        count = 100 if self.quick else 2000
        peer = self.peer(120)
        data = b"".join(
            peer.make(*NYAND, OURS + "Library", "Profile", "sx", ["", 0]) for _ in range(count)
        )
        sender = threading.Thread(target=quietly, args=(peer.socket.sendall, data), daemon=True)
        sender.start()
        for _ in range(10):
            self.ask()
        peer.close()
        sender.join(60)
        return f"{count} listings"

    def long_work(self):
        """hundreds of searches and syncs at once from one peer that leaves"""
        count = 100 if self.quick else 500
        peer = self.peer()
        for number in range(count):
            peer.send(*NYAND, OURS + "Library", "Search", "sub", [f"хит {number}", 50, 0])
            peer.send(*NYAND, OURS + "Library", "Sync")
        for _ in range(10):
            self.ask()
        peer.close()
        self.ask()
        return f"{2 * count} calls"

    def coming_and_going(self):
        """peers that connect and leave, in mid-message, in mid-call, with thousands of match rules"""
        count = 100 if self.quick else 1000
        for number in range(count):
            peer = self.peer()
            data = peer.make(*NYAND, OURS + "Library", "Search", "sub", ["x", 10, 0])
            peer.socket.sendall(data[: number % len(data)] if number % 3 else data)
            peer.close()
        with self.peer() as peer:
            rules = 500 if self.quick else 5000
            for number in range(rules):
                peer.send(
                    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s",
                    [f"type='signal',path_namespace='/org',arg0='{number}'"], flags=1,
                )  # fmt: skip
            self.ask()
        return f"{count} peers"

    def forgeries(self):
        """signals of others, answers to questions nobody asked, under any number"""
        owner = self.well.driver("GetNameOwner", "s", [NYAND[0]]).values()[0]
        with self.peer() as peer:
            name = "org.freedesktop.DBus"
            for member, kind, values in (
                ("NameOwnerChanged", "sss", ["org.freedesktop.secrets", "", peer.name]), ("NameLost", "s", [NYAND[0]]),
                ("NameLost", "s", [MPRIS[0]]), ("NameAcquired", "s", ["a.b"]),
            ):  # fmt: skip
                peer.signal("/org/freedesktop/DBus", name, member, kind, values, to=owner)
            for value in (1, 0):
                peer.signal(
                    "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "b", [value], to=owner
                )
            peer.signal(MPRIS[1], PROPERTIES, "PropertiesChanged", "sa{sv}as", [PLAYER, {"Volume": ("d", 0.0)}, []], to=owner)
            peer.signal(MPRIS[1], PLAYER, "Seeked", "x", [0], to=owner)
            peer.signal("/a", "a.b", "C", "av", [[deep(30)] * 1000], to=owner)
            for serial in range(1, 400):
                peer.reply(owner, serial, "s", ["no"])
                peer.reply(owner, serial, "s", ["\x1b[2J"], error="a.b" + ".c" * 100)
                peer.reply(owner, 2**32 - serial, "av", [[deep(10)]])
            peer.driver("GetId")
        return ""


def deep(levels):
    value = ("i", 1)
    for _ in range(levels):
        value = ("v", value)
    return value


def odd(kind, chance):
    """A value of a type that nobody expects; `chance` picks one, 0 the first."""
    if kind == "h":
        return 0
    if kind in ODD:
        return chance.choice(ODD[kind]) if chance else ODD[kind][0]
    if kind[0] == "a" and kind[1] != "{":
        return [odd(kind[1:], chance) for _ in range(3)]
    if kind[0] == "a":
        return {}
    if kind[0] == "(":
        return [odd(one, chance) for one in types(kind[1:-1])]
    return ("s", "")


def quietly(work, *arguments):
    try:
        work(*arguments)
    except OSError:
        pass


ATTACKS = {
    "wrong_values": 150, "odd_values": 200, "properties": 150, "names": 500, "large": 500, "descriptors": 150,
    "open_secrets": 150, "flood": 250, "long_lists": 300, "long_work": 250, "coming_and_going": 250, "forgeries": 150,
}  # fmt: skip


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build/release"))
    words.add_argument("--quick", action="store_true", help="the short form, for a debug build")
    words.add_argument("--answer", type=float, default=2, help="seconds that an answer may take")
    words.add_argument("names", nargs="*")
    words = words.parse_args()
    house = House(words.programs)
    broken = 0
    try:
        house.start()
        house.sign_in()
        status, _, errors = house.ctl("play")
        if status:
            raise Broken(f"play: {errors}")
        attacks = Attacks(house, words.quick, words.answer * PATIENCE)
        for name, memory in ATTACKS.items():
            if words.names and name not in words.names:
                continue
            before, began, attacks.slowest = house.figures(), time.monotonic(), (0.0, 0.0)
            attacks.forget_peak()
            try:
                said = getattr(attacks, name)()
                attacks.holds(name, before, memory)
                outcome = "held"
            except (Broken, OSError) as error:
                said, outcome, broken = f"{type(error).__name__}: {error}", "BROKEN", broken + 1
            took = time.monotonic() - began
            peak = attacks.peak() if house.daemon.poll() is None else 0
            slowest = "others waited {:.2f} s, {:.2f} of them for a processor".format(*attacks.slowest)
            figures = f"{took:.1f} s, {peak} MB at the peak, {slowest}"
            print(f"{outcome}: {name} ({figures}) {said}", flush=True)
            if house.daemon.poll() is not None:
                break
        plays_on(house)
        if house.ready["token"] in house.said():
            raise Broken("the log holds a secret")
    except Broken as error:
        print(f"BROKEN: {error}")
        broken += 1
    finally:
        house.close()
    return 1 if broken else 0


def plays_on(house):
    """Whatever was called: a track can be played, and its position moves."""
    for words in (["offline", "off"], ["volume", "50"]):
        house.ctl(*words)
    house.ctl("queue", "clear")
    status, _, errors = house.ctl("play")
    if status:
        raise Broken(f"play after all: {errors}")
    house.until("it plays on", lambda: house.status()["state"] == "playing" and house.status()["position"] > 0.3)


if __name__ == "__main__":
    sys.exit(main())
