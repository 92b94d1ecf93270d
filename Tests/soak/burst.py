#!/usr/bin/python3
"""Two hundred commands a second, over MPRIS and over nyand's own interface at once, with thousands of tracks queued.

Every call must be answered. Afterwards the state is what was asked for last, PropertiesChanged, the track list's signals
and StatusChanged have told just that, the second half of the burst costs no memory, and nyand rests.
usage: burst.py [--seconds 30] [--rate 200] [--queue 10000] [--seed N] [--programs DIR]     (Debian: python3-gi)
"""

import argparse
import os
import random
import sys
import time

from gi.repository import Gio, GLib

sys.path.insert(0, os.path.dirname(__file__))
from changes import rest  # noqa: E402
from house import Broken, House, TESTS  # noqa: E402

MPRIS, PATH = "org.mpris.MediaPlayer2.nyand", "/org/mpris/MediaPlayer2"
PLAYER, LIST = "org.mpris.MediaPlayer2.Player", "org.mpris.MediaPlayer2.TrackList"
PROPERTIES = "org.freedesktop.DBus.Properties"
NONE = PATH + "/TrackList/NoTrack"
OWN, OWN_PATH, OWN_NAME = "org.nyantunes.Nyand", "/org/nyantunes/Nyand", "org.nyantunes.Nyand1."
SILENT = {"Position", "CanControl"}
# A call that waits longer than this was forgotten.
LATEST = 30


class Client:
    """One connection: sends without waiting and counts what comes back."""

    def __init__(self, address):
        flags = Gio.DBusConnectionFlags
        self.line = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None
        )
        self.sent = self.answered = 0
        self.lost, self.slowest = [], 0.0
        # Entries that were to be removed; who only listens may not know yet.
        self.removed = set()

    def ask(self, name, path, interface, member, arguments=None):
        answer = self.line.call_sync(name, path, interface, member, arguments, None, 0, LATEST * 1000, None)
        return answer.unpack()

    def properties(self, interface):
        return self.ask(MPRIS, PATH, PROPERTIES, "GetAll", GLib.Variant("(s)", (interface,)))[0]

    def send(self, name, path, interface, member, arguments=None):
        self.sent += 1
        start = time.monotonic()

        def done(line, result):
            self.answered += 1
            self.slowest = max(self.slowest, time.monotonic() - start)
            try:
                line.call_finish(result)
            except GLib.Error as error:
                # A refusal is an answer, silence is none.
                if "Timeout" in str(error) or "NoReply" in str(error):
                    self.lost.append(f"{member}: {error}")

        self.line.call(name, path, interface, member, arguments, None, 0, LATEST * 1000, None, done)

    def player(self, member, kinds="", *values):
        self.send(MPRIS, PATH, PLAYER, member, GLib.Variant(f"({kinds})", values) if kinds else None)

    def list(self, member, kinds, *values):
        if member == "RemoveTrack":
            self.removed.add(values[0])
        self.send(MPRIS, PATH, LIST, member, GLib.Variant(f"({kinds})", values))

    def set(self, name, kind, value):
        variant = GLib.Variant("(ssv)", (PLAYER, name, GLib.Variant(kind, value)))
        self.send(MPRIS, PATH, PROPERTIES, "Set", variant)

    def own(self, interface, member, kinds="", *values):
        arguments = GLib.Variant(f"({kinds})", values) if kinds else None
        self.send(OWN, OWN_PATH, OWN_NAME + interface, member, arguments)


class Listener:
    """What somebody knows who asked once and only listens since."""

    def __init__(self, client):
        self.told, self.status, self.signals = {}, {}, 0
        self.tracks = []
        for sender, path in ((MPRIS, PATH), (OWN, OWN_PATH)):
            client.line.signal_subscribe(sender, None, None, path, None, 0, self.hear)
        self.told = client.properties(PLAYER)
        self.tracks = client.properties(LIST)["Tracks"]
        self.status = client.ask(OWN, OWN_PATH, OWN_NAME + "Player", "GetStatus")[0]

    def hear(self, line, sender, path, interface, member, arguments):
        self.signals += 1
        values = arguments.unpack()
        if member == "PropertiesChanged" and values[0] == PLAYER:
            self.told.update(values[1])
        elif member == "StatusChanged":
            self.status = values[0]
        elif member == "TrackListReplaced":
            self.tracks = list(values[0])
        elif member == "TrackRemoved":
            self.tracks.remove(values[0])
        elif member == "TrackAdded":
            place = 0 if values[1] == NONE else self.tracks.index(values[1]) + 1
            self.tracks.insert(place, values[0]["mpris:trackid"])


def turn(seconds, until=lambda: False):
    """Lets what has come be looked at."""
    context, end = GLib.MainContext.default(), time.monotonic() + seconds
    while not until() and time.monotonic() < end:
        if not context.iteration(False):
            time.sleep(0.001)


def wish(client, dice, listener, ids):
    """One command, mostly what a hand on a keyboard or a mouse wheel does."""
    near = dice.choice(listener.tracks) if listener.tracks else NONE
    dice.choice(
        [
            lambda: client.player("Next"),
            lambda: client.own("Player", "Next"),
            lambda: client.player("Previous"),
            lambda: client.player("PlayPause"),
            lambda: client.own("Player", "Toggle"),
            lambda: client.player("Seek", "x", dice.randint(-5, 5) * 1000000),
            lambda: client.own("Player", "SeekTo", "x", dice.randint(0, 20) * 1000000),
            lambda: client.player("SetPosition", "ox", near, dice.randint(0, 9) * 1000000),
            lambda: client.set("Volume", "d", dice.random()),
            lambda: client.own("Player", "SetVolume", "d", dice.random()),
            lambda: client.set("LoopStatus", "s", dice.choice(["None", "Track", "Playlist"])),
            lambda: client.set("Shuffle", "b", dice.random() < 0.5),
            lambda: client.list("GoTo", "o", near),
            lambda: client.list("RemoveTrack", "o", near),
            lambda: client.list("AddTrack", "sob", dice.choice(ids), near, dice.random() < 0.3),
            lambda: client.own("Queue", "Move", "uu", dice.randint(1, 30), dice.randint(1, 30)),
        ]
    )()


