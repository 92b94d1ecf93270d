#!/usr/bin/python3
"""All cores busy, a sync of 10,000 tracks, eight downloads and clients that list: the sound must not stutter and nyand
must answer.

A sine is recorded from the sound server and looked through for jumps of its phase; the same question is asked every
20 ms, of nyand and, to tell its share from the machine's, of the bus itself.
usage: load.py [--seconds 30] [--tracks 10000] [--slowest MS] [--programs DIR]

Ends with 3 where nothing but a measure of time or sound was missed, which others on the machine may cause, too.
"""

import argparse
import array
import json
import math
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from bus import Bus  # noqa: E402
from house import Broken, House, NYAND, TESTS  # noqa: E402
from sanitised import PATIENCE  # noqa: E402

RATE, HERTZ, BLOCK = 44100, 1000, 441
# What each busy program gets of a core beside nyand alone.
ALONE = 0.5
ASK_BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")


class Missed(Broken):
    """A measure that was not met."""


def put_sine(house, id, seconds):
    """Plays from My Music: a file of the track, holding a sine now."""
    path = next(row["path"] for row in json.loads(house.ctl("--json", "music")[1]) if row["id"] == id)
    samples = array.array("h", (round(9000 * math.sin(2 * math.pi * HERTZ * n / RATE)) for n in range(RATE * seconds)))
    subprocess.run(
        ["lame", "--quiet", "-r", "-m", "m", "-s", "44.1", "-b", "128", "-", path],
        input=samples.tobytes(),
        check=True,
        stderr=subprocess.DEVNULL,
    )


def jumps(samples):
    """Seconds at which the sine jumps or is missing, from its first to its last block."""
    table = [(math.cos(2 * math.pi * HERTZ * n / RATE), math.sin(2 * math.pi * HERTZ * n / RATE)) for n in range(BLOCK)]
    found, last, loud = [], None, []
    for start in range(0, len(samples) - BLOCK, BLOCK):
        real = sum(value * turn[0] for value, turn in zip(samples[start : start + BLOCK], table))
        other = sum(value * turn[1] for value, turn in zip(samples[start : start + BLOCK], table))
        loud.append((math.hypot(real, other) * 2 / BLOCK, math.atan2(other, real), start / RATE))
    top = max(level for level, _, _ in loud)
    present = [index for index, block in enumerate(loud) if block[0] > top / 2]
    for level, phase, second in loud[present[0] + 2 : present[-1] - 1]:
        turn = 0 if last is None else abs((phase - last + math.pi) % (2 * math.pi) - math.pi)
        if level < top * 0.9 or turn > 0.1:
            found.append(round(second, 2))
        last = phase
    return found, (present[-1] - present[0]) * BLOCK / RATE


def ask(address, question, taken, over):
    """Asks every 20 ms."""
    bus = Bus(address)
    while not over.is_set():
        start = time.monotonic()
        taken.append(bus.call(*question))
        time.sleep(max(0, 0.02 - (time.monotonic() - start)))


def repeat(house, words, over):
    while not over.is_set():
        house.ctl(*words, limit=120)


def share(burners, seconds):
    """What part of a core each of those that take all they get has got."""
    taken = 0
    for burner in burners:
        with open(f"/proc/{burner.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        taken += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return taken / len(burners) / seconds


def run(house, options):
    house.control(dict(cmd="set", **{"rate-limit": 0}))
    house.control(dict(cmd="library-fill", count=options.tracks))
    house.start()
    house.sign_in()
    good = "123456_456239965"
    house.ctl("download", good, "--wait", limit=60)
    put_sine(house, good, int(options.seconds) + 10)
    house.control(dict(cmd="set", bandwidth=200_000))
    children, over, threads, nyand, bus = [], threading.Event(), [], [], []
    record = open(house.home + "/record", "w+b")
    children.append(
        subprocess.Popen(
            [
                "parec",
                "--raw",
                "--format=s16le",
                "--rate=44100",
                "--channels=1",
                "--latency-msec=50",
                "-d",
                "a.monitor",
            ],
            env=house.environment,
            stdout=record,
        )
    )
    try:
        house.ctl("play", good)
        house.until("the sine plays", lambda: house.status()["state"] == "playing")
        burning = time.monotonic()
        burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
        children += burners
        house.ctl("download", "--all", limit=60)
        for words in (["sync"], ["--json", "profile"]):
            threads.append(threading.Thread(target=repeat, args=(house, words, over)))
        for question, taken in ((NYAND, nyand), (ASK_BUS, bus)):
            threads.append(threading.Thread(target=ask, args=(house.address, question, taken, over)))
        for thread in threads:
            thread.start()
        end = time.monotonic() + options.seconds
        shuffled = 0
        while time.monotonic() < end:
            time.sleep(2)
            shuffled += 1
            house.control(dict(cmd="library-reorder", shuffle=shuffled))
        over.set()
        for thread in threads:
            thread.join()
        given = share(burners, time.monotonic() - burning)
        most = house.page("/_stats")["most-at-once"].get("mp3", 0)
    finally:
        over.set()
        for child in children:
            child.kill()
            child.wait()
    record.seek(0)
    found, heard = jumps(array.array("h", record.read()[: RATE * 2 * int(options.seconds + 5)]))
    nyand.sort(), bus.sort()
    part = [row[int(len(row) * 0.99)] * 1000 for row in (nyand, bus)]
    line = (
        f"load: {heard:.0f} s of sine, {len(found)} jumps; answers p99 {part[0]:.0f} ms, max {nyand[-1] * 1000:.0f} ms "
        f"(the bus itself {part[1]:.0f} and {bus[-1] * 1000:.0f} ms), {most} transfers at once, "
        f"{given:.0%} of a core for each busy program"
    )
    # Others beside us on this machine: answers take longer by so much, and the sound server itself may come too late.
    slower = max(1, ALONE / given)
    bearable = 0 if slower < 2 else 10 * slower
    if len(found) > bearable or heard < options.seconds * 0.9 or part[0] > options.slowest * slower * PATIENCE + part[1]:
        raise Missed(line + f"\n  jumps at {found[:20]}")
    print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--tracks", type=int, default=10_000)
    parser.add_argument("--slowest", type=float, default=100, help="ms that 99 of 100 answers may take beside the bus")
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    house = House(options.programs, sound="pulse", settings="parallel=8")
    try:
        run(house, options)
        return 0
    except (Broken, subprocess.TimeoutExpired) as error:
        print(f"load: {error}\n  " + "\n  ".join(house.said().splitlines()[-12:]))
        return 3 if isinstance(error, Missed) else 1
    finally:
        house.close()


if __name__ == "__main__":
    sys.exit(main())
