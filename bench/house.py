"""A private world for the figures: a bus, the look-alike of VK, a home, and the programs, all gone when it closes."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.append(str(ROOT / "Tests/soak"))
import lookalike  # noqa: E402
PROGRAMS = pathlib.Path(os.environ.get("NYAN_BIN", ROOT / ".build/release"))
NYAND = "org.mpris.MediaPlayer2.nyand"
PLACE, PLAYER = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""


class Missed(Exception):
    """A figure could not be taken; the sentence stands in the table in its place."""


def wait(what, is_so, seconds=20, pause=0.02):
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        if time.monotonic() > end:
            raise Missed(f"{what}: not within {seconds} s")
        time.sleep(pause)
    return found


def build(build_folder):
    """Compiles the C programs whose sources changed: the stop-watch, and the floor with and without GStreamer."""
    build_folder.mkdir(parents=True, exist_ok=True)
    wanted = {
        "probe": ("probe.c", [], ["dbus-1"]),
        "floor": ("floor.c", [], ["dbus-1", "gstreamer-1.0"]),
        "floor-silent": ("floor.c", ["-DSILENT"], ["dbus-1"]),
    }
    for name, (source, options, libraries) in wanted.items():
        target, source = build_folder / name, HERE / source
        if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
            continue
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], capture_output=True, check=True)
        words = ["gcc", "-O2", *options, str(source), "-o", str(target), *flags.stdout.decode().split()]
        subprocess.run(words, check=True, timeout=120)
    return build_folder


class Running:
    """A player started by `probe start`; ends it when told."""

    def __init__(self, house, name, words):
        begin = [str(house.tools / "probe"), "start", name, *map(str, words)]
        self.child = house.spawn(begin, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.name = name
        line = self.child.stdout.readline().split()
        if len(line) != 3:
            raise Missed(f"{pathlib.Path(words[0]).name} did not come up")
        self.pid, self.owned, self.answered = int(line[0]), int(line[1]) / 1e6, int(line[2]) / 1e6

    def stop(self):
        """Asks it to end and waits."""
        self.child.stdin.close()
        if self.child.wait(15) == 3:
            raise Missed(f"{self.name} did not stop within 3 s of SIGTERM")


class House:
    """Bus, look-alike, home. `close` ends every process and removes every file."""

    def __init__(self, tools):
        self.tools = tools
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="nyand-bench-"))
        self.children = []
        self.log = open(self.home / "log", "wb")
        self.pcm = self.home / "sound.pcm"
        # Every player writes into a file at the pace of a clock: the first bytes in it are the first sound.
        self.sink = (
            "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            f" ! filesink sync=true buffer-mode=unbuffered location={self.pcm}"
        )
        self.environment = {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.home}/bus",
            "MPD_TIMEOUT": "60",  # mpc's, in seconds
            "GST_REGISTRY": str(self.home / "gst-registry.bin"),
        }
        for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
            self.environment[f"XDG_{kind}_HOME"] = str(self.home / kind.lower())
        (self.home / "bus.conf").write_text(BUS.format(path=self.home / "bus"))
        self.bus = self.spawn(["dbus-daemon", f"--config-file={self.home}/bus.conf", "--nofork", "--nopidfile"])
        wait("the bus", lambda: (self.home / "bus").exists(), 5)
        self.server = self._look_alike()
        self._settings()

    def spawn(self, words, **more):
        """Starts a program of this world."""
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", self.log)
        child = subprocess.Popen(words, env=self.environment, stderr=self.log, **more)
        self.children.append(child)
        return child

    def end(self, children):
        """Ends programs of this world, newest first."""
        for child in reversed(children):
            if child.stdin:
                with contextlib.suppress(OSError):
                    child.stdin.close()
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                try:
                    child.wait(5)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()

    def strays(self):
        """Processes whose home is this world's, whoever started them."""
        mark = f"HOME={self.home}".encode()
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)

    def tidy(self, since):
        """Ends what was started after the first `since` programs, and what those left behind: a group has failed."""
        kept = self.children[:since]
        self.end(self.children[since:])
        self.children = kept
        good = {child.pid for child in kept if child.poll() is None}
        good |= {pid for pid in self.strays() if parent(pid) in good}
        for pid in set(self.strays()) - good:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def last_words(self):
        """The end of what the programs of this world complained about."""
        self.log.flush()
        return (self.home / "log").read_text(errors="replace")[-300:].strip()

    def _look_alike(self):
        """Starts the look-alike and returns its ready line."""
        media = os.environ.get("NYAND_LOOKALIKE_MEDIA", ROOT / ".build" / "lookalike")
        child = self.spawn(lookalike.words("--media", str(media)), stdout=subprocess.PIPE)
        try:
            return lookalike.ready(child)
        except RuntimeError as missed:
            raise Missed(f"{missed}: {self.last_words()}") from missed

    def _settings(self):
        folder = self.home / "config/nyand"
        folder.mkdir(parents=True)
        lines = ["[vk]", f"api-url={self.server['api-url']}", "sync-interval=off", "[account]", "store=file"]
        lines += ["[audio]", f"sink={self.sink}", "[downloads]", f"directory={self.home}/Music", ""]
        (folder / "nyand.conf").write_text("\n".join(lines))

    def nyand(self):
        """Starts nyand."""
        return Running(self, NYAND, [PROGRAMS / "nyand"])

    def floor(self, name="floor", program="floor"):
        """Starts the floor; it owns org.mpris.MediaPlayer2.NAME."""
        name = f"org.mpris.MediaPlayer2.{name}"
        return Running(self, name, [self.tools / program, name, self.sink])

    def ctl(self, *words, input=None):
        """Runs nyanctl and returns what it prints."""
        done = subprocess.run(
            [PROGRAMS / "nyanctl", *words],
            env=self.environment, input=input, capture_output=True, text=True, timeout=60,
        )
        if done.returncode:
            raise Missed(f"nyanctl {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def state(self):
        """The state word of `nyanctl status`."""
        return json.loads(self.ctl("--json", "status"))["state"]

    def probe(self, *words):
        """Runs the stop-watch and returns its lines as rows of milliseconds."""
        done = subprocess.run(
            [self.tools / "probe", *map(str, words)], env=self.environment, capture_output=True, text=True, timeout=120
        )
        if done.returncode:
            raise Missed(done.stderr.strip())
        return [[int(word) / 1e6 for word in line.split()] for line in done.stdout.splitlines()]

    def call(self, name, member, *arguments):
        """One call of an MPRIS player; arguments as dbus-send takes them."""
        words = ["dbus-send", "--print-reply", f"--dest={name}", PLACE, f"{PLAYER}.{member}", *arguments]
        subprocess.run(words, env=self.environment, check=True, stdout=subprocess.DEVNULL, timeout=20)

    def page(self, path, post=None):
        """A page of the look-alike, decoded."""
        body = None if post is None else json.dumps(post).encode()
        with urllib.request.urlopen(self.server["url"] + path, body, timeout=20) as answer:
            return json.load(answer)

    def address(self, track):
        """A signed address of a track, as the API gives it out."""
        fields = {"audios": track, "access_token": self.server["token"], "v": self.server["version"]}
        ask = urllib.request.Request(
            self.server["api-url"] + "/audio.getById",
            urllib.parse.urlencode(fields).encode(),
            {"User-Agent": self.server["user-agent"]},
        )
        for _ in range(10):  # nyand's own calls count too: three a second
            with urllib.request.urlopen(ask, timeout=20) as answer:
                found = json.load(answer)
            if "response" in found:
                return found["response"][0]["url"]
            time.sleep(0.4)
        raise Missed(f"no address: {found}")

    def close(self):
        """Ends what still runs, newest first, and removes the home."""
        self.end(self.children)
        for pid in self.strays():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.log.close()
        shutil.rmtree(self.home, ignore_errors=True)


def parent(pid):
    """The process that started another; 0 when it is gone."""
    with contextlib.suppress(OSError):
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return 0
