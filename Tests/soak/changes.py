#!/usr/bin/python3
"""Thousands of track changes with failures among them: what nyand holds must not grow.

Short sounds, local ones, streams, playlists, refused and garbage tracks, changed by `next`, by their natural end and by
a seek to the end, with 64 descriptors for the whole daemon.
usage: changes.py [--changes 2000] [--seed N] [--programs DIR]
"""
import argparse
import os
import random
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from house import Broken, House, TESTS  # noqa: E402

BYTES_PER_TRACK = 2000


class Peak(threading.Thread):
    """Looks all the while how many descriptors the daemon has open."""

    def __init__(self, house):
        super().__init__(daemon=True)
        self.house, self.most, self.what, self.over = house, 0, [], False

    def run(self):
        folder = f"/proc/{self.house.daemon.pid}/fd"
        while not self.over:
            try:
                names = os.listdir(folder)
                if len(names) > self.most:
                    what = []
                    for name in names:
                        try:
                            what.append(os.readlink(f"{folder}/{name}").split(":[")[0])
                        except OSError:
                            pass
                    self.most, self.what = len(names), what
            except OSError:
                return
            time.sleep(0.002)


def prepare(house):
    """Tracks of every kind; returns their ids in an order that mixes them."""
    house.sign_in()
    add = dict(cmd="library-add", artist="S", media="second")
    local = house.control({**add, "title": "local", "hls": False, "count": 3})["ids"]
    direct = house.control({**add, "title": "direct", "hls": False, "count": 6})["ids"]
    playlist = house.control({**add, "title": "list", "hls": True, "count": 4})["ids"]
    gone = house.control({**add, "title": "gone", "hls": False, "count": 2})["ids"]
    garbage = house.control({**add, "title": "garbage", "hls": False, "count": 1})["ids"]
    if house.ctl("sync")[0] or house.ctl("download", *local, "--wait", limit=60)[0]:
        raise Broken("the tracks could not be prepared")
    house.control(*[dict(cmd="media-fault", fault="status", value=404, track=id) for id in gone])
    house.control(*[dict(cmd="media-fault", fault="flip", at=list(range(24000)), track=id) for id in garbage])
    house.control(dict(cmd="set", **{"rate-limit": 0}))
    ids = local + direct + playlist + gone + garbage
    random.Random(7).shuffle(ids)
    return ids


def slope(points):
    """kB per change, by least squares."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0


def change(house, dice):
    """One way to the next track."""
    draw = dice.random()
    if draw < 0.5:
        house.ctl("next")
        time.sleep(dice.choice([0, 0.02, 0.1, 0.3]))
    elif draw < 0.75:
        house.ctl("seek", "95%")
        time.sleep(0.15)
    else:
        time.sleep(0.5)
    state = house.status()["state"]
    if state in ("stopped", "paused"):
        house.ctl("play")


def run(house, options):
    dice = random.Random(options.seed)
    house.start()
    followers = [
        subprocess.Popen(
            [options.programs + "/nyanctl", "status", "--follow", "--json"], env=house.environment,
            stdout=subprocess.PIPE) for _ in range(2)]
    lines = []
    threading.Thread(target=lambda: [lines.append(line) for line in followers[0].stdout], daemon=True).start()
    threading.Thread(target=lambda: [None for _ in followers[1].stdout], daemon=True).start()
    ids = prepare(house)
    house.ctl("repeat", "queue")
    house.ctl("play", *ids)
    peak = Peak(house)
    peak.start()
    # Three downloads at once beside all the rest.
    house.ctl("download", "--all")
    points, changes, last, start, first = [], 0, None, time.monotonic(), None
    while changes < options.changes:
        change(house, dice)
        # The follower sees every change of the current track, also those between our looks.
        while lines:
            found = lines.pop(0).split(b'"position":')
            mark = lines and None or found
            changes += 1 if mark != last else 0
            last = mark
        memory, descriptors, threads = house.figures()
        if changes > options.changes // 10:
            first = first or (changes, memory, descriptors, threads)
            points.append((changes, memory))
        if house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {house.daemon.returncode}")
    return points, peak, first, followers, time.monotonic() - start
