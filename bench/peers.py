"""nyand beside whole players of others, each under the same hand: start, memory, wakeups, calls, commands."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import time

from figures import MPD, group_of, memory, mpd_words, run_time, track
from house import NYAND, PLACE, PROGRAMS, Missed, Running, wait
from table import Row

STARTS, TURNS, TRIES, REST = 9, 1000, 15, 10
MOPIDY, MPV = "org.mpris.MediaPlayer2.mopidy", "org.mpris.MediaPlayer2.mpv"


class Peer:
    """A player: how it is started, and how two files get into its queue, where the first one plays."""

    def __init__(self, house, name, bus, words):
        self.house, self.name, self.bus, self.words = house, name, bus, words
        self.player = None

    def start(self):
        """Starts it; the stop-watch of the start stops with its first answer."""
        self.player = Running(self.house, self.bus, self.words)
        return self.player

    def load(self, files):
        """Over MPRIS, which puts each address behind the one before."""
        for file in files:
            self.house.call(self.bus, "OpenUri", f"string:{file.as_uri()}")
            time.sleep(0.5)
        self.house.call(self.bus, "Play")

    def status(self):
        """`Playing`, `Paused` or `Stopped`."""
        words = ["dbus-send", "--print-reply", f"--dest={self.bus}", PLACE, "org.freedesktop.DBus.Properties.Get",
                 "string:org.mpris.MediaPlayer2.Player", "string:PlaybackStatus"]
        done = subprocess.run(words, env=self.house.environment, capture_output=True, text=True, timeout=20, check=True)
        return re.search(r'"(\w+)"', done.stdout)[1]

    def repeat(self):
        """So that Next never comes to an end."""
        words = ["dbus-send", "--print-reply", f"--dest={self.bus}", PLACE, "org.freedesktop.DBus.Properties.Set",
                 "string:org.mpris.MediaPlayer2.Player", "string:LoopStatus", "variant:string:Playlist"]
        subprocess.run(words, env=self.house.environment, stdout=subprocess.DEVNULL, timeout=20, check=True)


class Nyand(Peer):
    """Files over nyanctl."""

    def load(self, files):
        self.house.ctl("play", *map(str, files))


class Mpd(Peer):
    """Files over mpc, from a music folder of its own."""

    def load(self, files):
        folder = self.house.home / "mpd"
        for file in files:
            shutil.copy(file, folder / file.name)
        port = re.search(r'port "(\d+)"', (folder / "mpd.conf").read_text())[1]
        for line in (["update", "--wait"], ["clear"], *(["add", file.name] for file in files), ["play"]):
            subprocess.run(["mpc", "-q", "-p", port, *line], check=True, env=self.house.environment)


def mopidy_words(house, folder):
    """Mopidy with its MPRIS frontend and nothing else."""
    conf = house.home / "mopidy.conf"
    places = "".join(f"{kind}_dir={house.home}/mopidy/{kind}\n" for kind in ("cache", "config", "data"))
    conf.write_text(
        f"[core]\n{places}[audio]\nmixer=software\noutput=fakesink sync=true\n[mpris]\nenabled=true\n"
        f"[file]\nenabled=true\nmedia_dirs={folder}\n[http]\nenabled=false\n[m3u]\nenabled=false\n"
        "[stream]\nenabled=false\n[softwaremixer]\nenabled=true\n"
    )
    return ["mopidy", "--config", str(conf)]


def everybody(house, folder):
    """nyand first, then those that are installed."""
    found = [Nyand(house, "nyand", NYAND, [PROGRAMS / "nyand"])]
    if words := mpd_words(house):
        found.append(Mpd(house, "mpd + mpDris2", MPD, words))
    if shutil.which("mopidy") and pathlib.Path("/usr/lib/python3/dist-packages/mopidy_mpris").exists():
        found.append(Peer(house, "mopidy + mopidy-mpris", MOPIDY, mopidy_words(house, folder)))
    if shutil.which("mpv") and pathlib.Path("/etc/mpv/scripts/mpris.so").exists():
        words = ["mpv", "--idle", "--no-video", "--no-terminal", "--pause", "--ao=null"]
        found.append(Peer(house, "mpv + mpv-mpris", MPV, words))
    return found


@contextlib.contextmanager
def silent_output(house):
    """nyand's output as the others have theirs: paced by a clock, written nowhere."""
    conf = house.home / "config/nyand/nyand.conf"
    before = conf.read_text()
    conf.write_text(re.sub(r"(?m)^sink=.*$", "sink=fakesink sync=true", before))
    try:
        yield
    finally:
        conf.write_text(before)


