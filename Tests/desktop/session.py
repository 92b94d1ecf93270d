"""What the drivers of both desktops share: the player on the session bus, counted checks, patience.

Each check is one line, `ok` or `FAIL`, and one character in the file `tally` of the work folder, which several drivers
in a row add to; `total()` sums up. Waits end as soon as what they wait for is there, so that they may be long: the
machine may be busy.
"""
import json
import os
import subprocess
import sys
import time
import traceback

from gi.repository import Gio, GLib

import art_match

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = "/org/mpris/MediaPlayer2"
PREFIX = "org.mpris.MediaPlayer2."
PLAYER = "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"
PATIENCE = 20  # seconds

bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def call(dest, path, interface, method, args=None, timeout=10000):
    """A method's answer as Python values; never starts a service."""
    reply = bus.call_sync(dest, path, interface, method, args, None, Gio.DBusCallFlags.NO_AUTO_START, timeout, None)
    return reply.unpack()


def until(found, seconds=PATIENCE, step=0.15):
    """Asks again and again; the first true answer, or the last one when time is over."""
    end = time.monotonic() + seconds
    while True:
        try:
            answer = found()
        except (GLib.Error, RuntimeError):
            answer = None
        if answer or time.monotonic() > end:
            return answer
        time.sleep(step)


class Tally:
    """Counts the checks of one session."""

    def __init__(self, folder):
        self.file = os.path.join(folder, "tally")
        self.pictures = []
        sys.excepthook = self._unexpected

    def check(self, is_good, what, detail=""):
        with open(self.file, "a") as file:
            file.write("1" if is_good else "0")
        print(("ok   " if is_good else "FAIL ") + what + (f"  [{detail}]" if detail not in ("", None) else ""), flush=True)
        return is_good

    def picture_later(self, what, png, picture, tolerance=20, shown=True, **where):
        """Looks for a cover in a screenshot when everything else is done: that takes its time, and the music goes on."""
        self.pictures.append((what, png, picture, tolerance, shown, where))

    def look(self):
        """Now."""
        for what, png, picture, tolerance, shown, where in self.pictures:
            match = art_match.art_at(png, picture, **where)
            seen = bool(match and match[0] < tolerance)
            detail = "difference %.1f at %s" % match if match else f"no file {picture}"
            self.check(seen == shown, what, detail)
        self.pictures = []

    def total(self):
        """Prints `N passed, N failed`; the exit status."""
        marks = open(self.file).read() if os.path.exists(self.file) else ""
        print(f"{marks.count('1')} passed, {marks.count('0')} failed", flush=True)
        return 0 if marks and "0" not in marks else 1

    def _unexpected(self, kind, error, trace):
        line = traceback.extract_tb(trace)[-1].lineno
        self.check(False, "the checks ran through", f"{kind.__name__}: {error} (line {line})")
        os._exit(0)


class Player:
    """The first player that has a name on the bus, or the one asked for."""

    def __init__(self, suffix=None):
        self.name = until(lambda: self._find(suffix), 60)

    @staticmethod
    def _find(suffix):
        names = call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")[0]
        players = [name for name in names if name.startswith(PREFIX)]
        wanted = [name for name in players if suffix in (None, name[len(PREFIX):])]
        return wanted[0] if wanted else None

    def get(self, name, interface=PLAYER):
        return call(self.name, PATH, PROPERTIES, "Get", GLib.Variant("(ss)", (interface, name)))[0]

    def maybe(self, name):
        """nil where the player has no such property."""
        try:
            return self.get(name)
        except GLib.Error:
            return None

    def set(self, name, value):
        call(self.name, PATH, PROPERTIES, "Set", GLib.Variant("(ssv)", (PLAYER, name, value)))

    def do(self, method, args=None):
        call(self.name, PATH, PLAYER, method, args)

    @property
    def status(self):
        try:
            return self.get("PlaybackStatus")
        except GLib.Error as error:
            return "error: " + error.message

    @property
    def metadata(self):
        return self.get("Metadata")

    @property
    def title(self):
        return self.metadata.get("xesam:title")

    @property
    def track(self):
        """What tells one entry from another."""
        metadata = self.metadata
        return metadata.get("mpris:trackid"), metadata.get("xesam:title")

    @property
    def seconds(self):
        return self.get("Position") / 1e6

    def has_moved_on(self, before, seconds=PATIENCE):
        """Is another track current, one with a title?"""
        return until(lambda: self.track != before and self.track[1], seconds)

    @property
    def opposite(self):
        """What the play/pause button makes of the status."""
        return "Paused" if self.status == "Playing" else "Playing"

    def has_its_cover(self):
        """Everything is known of the current track: its cover is there, or it is the one that has none."""
        return self.title and (cover_file(self.metadata) or "456239003" in self.metadata["xesam:url"])

    def plays(self):
        """Waits for a track that plays."""
        return until(lambda: self.title and self.status == "Playing", 60)

    def __str__(self):
        return f"{self.name} {self.status} {json.dumps(self.metadata, ensure_ascii=False)}"


def artists(metadata):
    names = metadata.get("xesam:artist")
    return ", ".join(names) if isinstance(names, list) else str(names)


def cut(title):
    """As a notice shows it: at most 250 characters (`NoticeText`)."""
    return title if len(title) <= 250 else title[:249] + "…"


def cover_file(metadata):
    """The picture that `mpris:artUrl` names, if it is a file."""
    url = metadata.get("mpris:artUrl") or ""
    return Gio.File.new_for_uri(url).get_path() if url.startswith("file://") else None


def scene_step(scene, step):
    """The next thing that happens in a scene (scene.py); what it printed."""
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "scene.py"), scene, step], capture_output=True, text=True, timeout=120
    )
    if done.returncode:
        print("note the step", step, "failed:", done.stderr.strip()[-300:])
    return done.stdout.strip()


def beside(path, word):
    """`out.png`, "lock" → `out-lock.png`."""
    stem, ending = os.path.splitext(path)
    return f"{stem}-{word}{ending}"


def each_track(player, check):
    """Walks through the queue of the scene `titles`: a number and a prefix for what is said of it. Another client presses
    Next each time."""
    for number in range(1, 10):
        where = f"{number}: "
        until(player.has_its_cover)
        yield number, where
        if not player.get("CanGoNext"):
            break
        before = player.track
        player.do("Next")
        if not check(player.has_moved_on(before), where + "Next"):
            break
    check(number == 5, "five tracks were looked at", number)


def each_notice(player, before_downloads=lambda: None):
    """Goes through the steps of the scene `notices`: title, body, cover and a word for it."""
    for number in range(2, 6):
        before = player.track
        scene_step("notices", "next")
        player.has_moved_on(before)
        until(player.has_its_cover)
        metadata = player.metadata
        body = " · ".join(filter(None, [artists(metadata), metadata.get("xesam:album")]))
        yield cut(player.title), body, cover_file(metadata), f"track {number}"
    for step, body in (("downloads", "2 tracks downloaded"), ("more", "3 tracks downloaded")):
        before_downloads()
        scene_step("notices", step)
        yield "Downloads finished", body, None, step
