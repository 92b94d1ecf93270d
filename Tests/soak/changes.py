#!/usr/bin/python3
"""A day of track changes and more, in minutes: what nyand holds must not grow, and afterwards it must rest.

24 hours are 411 tracks of three and a half minutes; 2,000 changes are five days. Local tracks, MP3 streams and playlists
in turn, refused and garbage ones among them, a second long each, changed by `next`, by their natural end and by a seek
near it; with covers, words, history and a scrobbling site that hears of it, a stream cache that is always full, first
beside downloads, with 64 descriptors for the whole daemon and two followers. Memory is watched once the downloads are
done: each leaves a row that is kept, and malloc's pools grow to the size they need.

The bound: its own memory (heap, stacks) may grow by 500 kB per 1,000 changes after the warm-up, by a line fitted to all that was seen.
A day then costs 200 kB at most, a year without a restart 75 MB; what forgets 500 bytes at each change is found. It cannot
be smaller: pages that malloc keeps move the line by some 200 kB from run to run. Descriptors and threads may not grow.
usage: changes.py [--changes 2000] [--downloads N] [--growth KB] [--seed N] [--programs DIR] [--keep DIR]
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, os.path.dirname(__file__))
from figures import KEPT, Figures  # noqa: E402
from house import Broken, House, TESTS  # noqa: E402
from sanitised import SANITIZER  # noqa: E402

FILES = 64
LASTING = ("descriptors", "threads")


class Watch(threading.Thread):
    """Looks all the while how many descriptors the daemon has open, and which."""

    def __init__(self, house):
        super().__init__(daemon=True)
        self.folder = f"/proc/{house.daemon.pid}/fd"
        self.most, self.what = 0, []

    def run(self):
        while True:
            try:
                names = os.listdir(self.folder)
                if len(names) > self.most:
                    self.what = [self.name(name) for name in names]
                    self.most = len(names)
            except OSError:
                return
            time.sleep(0.002)

    def name(self, number):
        try:
            return os.readlink(f"{self.folder}/{number}").split(":[")[0]
        except OSError:
            return "closed"


class Follower:
    """`status --follow`: counts how often another track became current, also between our looks."""

    def __init__(self, house):
        self.changes, self.last = 0, None
        self.program = subprocess.Popen(
            [house.programs + "/nyanctl", "status", "--follow", "--format", "{state} {queue} {title}"],
            env=house.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.stdout:
            track = line.split(" ", 1)[1]
            self.changes += track != self.last
            self.last = track


class Sites:
    """The look-alike of the scrobbling sites."""

    def __init__(self, house):
        self.program = subprocess.Popen(
            ["/usr/bin/python3", TESTS + "/scrobbleserver/scrobbleserver.py", "--die-with-parent"],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ready = json.loads(self.program.stdout.readline())
        site = f"[scrobble]\nlistenbrainz-url={self.ready['url']}\nlastfm-url={self.ready['lastfm-url']}"
        house.write_settings(f"parallel=3\n[cache]\nsize=150k\n{site}")

    def sign_in(self, house):
        status, _, errors = house.ctl("scrobble", "login", "listenbrainz", input=self.ready["token"])
        if status:
            raise Broken(f"scrobble login: {errors}")

    def requests(self):
        with urllib.request.urlopen(self.ready["url"] + "/_state", timeout=20) as answer:
            requests = json.load(answer)["requests"]
        return len([request for request in requests if request["path"] == "/1/submit-listens"])

    def end(self):
        self.program.send_signal(signal.SIGTERM)
        self.program.wait()


def prepare(house):
    """Tracks of every kind, in turn; returns their ids."""
    house.control(dict(cmd="set", **{"rate-limit": 0}))
    house.sign_in()
    # With albums, covers and words as they come.
    rows = [row["id"] for row in json.loads(house.ctl("--json", "profile")[1])]
    rows = [rows[0], rows[1], *rows[48:]]
    kinds = {"local": rows[:8], "direct": rows[8:20], "list": rows[20:28], "gone": rows[28:29], "garbage": rows[29:30]}
    long = rows[30]
    for kind, ids in kinds.items():
        hls = kind == "list"
        house.control(*[dict(cmd="track", id=id, media="second", hls=hls, duration=1) for id in ids])
    house.control(dict(cmd="track", id=long, media="long", duration=40))
    if house.ctl("sync")[0] or house.ctl("download", *kinds["local"], "--wait", limit=60)[0]:
        raise Broken("the tracks could not be prepared")
    house.control(*[dict(cmd="media-fault", fault="status", value=404, track=id) for id in kinds["gone"]])
    garbage = list(range(24000))
    house.control(*[dict(cmd="media-fault", fault="flip", at=garbage, track=id) for id in kinds["garbage"]])
    turns = zip(kinds["local"], kinds["direct"], kinds["list"])
    return [id for turn in turns for id in turn] + kinds["direct"][8:] + kinds["gone"] + kinds["garbage"] + [long]


class Long:
    """The one track that is long enough for a scrobbling site: now and then it is heard so long that it is told as playing, or
    that it counts."""

    def __init__(self, id):
        self.id, self.visits, self.last = id, 0, None

    def heard(self, status):
        id = status["track"] and status["track"]["id"]
        if id == self.id and self.last != id:
            self.visits += 1
            if self.visits % 3 == 1:
                time.sleep(21 if self.visits % 15 == 10 else 4)
        self.last = id


def change(house, dice, long):
    """One way to the next track."""
    draw = dice.random()
    if draw < 0.6:
        house.ctl("next")
        time.sleep(dice.choice([0, 0.02, 0.1, 0.3]))
    elif draw < 0.8:
        house.ctl("seek", "90%")
        time.sleep(0.2)
    else:
        time.sleep(0.6)
    if dice.random() < 0.05:
        house.ctl(*dice.choice([["lyrics"], ["history"], ["queue"], ["--json", "music"]]))
    status = house.status()
    if status["state"] in ("stopped", "paused"):
        house.ctl("play")
    long.heard(status)


def start_downloads(house, most):
    """Of the profile, all or so many."""
    if not most:
        return house.ctl("download", "--all")
    rows = [row["id"] for row in json.loads(house.ctl("--json", "profile")[1]) if not row["downloaded"]]
    return house.ctl("download", *rows[:most])


def is_downloading(house):
    rows = json.loads(house.ctl("--json", "downloads")[1])
    return any(row["state"] in ("waiting", "running") for row in rows)


def rest(house, what):
    """Five seconds without a wakeup; spare threads of the work before end after five."""
    if SANITIZER == "thread":
        return
    for _ in range(10):
        cpu, woken = house.cpu(), house.wakeups()
        time.sleep(5)
        cpu, woken = house.cpu() - cpu, house.wakeups() - woken
        if woken <= 2 and cpu <= 0.01:
            return
    raise Broken(f"{what}: {woken} wakeups and {cpu:.2f} s of processor time in five seconds")


def play(house, options, followers, long):
    """Through the changes; returns how many had been before figures count."""
    dice, end = random.Random(options.seed), None
    while end is None or followers[0].changes < end:
        change(house, dice, long)
        if house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {house.daemon.returncode}")
        changes = followers[0].changes
        if end is None and changes > options.changes // 10 and not is_downloading(house):
            end, start = changes + options.changes, changes
    # Where pools still find their size.
    return start + options.changes // 10


def rest_after(house):
    # Whatever is left of them: VK is asked three times a second at most.
    house.ctl("cancel", "--all")
    house.ctl("pause")
    house.until("it is paused", lambda: house.status()["state"] == "paused")
    rest(house, "paused")
    house.ctl("stop")
    rest(house, "stopped")


def run(house, options):
    began, sites = time.monotonic(), Sites(house)
    house.start()
    followers = [Follower(house), Follower(house)]
    figures = Figures(house, lambda: followers[0].changes)
    start = 0
    try:
        ids = prepare(house)
        sites.sign_in(house)
        house.ctl("repeat", "queue")
        house.ctl("play", *ids)
        watch = Watch(house)
        watch.start()
        start_downloads(house, options.downloads)
        start = play(house, options, followers, Long(ids[-1]))
        rows = [row for row in figures.rows if row["x"] >= start]
        figures.over.set()
        rest_after(house)
        heard, told = len(json.loads(house.ctl("--json", "history")[1])), sites.requests()
    finally:
        sites.end()
        for follower in followers:
            follower.program.kill()
        picture = figures.keep(options.keep, "soak-changes", "nyand through track changes", "track changes", start)
    quarter = max(1, len(rows) // 4)
    most = {key: [max(row[key] for row in part) for part in (rows[:quarter], rows[-quarter:])] for key in LASTING}
    per = {key: figures.grown(start, key)[0] * 1000 for key in ("anonymous", "pss", *LASTING)}
    line = (
        f"changes: seed {options.seed}, {rows[-1]['x']} changes ({rows[-1]['x'] / 411:.1f} days) in "
        f"{time.monotonic() - began:.0f} s, {heard} rows of history, {told} calls of the scrobbling site; per 1,000 changes "
        f"its own memory {per['anonymous']:+.0f} kB, PSS {per['pss']:+.0f} kB, from {rows[0]['anonymous']} to {rows[-1]['anonymous']} kB; "
        f"descriptors {most['descriptors'][0]} to {most['descriptors'][1]}, {watch.most} at most, "
        f"threads {most['threads'][0]} to {most['threads'][1]}; {picture}"
    )
    grown = [late - early for early, late in most.values()]
    if (per["anonymous"] > options.growth and not SANITIZER) or grown[0] > 4 or grown[1] > 6 or watch.most > FILES - 4:
        raise Broken(line + "\n  " + " ".join(sorted(watch.what)))
    if not told:
        raise Broken("the scrobbling site heard of nothing")
    print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--changes", type=int, default=2000)
    parser.add_argument("--downloads", type=int, help="tracks of the profile that are downloaded; all if not given")
    parser.add_argument("--growth", type=int, default=500, help="kB of memory that 1,000 changes may cost")
    parser.add_argument("--keep", default=KEPT, help="folder for figures and picture")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    house = House(options.programs, files=FILES)
    try:
        run(house, options)
        return 0
    except (Broken, subprocess.TimeoutExpired) as error:
        print(f"changes: {error}\n  " + "\n  ".join(house.said().splitlines()[-12:]))
        return 1
    finally:
        house.close()


if __name__ == "__main__":
    sys.exit(main())