def tones(house):
    """Two files of 40 s, the same for everybody."""
    nyand = house.nyand()
    house.ctl("download", track(35), "--wait")
    path = next(row["path"] for row in json.loads(house.ctl("--json", "music")) if row["id"] == track(35))
    folder = house.home / "tones"
    folder.mkdir(exist_ok=True)
    files = [folder / "a.mp3", folder / "b.mp3"]
    for file in files:
        shutil.copy(path, file)
    nyand.stop()
    return files


def starts(everyone):
    """exec → name owned and exec → answers, in turns; the first turn warms caches."""
    took = {peer.name: {"owned": [], "answered": []} for peer in everyone}
    for turn in range(STARTS + 1):
        for peer in everyone:
            player = peer.start()
            if turn:
                took[peer.name]["owned"].append(player.owned)
                took[peer.name]["answered"].append(player.answered)
            stop(peer)
    return took


def stop(peer):
    """Ends a peer; one that has to be killed is no reason to stop measuring."""
    try:
        peer.player.stop()
    except Missed:
        if peer.bus == NYAND:
            raise


def switches(leader):
    """Voluntary context switches of every thread of a player's processes so far."""
    found = {}
    for entry in group_of(leader):
        with contextlib.suppress(OSError):
            for task in (entry / "task").iterdir():
                lines = (task / "status").read_text().splitlines()
                found[task.name] = sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt"))
    return found


def at_rest(leader):
    """(wakeups/s, ms of CPU a second, PSS MiB) over ten seconds."""
    before, ran = switches(leader), run_time(leader)
    time.sleep(REST)
    after = switches(leader)
    woken = sum(after[task] - before.get(task, 0) for task in after) / REST
    return woken, (run_time(leader) - ran) / 1e6 / REST, memory(leader)[1]


def one(house, peer, files):
    """Everything about one player that runs alone."""
    leader = peer.start().pid
    time.sleep(2)
    found = {"idle": at_rest(leader)}
    found["get, idle"] = [1000 * line[1] for line in house.probe("turns", TURNS, peer.bus)]
    peer.load(files)
    wait(f"{peer.name} plays", lambda: peer.status() == "Playing", 10)
    peer.repeat()
    time.sleep(2)
    found["playing"] = at_rest(leader)
    found["get, playing"] = [1000 * line[1] for line in house.probe("turns", TURNS, peer.bus)]
    found["next"] = [line[1] for line in house.probe("signal", peer.bus, "Next", "Metadata", TRIES)]
    found["toggle"] = [line[1] for line in house.probe("signal", peer.bus, "PlayPause", "PlaybackStatus", TRIES)]
    if peer.status() != "Paused":
        house.call(peer.bus, "Pause")
    # nyand gives its output back after ten seconds of pause, which takes a few wakeups once.
    time.sleep(13)
    found["paused"] = at_rest(leader)
    stop(peer)
    return found


def peers(house):
    """All figures, nyand against each."""
    with silent_output(house):
        files = tones(house)
        everyone = everybody(house, files[0].parent)
        took = starts(everyone)
        for peer in everyone:
            try:
                took[peer.name].update(one(house, peer, files))
            except Missed as missed:
                raise Missed(f"{peer.name}: {missed}") from None
    return [*rows(took, [peer.name for peer in everyone if peer.bus != NYAND])]


def rows(took, names):
    """The table: a figure, nyand's, then each other's."""
    figures = [
        ("exec → bus name owned", "ms", lambda of: of["owned"]),
        ("exec → answers on the bus", "ms", lambda of: of["answered"]),
        ("idle memory, PSS", "MiB", lambda of: [of["idle"][2]]),
        ("playing memory, PSS", "MiB", lambda of: [of["playing"][2]]),
        ("paused memory, PSS", "MiB", lambda of: [of["paused"][2]]),
        ("idle wakeups", "/s", lambda of: [of["idle"][0]]),
        ("playing wakeups", "/s", lambda of: [of["playing"][0]]),
        ("paused wakeups", "/s", lambda of: [of["paused"][0]]),
        ("playing, CPU", "ms/s", lambda of: [of["playing"][1]]),
        ("Get PlaybackStatus, idle", "µs", lambda of: of["get, idle"]),
        ("Get PlaybackStatus, playing", "µs", lambda of: of["get, playing"]),
        ("PlayPause → PropertiesChanged", "ms", lambda of: of["toggle"]),
        ("Next → PropertiesChanged", "ms", lambda of: of["next"]),
    ]
    for what, unit, of in figures:
        # A call is two hops of the bus for everybody: what differs is noise up to a point.
        goal = None if what in ("playing wakeups", "playing, CPU") else 1.2 if what.startswith("Get") else 1
        for name in names:
            yield Row(what, unit, of(took["nyand"]), name, of(took[name]), goal=goal)
            what = ""
