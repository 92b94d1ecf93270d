"""The figures of a client that says one thing and ends: `nyanctl status` beside what else asks a daemon something."""

import itertools
import os
import re
import shutil
import subprocess
import time

import library
from house import NYAND, PLACE, PLAYER, PROGRAMS, Missed
from table import Row

RUNS = 60


def client_words(house):
    """What each client is started with; those that are not installed are left out. mpc asks an mpd of its own."""
    property_call = ["org.freedesktop.DBus.Properties.Get", f"string:{PLAYER}", "string:PlaybackStatus"]
    words = {
        "nyanctl": [str(PROGRAMS / "nyanctl"), "status"],
        "busctl": ["busctl", "--user", "call", "org.nyantunes.Nyand", "/org/nyantunes/Nyand",
                   "org.nyantunes.Nyand1.Player", "GetStatus"],
        "playerctl": ["playerctl", "--player=nyand", "status"],
        "dbus-send": ["dbus-send", "--print-reply", f"--dest={NYAND}", PLACE, *property_call],
        "true": ["true"],
    }
    mpd = None
    if shutil.which("mpd") and shutil.which("mpc"):
        mpd = library.Mpd(house, [("Artist", f"Title {number}", 200) for number in range(3)])
        mpd.ask(house, "add", "/")
        words["mpc"] = ["mpc", "-h", str(mpd.socket), "status"]
    return {name: [shutil.which(line[0]), *line[1:]] for name, line in words.items() if shutil.which(line[0])}, mpd


def timed(house, words):
    """(wall, processor) milliseconds of one whole process, its output thrown away."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    begin = time.perf_counter_ns()
    pid = os.posix_spawn(words[0], words, house.environment, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
    _, status, used = os.wait4(pid, 0)
    end = time.perf_counter_ns()
    os.close(nowhere)
    if status:
        raise Missed(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return (end - begin) / 1e6, (used.ru_utime + used.ru_stime) * 1e3


def clients(house):
    """Whole client processes, spawn to exit, in turns that change their order."""
    words, mpd = client_words(house)
    orders = itertools.cycle(itertools.permutations(words))
    took, used = {name: [] for name in words}, {name: [] for name in words}
    for turn in range(RUNS + 3):
        for name in next(orders):
            wall, processor = timed(house, words[name])
            if turn >= 3:
                took[name].append(wall)
                used[name].append(processor)
    goals = {"busctl": 1, "playerctl": 0.75, "mpc": None, "dbus-send": 1, "true": None}
    for what, figures in (("nyanctl status, whole process", took), ("nyanctl status, processor time", used)):
        for name in (name for name in words if name != "nyanctl"):
            goal = goals[name] if figures is took else None
            yield Row(what, "ms", figures["nyanctl"], name, figures[name], goal=goal)
    yield from instructions(house, words)
    if mpd:
        mpd.stop()
    yield from messages(house)


def instructions(house, words):
    """Millions of instructions of each whole process, which do not depend on how busy the machine is."""
    if not shutil.which("valgrind"):
        yield Row("nyanctl status, instructions", "M", [], "", [], note="valgrind is not installed")
        return
    counted, bare = {}, str(house.home / "nyanctl")
    # valgrind 3.19 does not understand the line tables of Swift's compiler; the instructions are the same without.
    subprocess.run(["strip", "-g", "-o", bare, words["nyanctl"][0]], check=True, timeout=60)
    for name, line in {**words, "nyanctl": [bare, *words["nyanctl"][1:]]}.items():
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *line],
                              env=house.environment, capture_output=True, text=True, timeout=60)
        found = re.search(r"Collected : (\d+)", done.stderr)
        counted[name] = [int(found[1]) / 1e6] if found else []
    for name in (name for name in words if name not in ("nyanctl", "true")):
        yield Row("nyanctl status, instructions", "M", counted["nyanctl"], name, counted[name])


def messages(house):
    """What the bus has to carry for one `status`: Hello and the call, counted by a monitor. No time is in it."""
    monitor = house.spawn(["dbus-monitor", "--profile"], stdout=subprocess.PIPE)
    if not any(b"NameLost" in line for line in iter(monitor.stdout.readline, b"")):
        raise Missed("dbus-monitor said nothing")
    house.ctl("status")
    end = ["dbus-send", "/end", "org.example.Bench.End"]
    subprocess.run(end, env=house.environment, check=True, timeout=20)
    told = []
    for line in iter(monitor.stdout.readline, b""):
        fields = line.decode().split()
        if fields[-1:] == ["End"]:
            break
        told += [fields] if fields[0] == "mc" else []
    monitor.terminate()
    # The last Hello is that of dbus-send.
    yield Row("calls of one nyanctl status", "", [len(told) - 1], "", [], limit=2)