def burst(client, listener, ids, dice, seconds, rate):
    """Sends at the rate until as many are sent as the time has room for; a busy machine takes longer."""
    start, before, wanted = time.monotonic(), client.sent, int(seconds * rate)
    while client.sent - before < wanted:
        due = min(wanted, int((time.monotonic() - start) * rate))
        while client.sent - before < due:
            wish(client, dice, listener, ids)
        turn(0.004)
    if time.monotonic() - start > seconds * 4 + 10:
        raise Broken(f"{wanted} commands took {time.monotonic() - start:.0f} s to send")


def last_wishes(client, listener):
    """Sends them and waits for the answers: the track asked for, and what is otherwise than asked for."""
    known = [track for track in listener.tracks if track not in client.removed]
    target = known[len(known) // 2]
    client.set("Shuffle", "b", False)
    client.own("Player", "SetRepeat", "s", "queue")
    client.set("Volume", "d", 0.375)
    client.list("GoTo", "o", target)
    client.player("Play")
    client.own("Player", "Pause")
    sent = client.sent
    turn(LATEST + 5, lambda: client.answered == sent)
    if client.answered != sent or client.lost:
        raise Broken(f"{sent - client.answered} calls were not answered {client.lost[:3]}")
    turn(0.5)
    now = client.properties(PLAYER)
    wanted = {"Shuffle": False, "LoopStatus": "Playlist", "Volume": 0.375, "PlaybackStatus": "Paused"}
    wrong = {name: now[name] for name, value in wanted.items() if now[name] != value}
    if now["Metadata"]["mpris:trackid"] != target:
        wrong["trackid"] = now["Metadata"]["mpris:trackid"]
    return target, wrong


def close(client, listener):
    """The last wishes, and what is true and told after them."""
    for _ in range(3):
        target, wrong = last_wishes(client, listener)
        # The tracks last a second: on a busy machine one may end before the last wish is sent.
        if list(wrong) != ["trackid"]:
            break
    if wrong:
        raise Broken(f"asked for last, with {target}, was something else than {wrong}")
    # Lengths and covers still come; who listens knows as much as who asks.
    def differs():
        now = client.properties(PLAYER)
        return {name: (now[name], listener.told.get(name)) for name in now.keys() - SILENT
                if now[name] != listener.told.get(name)}
    turn(20, lambda: not differs())
    if differs():
        raise Broken(f"true and told differ: {differs()}")
    tracks = client.properties(LIST)["Tracks"]
    if tracks != listener.tracks or target not in tracks:
        raise Broken(f"the track list is {tracks}, told was {listener.tracks}")
    status = client.ask(OWN, OWN_PATH, OWN_NAME + "Player", "GetStatus")[0]
    turn(20, lambda: all(listener.status.get(name) == status[name] for name in ("state", "volume", "shuffle", "repeat")))
    for name in ("state", "volume", "shuffle", "repeat", "queueLength", "queuePosition"):
        if name in status and status[name] != listener.status.get(name):
            raise Broken(f"{name} is {status[name]}, told was {listener.status.get(name)}")
    if (status["state"], status["volume"]) != ("paused", 0.375):
        raise Broken(f"the own interface says {status}")


def run(house, options):
    house.start("warning")
    house.control(dict(cmd="set", **{"rate-limit": 0}))
    house.sign_in()
    tracks = dict(cmd="library-add", artist="Burst", title="burst", media="second", count=20)
    ids = house.control(tracks)["ids"]
    if house.ctl("sync")[0]:
        raise Broken("the tracks could not be prepared")
    client = Client(house.address)
    queue = [ids[place % len(ids)] for place in range(options.queue)]
    play = GLib.Variant("(asu)", (queue, options.queue // 2))
    client.ask(OWN, OWN_PATH, OWN_NAME + "Player", "PlayTracks", play)
    house.until("it plays", lambda: house.status()["state"] == "playing")
    listener = Listener(client)
    dice, memory = random.Random(options.seed), [house.figures()[0]]
    # The first half warms up: whatever a command costs for good, the second half costs as well.
    for _ in range(2):
        burst(client, listener, ids, dice, options.seconds / 2, options.rate)
        close(client, listener)
        if house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {house.daemon.returncode}")
        turn(3)
        memory.append(house.figures()[0])
    rest(house, "after the burst")
    line = (
        f"burst: seed {options.seed}, {client.sent} commands in {options.seconds} s, {options.queue} queued, "
        f"{listener.signals} signals, slowest answer {client.slowest * 1000:.0f} ms, "
        f"memory {memory[0]} kB before, {memory[1]} after half, {memory[2]} after all of it"
    )
    if memory[2] - memory[1] > options.growth:
        raise Broken(line)
    print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rate", type=int, default=200, help="commands a second")
    parser.add_argument("--queue", type=int, default=10000, help="tracks queued")
    parser.add_argument("--growth", type=int, default=4096, help="kB that memory may grow by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    house = House(options.programs)
    try:
        run(house, options)
        return 0
    except (Broken, GLib.Error) as error:
        print(f"burst: {error}\n  " + "\n  ".join(house.said().splitlines()[-12:]))
        return 1
    finally:
        house.close()


if __name__ == "__main__":
    sys.exit(main())
