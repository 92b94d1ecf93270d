"""One private world for a long test: a bus, a look-alike of VK, a sound server, and the real programs in it."""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.dirname(__file__))
import lookalike  # noqa: E402
from bus import Bus  # noqa: E402
from line import Line  # noqa: E402
from sanitised import PATIENCE, SANITIZER  # noqa: E402

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NYAND = ("org.nyantunes.Nyand", "/org/nyantunes/Nyand", "org.nyantunes.Nyand1.Player", "GetStatus")


class Broken(Exception):
    """A promise that was not kept."""


class House:
    """`line`: the look-alike is behind `self.line_out`, which can be cut. `disk`: what nyand writes is on a disk of so many bytes
    of its own, where that can be mounted (`self.has_disk`). `keyring`: a Secret Service is on the bus."""

    def __init__(
        self,
        programs,
        sound="fakesink sync=true",
        settings="",
        files=None,
        environment=None,
        line=False,
        disk=None,
        keyring=False,
    ):
        self.home = tempfile.mkdtemp(prefix="nyan-soak-")
        # Programs start in the home, where a path from here leads nowhere.
        self.programs, self.sound, self.files = os.path.abspath(programs), sound, files
        self.daemon = self.pulse = self.keyring = self.bus = None
        self.room = self.home + "/room"
        os.mkdir(self.room)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={disk}", "none", self.room]
        self.has_disk = bool(disk) and subprocess.run(mount, stderr=subprocess.DEVNULL).returncode == 0
        self.environment = {
            "HOME": self.home,
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            # Swift's own look at a crash would outlive a signal that comes from outside.
            "SWIFT_BACKTRACE": "enable=no",
            "XDG_RUNTIME_DIR": self.home + "/run",
            "XDG_CONFIG_HOME": self.home + "/config",
            "XDG_DATA_HOME": self.room + "/data",
            "XDG_STATE_HOME": self.room + "/state",
            "XDG_CACHE_HOME": self.room + "/cache",
            **(environment or {}),
        }
        os.makedirs(self.home + "/config/nyand")
        os.mkdir(self.home + "/run", 0o700)
        self.address = f"unix:path={self.home}/run/bus"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.address
        self.start_bus()
        self.line_out = Line(3) if line else None
        outer = ["--outer", ",".join(str(port.number) for port in self.line_out.ports[1:])] if line else []
        self.server = subprocess.Popen(
            lookalike.words(*outer), env=lookalike.environment(), stdout=subprocess.PIPE, text=True
        )
        self.ready = lookalike.ready(self.server)
        self.api = self.ready["api-url"]
        if line:
            self.line_out.aim(self.ready["port"], self.ready["port"], self.ready["port2"])
            self.api = self.api.replace(str(self.ready["port"]), str(self.line_out.ports[0].number))
        self.has_keyring = keyring
        if keyring:
            self.start_keyring()
        if sound == "pulse":
            self.start_pulse()
        self.write_settings(settings)
        self.log = open(self.home + "/log", "ab")
        self.line = None

    def write_settings(self, extra=""):
        sink = "auto" if self.sound == "pulse" else self.sound
        with open(self.home + "/config/nyand/nyand.conf", "w") as file:
            file.write(
                f"[vk]\napi-url={self.api}\nsync-interval=off\nmin-interval-ms=1\n"
                f"[account]\nstore={'auto' if self.has_keyring else 'file'}\n"
                f"[audio]\nsink={sink}\n[downloads]\ndirectory={self.music}\n{extra}\n"
            )

    @property
    def music(self):
        return self.room + "/Music"

    def start_bus(self):
        """Also one that was killed: at the address it had."""
        socket = self.home + "/run/bus"
        if os.path.exists(socket):
            os.unlink(socket)
        words = ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1", "--address=" + self.address]
        self.bus = subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.bus.stdout.readline()
        self.line = None

    def start_keyring(self):
        words = ["/usr/bin/python3", TESTS + "/soak/keyring.py", "--file", self.home + "/keyring"]
        self.keyring = subprocess.Popen(words, env=self.environment, text=True, stdout=subprocess.PIPE)
        if self.keyring.stdout.readline() != "READY\n":
            raise Broken("the keyring did not come")

    def start_pulse(self):
        socket = self.home + "/run/native"
        if os.path.exists(socket):
            os.unlink(socket)
        self.environment["PULSE_SERVER"] = "unix:" + socket
        self.pulse = subprocess.Popen(
            [
                "pulseaudio",
                "-n",
                "-F",
                "/dev/null",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--use-pid-file=no",
                "--system=false",
                "-L",
                "module-null-sink sink_name=a rate=44100",
                "-L",
                "module-native-protocol-unix auth-anonymous=1 socket=" + socket,
            ],
            env=self.environment,
            stderr=subprocess.DEVNULL,
        )
        self.until("the sound server is there", lambda: os.path.exists(socket))

    def start(self, level="info", waits=True):
        """Starts nyand and waits for its answer."""

        def limit():
            # A core would be written where it runs, as far as limits go.
            most = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (most, most))
            if self.files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))

        self.daemon = subprocess.Popen(
            [self.programs + "/nyand", "--log-level", level],
            env=self.environment,
            stderr=self.log,
            preexec_fn=limit,
            cwd=self.home,
        )
        if waits:
            self.wait_for_answer()

    def wait_for_answer(self):
        self.until("nyand answers", lambda: self.daemon.poll() is None and self.ctl("status")[0] == 0)

    def sign_in(self):
        for words in (["login", "--token"], ["sync"]):
            status, _, errors = self.ctl(*words, input=self.ready["token"], limit=60)
            if status:
                raise Broken(f"{words[0]}: {errors}")

    def ctl(self, *words, input=None, limit=40):
        """Status, output and errors of nyanctl."""
        done = subprocess.run(
            [self.programs + "/nyanctl", *words],
            env=self.environment,
            input=input,
            capture_output=True,
            text=True,
            timeout=limit * PATIENCE,
        )
        return done.returncode, done.stdout, done.stderr

    def status(self):
        code, output, errors = self.ctl("--json", "status")
        if code:
            raise Broken(f"status ended with {code}: {errors}")
        return json.loads(output)

    def answer_time(self):
        """Seconds that a question takes, without starting a program."""
        self.line = self.line or Bus(self.address)
        return self.line.call(*NYAND)

    def control(self, *commands):
        """Commands to the look-alike, as keyword dictionaries."""
        data = json.dumps(commands[0] if len(commands) == 1 else commands).encode()
        with urllib.request.urlopen(self.ready["control-url"], data, timeout=20) as answer:
            return json.load(answer)

    def page(self, path):
        with urllib.request.urlopen(self.ready["url"] + path, timeout=20) as answer:
            return json.load(answer)

    def until(self, what, is_so, within=40, why=lambda: ""):
        """`why` may say what is in the way."""
        end = time.monotonic() + within * PATIENCE
        while not is_so():
            if time.monotonic() > end:
                raise Broken(f"{what}: not within {within} s {why()}")
            time.sleep(0.02)

    def figures(self):
        """What the daemon holds: kB of its own memory, descriptors, threads."""
        base = f"/proc/{self.daemon.pid}"
        with open(base + "/smaps_rollup") as file:
            lines = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
        with open(base + "/status") as file:
            threads = next(int(line.split()[1]) for line in file if line.startswith("Threads"))
        # Clean pages of libraries come and go with what other programs do.
        memory = 0 if SANITIZER else int(lines["Private_Dirty"].split()[0])
        return memory, len(os.listdir(base + "/fd")), threads

    def descriptors(self):
        """What the daemon's descriptors lead to, in order, each with its count."""
        folder, found = f"/proc/{self.daemon.pid}/fd", {}
        for number in os.listdir(folder):
            try:
                name = os.readlink(f"{folder}/{number}").split(":[")[0].rsplit("/", 1)[-1]
            except OSError:
                continue
            found[name] = found.get(name, 0) + 1
        return " ".join(f"{name}×{count}" for name, count in sorted(found.items()))

    def cpu(self):
        """Seconds of processor time so far."""
        with open(f"/proc/{self.daemon.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wakeups(self):
        """Times any thread of the daemon was put to sleep or interrupted."""
        total = 0
        for thread in os.listdir(f"/proc/{self.daemon.pid}/task"):
            try:
                with open(f"/proc/{self.daemon.pid}/task/{thread}/status") as file:
                    total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
            except OSError:
                pass
        return total

    def said(self):
        with open(self.home + "/log", errors="replace") as file:
            return file.read()

    def close(self, keep=False):
        """`keep` leaves the folder, for somebody to look into."""
        for child in (self.daemon, self.keyring, self.pulse, self.server, self.bus):
            if child and child.poll() is None:
                child.send_signal(signal.SIGCONT)
                child.kill()
                child.wait()
        if keep:
            print(f"kept: {self.home}")
            return
        if self.has_disk:
            subprocess.run(["umount", "-l", self.room])
        shutil.rmtree(self.home, ignore_errors=True)


def arguments(about, rounds=100):
    """A parser of what every test that kills nyand at random takes: rounds, seed, programs, and what is left of a failure."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    parser.add_argument("--log", type=int, default=30, help="lines of nyand's log to show after a broken promise")
    parser.add_argument("--keep", action="store_true", help="leave the folder of a run that broke a promise")
    return parser


def run_in_house(run, options, **house):
    """Calls `run(house, options)` in a house of its own and returns the status it returns."""
    house, status = House(options.programs, **house), 1
    try:
        status = run(house, options)
        return status
    finally:
        house.close(keep=options.keep and status != 0)
