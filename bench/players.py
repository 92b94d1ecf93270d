"""Whole players of others, and nyand, each under the same hand: how one is started and how sounds get into it."""

import contextlib
import pathlib
import re
import shutil
import subprocess
import time

from figures import MPD, mpd_words
from house import NYAND, PLACE, PLAYER, PROGRAMS, Missed, Running, wait

MOPIDY, MPV = "org.mpris.MediaPlayer2.mopidy", "org.mpris.MediaPlayer2.mpv"
CMUS = "org.mpris.MediaPlayer2.cmus"
#: The names of the table, and what has to be installed.
NEEDED = {
    "mpd + mpDris2": ("mpd", "mpc", "mpDris2"),
    "mopidy + mopidy-mpris": ("mopidy", "/usr/lib/python3/dist-packages/mopidy_mpris"),
    "mpv + mpv-mpris": ("mpv", "/etc/mpv/scripts/mpris.so"),
    "cmus": ("cmus", "cmus-remote", "pulseaudio"),
}


class Peer:
    """A player: how it is started, and how sounds get into its queue, where the first one plays."""

    client = None  # the words of its own client that asks for the status
    hurries = False  # whether its samples keep no pace when they go into a file
    plain = True  # whether it can write plain samples, so that the first one is seen

    def __init__(self, house, name, bus, words):
        self.house, self.name, self.bus, self.words = house, name, bus, words
        self.player = None

    def start(self):
        """Starts it; the stop-watch of the start stops with its first answer."""
        self.player = Running(self.house, self.bus, self.words)
        return self.player

    def stop(self):
        """Ends it; one that has to be killed is no reason to stop measuring."""
        player, self.player = self.player, None
        if not player or player.child.poll() is not None:
            return
        try:
            player.stop()
        except Missed:
            if self.bus == NYAND:
                raise

    def load(self, files):
        """Over MPRIS, which puts each address behind the one before."""
        for file in files:
            self.house.call(self.bus, "OpenUri", f"string:{file.as_uri()}")
            time.sleep(0.5)
        self.house.call(self.bus, "Play")

    def line_up(self, address):
        """Has one sound ready, stopped. What is returned is told to OpenUri instead of Play."""
        return address

    def ask(self, member, *words):
        """A call of org.freedesktop.DBus.Properties, as dbus-send prints it."""
        line = ["dbus-send", "--print-reply", f"--dest={self.bus}", PLACE, f"org.freedesktop.DBus.Properties.{member}",
                f"string:{PLAYER}", *words]
        done = subprocess.run(line, env=self.house.environment, capture_output=True, text=True, timeout=20, check=True)
        return done.stdout

    def status(self):
        """`Playing`, `Paused` or `Stopped`."""
        return re.search(r'"(\w+)"', self.ask("Get", "string:PlaybackStatus"))[1]

    def position(self):
        """Microseconds."""
        return int(re.search(r"int64 (-?\d+)", self.ask("Get", "string:Position"))[1])

    def repeat(self):
        """So that Next never comes to an end."""
        self.ask("Set", "string:LoopStatus", "variant:string:Playlist")


class Mpv(Peer):
    """Everything over MPRIS."""

    hurries = True


class Nyand(Peer):
    """Files over nyanctl."""

    client = [str(PROGRAMS / "nyanctl"), "status"]

    def load(self, files):
        self.house.ctl("play", *map(str, files))

    def line_up(self, address):
        self.house.ctl("queue", "clear")
        self.house.ctl("queue", "add", address)
        time.sleep(0.5)


class Mpd(Peer):
    """Files over mpc, from a music folder of its own."""

    def start(self):
        folder = self.house.home / "mpd"
        self.port = re.search(r'port "(\d+)"', (folder / "mpd.conf").read_text())[1]
        self.client = ["mpc", "-p", self.port, "status"]
        return super().start()

    def mpc(self, *words):
        """mpc, which has to succeed."""
        done = subprocess.run(["mpc", "-q", "-p", self.port, *words], env=self.house.environment, capture_output=True,
                              text=True, timeout=20)
        if done.returncode or "error" in done.stderr.lower():
            raise Missed(f"mpc {words[0]}: {done.stderr.strip()[-80:]}")

    def load(self, files):
        folder = self.house.home / "mpd"
        for file in files:
            shutil.copy(file, folder / file.name)
        for line in (["update", "--wait"], ["clear"], *(["add", file.name] for file in files), ["play"]):
            self.mpc(*line)

    def line_up(self, address):
        self.mpc("clear")
        if address.startswith("file:"):
            name = pathlib.Path(address).name
            if not (self.house.home / "mpd" / name).exists():
                shutil.copy(address.removeprefix("file://"), self.house.home / "mpd" / name)
                self.mpc("update", "--wait")
            address = name
        self.mpc("add", address)
        time.sleep(0.3)


