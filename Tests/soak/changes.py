#!/usr/bin/python3
"""Thousands of track changes with failures among them: what nyand holds must not grow, and afterwards it must rest.

Short sounds, local ones, streams, playlists, refused and garbage tracks, changed by `next`, by their natural end and by
a seek near it, first beside downloads, with 64 descriptors for the whole daemon and two followers. Memory is watched
once the downloads are done: each leaves a row that is kept, and malloc's pools grow to the size they need.
usage: changes.py [--changes 2000] [--downloads N] [--seed N] [--programs DIR]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from house import Broken, House, TESTS  # noqa: E402

FILES = 64


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


def prepare(house):
    """Tracks of every kind; returns their ids, mixed."""
    house.control(dict(cmd="set", **{"rate-limit": 0}))
    house.sign_in()

    def add(title, count, hls=False):
        wish = dict(cmd="library-add", artist=f"S {title}", title=title, media="second", hls=hls, count=count)
        return house.control(wish)["ids"]

    local, direct, playlist, gone, garbage = (
        add("local", 4),
        add("direct", 6),
        add("list", 4, True),
        add("gone", 1),
        add("garbage", 1),
    )
    if house.ctl("sync")[0] or house.ctl("download", *local, "--wait", limit=60)[0]:
        raise Broken("the tracks could not be prepared")
    house.control(*[dict(cmd="media-fault", fault="status", value=404, track=id) for id in gone])
    house.control(*[dict(cmd="media-fault", fault="flip", at=list(range(24000)), track=id) for id in garbage])
    ids = local + direct + playlist + gone + garbage
    random.Random(7).shuffle(ids)
    return ids


def slope(points):
    """Least squares."""
    count = len(points)
    middle_x, middle_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0


def change(house, dice):
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
    if house.status()["state"] in ("stopped", "paused"):
        house.ctl("play")


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
    for _ in range(10):
        cpu, woken = house.cpu(), house.wakeups()
        time.sleep(5)
        cpu, woken = house.cpu() - cpu, house.wakeups() - woken
        if woken <= 2 and cpu <= 0.01:
            return
    raise Broken(f"{what}: {woken} wakeups and {cpu:.2f} s of processor time in five seconds")


def run(house, options):
    dice, start = random.Random(options.seed), time.monotonic()
    house.start()
    followers = [Follower(house), Follower(house)]
    ids = prepare(house)
    house.ctl("repeat", "queue")
    house.ctl("play", *ids)
    watch = Watch(house)
    watch.start()
    start_downloads(house, options.downloads)
    points, end = [], None
    while end is None or followers[0].changes < end:
        change(house, dice)
        if house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {house.daemon.returncode}")
        changes = followers[0].changes
        if end is None and changes > options.changes // 10 and not is_downloading(house):
            end = changes + options.changes
        if end is not None:
            points.append((changes, *house.figures()))
    quarter = max(1, len(points) // 4)
    early, late = points[:quarter], points[-quarter:]
    growth = slope([(changes, memory) for changes, memory, _, _ in points]) * 1024
    # Whatever is left of them: VK is asked three times a second at most.
    house.ctl("cancel", "--all")
    house.ctl("pause")
    house.until("it is paused", lambda: house.status()["state"] == "paused")
    rest(house, "paused")
    house.ctl("stop")
    rest(house, "stopped")
    for follower in followers:
        follower.program.kill()
    counts = [max(point[part] for point in row) for part in (2, 3) for row in (early, late)]
    line = (
        f"changes: seed {options.seed}, {points[-1][0] - points[0][0]} changes in {time.monotonic() - start:.0f} s, "
        f"{growth:+.0f} bytes a change, {points[0][1]} to {points[-1][1]} kB, descriptors {counts[0]} to {counts[1]}, "
        f"{watch.most} at most, threads {counts[2]} to {counts[3]}"
    )
    if growth > options.growth or counts[1] > counts[0] + 4 or counts[3] > counts[2] + 6 or watch.most > FILES - 4:
        raise Broken(line + "\n  " + " ".join(sorted(watch.what)))
    print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--changes", type=int, default=2000)
    parser.add_argument("--downloads", type=int, help="tracks of the profile that are downloaded; all if not given")
    parser.add_argument("--growth", type=int, default=2048, help="bytes of memory a change may cost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    house = House(options.programs, files=FILES, settings="parallel=3")
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
