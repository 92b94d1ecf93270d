"""Runs nyand and its peers over the same addresses and says what that cost."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from house import PROGRAMS, ROOT, Missed

YT_DLP = "yt-dlp==2026.10.26"
AT_ONCE = 5
# Looks at the memory of a program that come a millisecond apart, and how many make a figure.
LOOKS, FEWEST = 100, 3
TOO_SHORT = "ended before its memory could be read"


@dataclass
class Cost:
    """Of one run: seconds on the clock, seconds of processor time, MiB resident at the most, and before it began. `peak` is
    None of a program that ended before it was looked at often enough: a cell without a figure, not one of nothing."""

    wall: float
    cpu: float
    peak: float | None
    rest: float = 0

    @property
    def more(self):
        """MiB the run took beyond what was there before; all of a program that is started for it."""
        return None if self.peak is None else self.peak - self.rest


def status_kib(pid, name):
    """A size out of /proc/PID/status; 0 when the process is gone."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name + ":")), 0)


def processor_time(pid):
    """Seconds of processor time of a process so far, ended threads included, to the nanosecond."""
    return time.clock_gettime(~pid << 3 | 2)


# --- peers

def words_of(name, urls, folder, resuming=False):
    """The command line of a peer; it leaves the files in `folder` under the last part of their address."""
    if name == "aria2c":
        (folder / ".addresses").write_text("\n".join(urls) + "\n")
        return ["aria2c", "-q", "--no-conf", "-j", str(AT_ONCE), "-x1", "-s1", "--file-allocation=none", "-c",
                "--auto-file-renaming=false", "--allow-overwrite=true", "-d", str(folder), "-i",
                str(folder / ".addresses")]
    # Without --parallel-immediate the first file goes alone, until curl knows whether it can share its connection.
    words = ["curl", "-sS", "--fail", "--parallel", "--parallel-immediate", "--parallel-max", str(AT_ONCE),
             "--remote-name-all"]
    return [*words, *(["-C", "-"] if resuming else []), *urls]


def started(house, words, folder):
    """A peer at work in a folder of its own."""
    folder.mkdir(exist_ok=True)
    return house.spawn(words, cwd=folder, start_new_session=True)


def finished(child, begin, may_fail=False, limit=240):
    """Waits for a peer and returns its cost. The peak is polled: what wait4 tells begins at the size of this Python."""
    sizes = []
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if size := status_kib(child.pid, "VmHWM"):
            sizes.append(size)
        if time.monotonic() - begin > limit:
            child.kill()
            child.wait()
            raise Missed(f"{pathlib.Path(child.args[0]).name}: not within {limit} s")
        # Some are done in 15 ms, and have their libraries only in the last of them.
        time.sleep(0.01 if len(sizes) > LOOKS else 0.001)
    wall = time.monotonic() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode and not may_fail:
        raise Missed(f"{pathlib.Path(child.args[0]).name} ended with {child.returncode}")
    return Cost(wall, used.ru_utime + used.ru_stime, max(sizes) / 1024 if len(sizes) >= FEWEST else None)


def peer(house, words, folder):
    """A peer from its start to its end."""
    begin = time.monotonic()
    return finished(started(house, words, folder), begin)


def yt_dlp(house):
    """yt-dlp's program, from PyPI into an environment of its own the first time."""
    home = ROOT / ".build" / "bench" / "yt-dlp"
    mark = home / "version"
    if not mark.exists() or mark.read_text() != YT_DLP:
        shutil.rmtree(home, ignore_errors=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", home], check=True, capture_output=True, timeout=120)
            subprocess.run([home / "bin/pip", "install", "-q", "--disable-pip-version-check", YT_DLP, "pycryptodomex"],
                           check=True, capture_output=True, timeout=180)
        except subprocess.SubprocessError as missed:
            raise Missed("yt-dlp: not to be had from PyPI now") from missed
        mark.write_text(YT_DLP)
    return str(home / "bin/yt-dlp")


# --- nyand

class Keeper:
    """nyand with tracks whose addresses lead to a media host."""

    def __init__(self, house):
        self.house = house
        self.settings = house.home / "config/nyand/nyand.conf"
        self.before = self.settings.read_text()
        changed = self.before.replace("[downloads]", f"[downloads]\nparallel={AT_ONCE}")
        # Media servers are measured here, not how patiently VK is asked.
        self.settings.write_text(changed.replace("[vk]", "[vk]\nmin-interval-ms=0"))
        house.page("/_control", [{"cmd": "set", "rate-limit": 0}])
        self.nyand = house.nyand()

    def know(self, urls, seconds):
        """Adds a track for every address to the profile; their ids in the order of the addresses."""
        add = {"cmd": "library-add", "artist": "Bench", "count": len(urls)}
        ids = self.house.page("/_control", add)["ids"]
        self.house.page("/_control", [{"cmd": "track", "id": one, "duration": seconds, "patch": {"url": url}}
                                      for one, url in zip(ids, urls)])
        self.house.ctl("sync")
        time.sleep(1.1)  # the calls of the sync are out of VK's second
        return ids

    def fetch(self, ids):
        """From the wish until all are verified, tagged and in My Music: nyanctl's time, the cost of both programs."""
        pathlib.Path(f"/proc/{self.nyand.pid}/clear_refs").write_text("5")  # the peak begins anew
        rest = status_kib(self.nyand.pid, "VmRSS") / 1024
        before, begin = processor_time(self.nyand.pid), time.monotonic()
        child = self.house.spawn([str(PROGRAMS / "nyanctl"), "download", *ids, "--wait"])
        asked = finished(child, begin)
        time.sleep(0.3)  # what it still tidies up counts too
        used = processor_time(self.nyand.pid) - before
        return Cost(asked.wall, used + asked.cpu, status_kib(self.nyand.pid, "VmHWM") / 1024, rest)

    def queue(self, ids):
        """(seconds until the wish is taken, the cost until all are there): two commands, the second only waits."""
        pathlib.Path(f"/proc/{self.nyand.pid}/clear_refs").write_text("5")
        rest = status_kib(self.nyand.pid, "VmRSS") / 1024
        before, begin = processor_time(self.nyand.pid), time.monotonic()
        program = str(PROGRAMS / "nyanctl")
        taken = finished(self.house.spawn([program, "download", *ids]), begin)
        asked = finished(self.house.spawn([program, "download", *ids, "--wait"]), begin)
        used = processor_time(self.nyand.pid) - before
        return taken.wall, Cost(asked.wall, used + asked.cpu, status_kib(self.nyand.pid, "VmHWM") / 1024, rest)

    def files(self, ids):
        """{id: path} of what is in My Music."""
        rows = json.loads(self.house.ctl("--json", "music"))
        found = {row["id"]: pathlib.Path(row["path"]) for row in rows if row["id"] in set(ids)}
        if len(found) != len(ids):
            raise Missed(f"nyand kept {len(found)} of {len(ids)}")
        return found

    def resident(self):
        """MiB in memory a moment after the work."""
        time.sleep(2)
        return status_kib(self.nyand.pid, "VmRSS") / 1024

    def kill(self):
        """kill -9, and away."""
        os.kill(self.nyand.pid, signal.SIGKILL)
        self.nyand.child.stdin.close()
        self.nyand.child.wait(10)

    def restart(self):
        """Another nyand over what the last one left."""
        self.nyand = self.house.nyand()

    def close(self):
        """Ends it and takes the settings back."""
        if self.nyand.child.poll() is None:
            self.nyand.stop()
        self.settings.write_text(self.before)
        self.house.page("/_control", [{"cmd": "set", "rate-limit": 3}])