class Cmus(Peer):
    """In a terminal nobody looks at; files over cmus-remote. It has no output but to a sound server, so it gets one whose
    speaker is nothing; that server is not counted."""

    plain = False

    def __init__(self, house):
        self.socket, self.server = house.home / "cmus.socket", house.home / "pulse.socket"
        words = ["tty", "env", f"PULSE_SERVER=unix:{self.server}", "cmus", "--listen", str(self.socket)]
        super().__init__(house, "cmus", CMUS, words)
        self.client = ["cmus-remote", "--server", str(self.socket), "-Q"]
        (house.home / "config/cmus").mkdir(parents=True, exist_ok=True)
        lines = ["set output_plugin=pulse", "set resume=false", "set play_library=false", "set repeat=true"]
        (house.home / "config/cmus/rc").write_text("\n".join([*lines, ""]))
        self.sound = None

    def start(self):
        self.server.unlink(missing_ok=True)
        self.sound = self.house.spawn(["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                                       "-L", "module-null-sink rate=44100", "-L",
                                       f"module-native-protocol-unix socket={self.server} auth-anonymous=1"])
        wait("pulseaudio", self.server.exists, 10)
        return super().start()

    def stop(self):
        super().stop()
        if self.sound:
            self.house.end([self.sound])
            self.house.children.remove(self.sound)
            self.sound = None

    def remote(self, *commands):
        """cmus-remote with commands of cmus."""
        line = ["cmus-remote", "--server", str(self.socket), "-C", *commands]
        subprocess.run(line, env=self.house.environment, check=True, stdout=subprocess.DEVNULL, timeout=20)

    def load(self, files):
        self.remote("view playlist", "clear -p", *(f"add -p {file}" for file in files))
        time.sleep(0.7)
        self.remote("set play_library=false", "view playlist", "win-top", "win-activate")

    def repeat(self):
        """Its settings say so."""


def mopidy_words(house, folder, sink="fakesink sync=true"):
    """Mopidy with its MPRIS frontend and nothing else."""
    conf = house.home / "mopidy.conf"
    places = "".join(f"{kind}_dir={house.home}/mopidy/{kind}\n" for kind in ("cache", "config", "data"))
    conf.write_text(
        f"[core]\n{places}[audio]\nmixer=software\noutput={sink}\n[mpris]\nenabled=true\n"
        f"[file]\nenabled=true\nmedia_dirs={folder}\n[http]\nenabled=false\n[m3u]\nenabled=false\n"
        "[stream]\nenabled=true\n[softwaremixer]\nenabled=true\n"
    )
    return ["mopidy", "--config", str(conf)]


def lacking(name):
    """What is not installed of a player, or nothing."""
    return [one for one in NEEDED[name] if not (pathlib.Path(one).exists() if one[0] == "/" else shutil.which(one))]


def everybody(house, folder, samples=None):
    """nyand first, then those that are installed; and {name: why not} of the others. Each plays into nothing at the pace
    of a clock, or with `samples` into that file."""
    mpv = ["mpv", "--idle", "--no-video", "--no-terminal"]
    mpv += ["--ao=pcm", f"--ao-pcm-file={samples}", "--ao-pcm-waveheader=no"] if samples else ["--ao=null", "--pause"]
    made = {
        "mpd + mpDris2": lambda name: Mpd(house, name, MPD, mpd_words(house, samples)),
        "mopidy + mopidy-mpris": lambda name: Peer(
            house, name, MOPIDY, mopidy_words(house, folder, house.sink if samples else "fakesink sync=true")),
        "mpv + mpv-mpris": lambda name: Mpv(house, name, MPV, mpv),
        "cmus": lambda name: Cmus(house),
    }
    found, absent = [Nyand(house, "nyand", NYAND, [PROGRAMS / "nyand"])], {}
    for name, make in made.items():
        if lacks := lacking(name):
            absent[name] = f"not installed: {', '.join(pathlib.Path(one).name for one in lacks)}"
            continue
        try:
            found.append(make(name))
        except (Missed, OSError) as missed:
            absent[name] = str(missed)[:120]
    return found, absent


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
