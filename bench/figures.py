"""How each figure is taken. Every function returns rows for the table; README.md says what they mean."""

import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import time

from house import NYAND, PLACE, PLAYER, PROGRAMS, Missed, Running, wait
from table import Row

FLOOR = "org.mpris.MediaPlayer2.floor"
MPD = "org.mpris.MediaPlayer2.mpd"
STARTS, TURNS, PLAYS, REST = 15, 3000, 7, 10


def track(position):
    """The id of a row of the test scenario; 1 is the head."""
    return f"123456_{456240000 - position}"


# --- start

def mpd_words(house, samples=None):
    """The command line of mpd and mpDris2 together, or None when they are not installed. It plays into nothing, or with
    `samples` into a pipe of that name."""
    if not all(shutil.which(name) for name in ("mpd", "mpc", "mpDris2")):
        return None
    folder = house.home / "mpd"
    folder.mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "mpd.conf").write_text(
        f'music_directory "{folder}"\ndb_file "{folder}/db"\nbind_to_address "127.0.0.1"\nport "{port}"\n'
        f'auto_update "no"\nzeroconf_enabled "no"\nlog_file "{folder}/log"\n'
        + (f'audio_output {{\ntype "fifo"\nname "o"\npath "{samples}"\nformat "44100:16:2"\n}}\n' if samples else
           'audio_output {\ntype "null"\nname "o"\nmixer_type "null"\n}\n')
    )
    settings = house.home / "config/mpDris2"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "mpDris2.conf").write_text(f"[Connection]\nhost = 127.0.0.1\nport = {port}\n[Bling]\nnotify = False\n")
    script = (
        f"mpd --no-daemon {folder}/mpd.conf &"
        f" until mpc -q -p {port} version; do sleep 0.002; done >/dev/null 2>&1; exec mpDris2"
    )
    return ["/bin/sh", "-c", script]


def start(house):
    """exec → the bus name is owned → PlaybackStatus is answered."""
    mpd = mpd_words(house)
    begin = {
        "nyand": house.nyand,
        "bare": lambda: house.floor("bare", "floor-silent"),
        "floor": house.floor,
        "mpd": lambda: Running(house, MPD, mpd),
    }
    took = {name: [] for name in begin}
    owned = []
    for turn in range(STARTS + 1):
        for name, run in begin.items():
            if name == "mpd" and (mpd is None or turn % 4):
                continue
            player = run()
            if turn:  # the first round warms the page cache and GStreamer's registry
                took[name].append(player.answered)
                owned += [player.owned] if name == "nyand" else []
            player.stop()
    what = "exec → answers on the bus"
    yield Row(what, "ms", took["nyand"], "libdbus alone", took["bare"], goal=2)
    yield Row("", "ms", took["nyand"], "playbin3 + libdbus", took["floor"], goal=1)
    if took["mpd"]:
        yield Row("", "ms", took["nyand"], "mpd + mpDris2", took["mpd"], goal=0.1)
    yield Row("exec → bus name owned", "ms", owned, "libdbus alone", took["bare"], goal=2)


# --- memory and wakeups

def memory(leader):
    """(resident, proportional, private) MiB of a process and the rest of its group."""
    found = [0, 0, 0]
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or os.getpgid(int(entry.name)) != leader:
                continue
            lines = (entry / "smaps_rollup").read_text().splitlines()[1:]
        except OSError:
            continue
        for name, size in (line.split()[:2] for line in lines):
            place = {"Rss:": 0, "Pss:": 1, "Private_Clean:": 2, "Private_Dirty:": 2}.get(name)
            if place is not None:
                found[place] += int(size) / 1024
    return found


def switches(pid):
    """Voluntary context switches of every thread so far: how often it went back to sleep."""
    found = {}
    for entry in pathlib.Path(f"/proc/{pid}/task").iterdir():
        lines = (entry / "status").read_text().splitlines()
        found[entry.name] = sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt"))
    return found


def wakeups(pids):
    """Wakeups per second of each process over ten seconds, all watched at once."""
    before = [switches(pid) for pid in pids]
    time.sleep(REST)
    after = [switches(pid) for pid in pids]
    return [sum(now[tid] - then.get(tid, 0) for tid in now) / REST for then, now in zip(before, after)]


def idle_memory(house, nyand):
    """nyand signed in, its library read, GStreamer up, nothing played yet. Each peer is measured while it is the only
    one of its kind: what two processes map together would count half."""
    time.sleep(1)
    ours = memory(nyand.pid)
    peers = {"playbin3 + libdbus": house.floor}
    if mpd := mpd_words(house):
        peers["mpd + mpDris2"] = lambda: Running(house, MPD, mpd)
    nyand.stop()
    theirs = {}
    for name, run in peers.items():
        player = run()
        time.sleep(1.5)
        theirs[name] = memory(player.pid)
        player.stop()
    return [*memory_rows("idle memory", ours, theirs, 1.2)]


def memory_rows(what, ours, theirs, goal):
    """Proportional first, then resident; private in the notes of the row."""
    for name, sizes in theirs.items():
        mpd = name.startswith("mpd")
        yield Row(f"{what}, PSS", "MiB", [ours[1]], name, [sizes[1]], goal=1 if mpd else goal)
        if not mpd:
            yield Row(f"{what}, RSS", "MiB", [ours[0]], name, [sizes[0]])
            yield Row(f"{what}, private", "MiB", [ours[2]], name, [sizes[2]])


def rest(what, nyand, floor):
    """Wakeups while nothing is to be done."""
    ours, theirs = wakeups([nyand.pid, floor.pid])
    return [Row(f"{what} wakeups", "/s", [ours], "playbin3 + libdbus", [theirs], limit=0.1)]


# --- calls

def calls(house):
    """Round trip of a property, against the bus's own answer on the same connection."""
    columns = list(zip(*house.probe("turns", TURNS, FLOOR, NYAND)))
    bus, floor, ours = ([1000 * value for value in column] for column in columns)
    middle = [[statistics.median(column)] for column in (ours, bus, floor)]
    yield Row("Get PlaybackStatus, median", "µs", middle[0], "the bus's GetId", middle[1])
    yield Row("", "µs", middle[0], "Get of the floor", middle[2], goal=1.2)
    ninety_nine = [sorted(column)[len(column) * 99 // 100] for column in (ours, bus, floor)]
    yield Row("Get PlaybackStatus, p99", "µs", ninety_nine[:1], "the bus's GetId", ninety_nine[1:2])
    yield Row("", "µs", ninety_nine[:1], "Get of the floor", ninety_nine[2:], goal=1.5)


# --- play → sound

def sound(house, name, times, prepare):
    """Milliseconds from Play to the first bytes in the sink; the first try (plugins load) stands apart."""
    found = []
    for turn in range(times + 1):
        house.call(name, "Stop")
        prepare(turn)
        time.sleep(0.5 if name == NYAND else 0.1)
        found.append(house.probe("play", name, house.pcm, 10)[0][1])
        time.sleep(0.15)
    house.call(name, "Stop")
    return found


def first_sound(house):
    """Play → first sample: a finished download, an MP3 stream, an HLS stream. A stream is never met twice."""

    def queue(ids):
        def prepare(turn):
            house.ctl("queue", "clear")
            house.ctl("queue", "add", ids[turn])

        return prepare

    def name_sound(addresses):
        return lambda turn: house.call(FLOOR, "OpenUri", f"string:{addresses(turn)}")

    long = track(35)
    house.ctl("download", long, "--wait")
    file = next(row["path"] for row in json.loads(house.ctl("--json", "music")) if row["id"] == long)
    mp3 = [track(54 + 6 * n) for n in range(PLAYS + 1)]
    hls = [track(56 + 6 * n) for n in range(PLAYS + 1)]
    kinds = (
        ("a local file", [long] * (PLAYS + 1), lambda turn: pathlib.Path(file).as_uri(), 10),
        ("an MP3 stream", mp3, lambda turn: house.address(mp3[turn]), None),
        ("an HLS stream", hls, lambda turn: house.address(hls[turn]), None),
    )
    for what, ids, addresses, limit in kinds:
        ours = sound(house, NYAND, PLAYS, queue(ids))
        try:
            theirs = sound(house, FLOOR, PLAYS, name_sound(addresses))
        except Missed:
            theirs = []  # this GStreamer has no HLS
        yield Row(f"play → sound, {what}", "ms", ours[1:], "playbin3, address known", theirs[1:], goal=1, limit=limit)
        if limit:
            yield Row(f"play → sound, {what}, first of all", "ms", ours[:1], "playbin3", theirs[:1], goal=1)


# --- bytes

def fetched(house):
    """Bytes the look-alike sent for one track that is played, downloaded and played again, against its size."""
    for what, one, is_file in (("an MP3", track(150), True), ("an HLS stream", track(152), False)):
        play_for(house, one)
        once = wait("it is fetched", lambda one=one: settled(house, one), 15)
        house.call(NYAND, "Stop")
        house.ctl("download", one, "--wait")
        play_for(house, one)
        house.call(NYAND, "Stop")
        total = house.page("/_stats")["sent"][one]
        # What a stream weighs with its list and its key is what it weighed the first time.
        size = house.page(f"/_expected/{one}")["file-bytes"] if is_file else once
        peer = "the file's size" if is_file else "fetched once"
        yield Row(f"fetched: {what} played, downloaded, played", "kB", [total / 1000], peer, [size / 1000], goal=1)


def play_for(house, one):
    """Plays a track for a second."""
    house.ctl("queue", "clear")
    house.ctl("play", one)
    time.sleep(1)


def settled(house, one):
    """How many bytes were sent for a track, once no more follow."""
    count = house.page("/_stats")["sent"].get(one, 0)
    time.sleep(0.3)
    return count if count and count == house.page("/_stats")["sent"].get(one, 0) else 0


# --- playing

def group_of(leader):
    """The processes of a player: its process group."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getpgid(int(entry.name)) == leader:
                yield entry
        except OSError:
            continue


def run_time(leader):
    """Nanoseconds all threads of a player have run so far."""
    found = 0
    for entry in group_of(leader):
        for task in (entry / "task").glob("*/schedstat"):
            found += int(task.read_text().split()[0])
    return found


def at_work(leader):
    """(ms of CPU a second, PSS MiB) of a player over ten seconds."""
    before = run_time(leader)
    time.sleep(REST)
    return (run_time(leader) - before) / 1e6 / REST, memory(leader)[1]


def playing(house):
    """CPU and memory while a finished download of 40 s plays, one player at a time."""
    nyand = house.nyand()
    long = track(35)
    house.ctl("download", long, "--wait")
    file = next(row["path"] for row in json.loads(house.ctl("--json", "music")) if row["id"] == long)
    house.ctl("play", long)
    time.sleep(3)
    ours = at_work(nyand.pid)
    nyand.stop()
    theirs = {}
    floor = house.floor()
    house.call(FLOOR, "OpenUri", f"string:{pathlib.Path(file).as_uri()}")
    house.call(FLOOR, "Play")
    time.sleep(3)
    theirs["playbin3 + libdbus"] = at_work(floor.pid)
    floor.stop()
    if words := mpd_words(house):
        shutil.copy(file, house.home / "mpd/tone.mp3")
        mpd = Running(house, MPD, words)
        port = re.search(r'port "(\d+)"', (house.home / "mpd/mpd.conf").read_text())[1]
        for line in (["update", "--wait"], ["add", "tone.mp3"], ["play"]):
            subprocess.run(["mpc", "-q", "-p", port, *line], check=True, env=house.environment, timeout=20)
        time.sleep(3)
        theirs["mpd + mpDris2"] = at_work(mpd.pid)
        mpd.stop()
    for name, (cpu, size) in theirs.items():
        mpd = name.startswith("mpd")
        yield Row("playing a local MP3, CPU", "ms/s", [ours[0]], name, [cpu], goal=None if mpd else 1.1)
        yield Row("playing a local MP3, PSS", "MiB", [ours[1]], name, [size], goal=1 if mpd else None)


# --- paused

def paused(house, nyand, floor):
    """Both play the same long track, then pause: wakeups and memory once all is quiet."""
    long = track(35)
    house.call(FLOOR, "OpenUri", f"string:{house.address(long)}")
    house.call(FLOOR, "Play")
    house.ctl("queue", "clear")
    house.ctl("play", long)
    time.sleep(1.5)
    for player in (NYAND, FLOOR):
        house.call(player, "Pause")
    wait("nyand pauses", lambda: house.state() == "paused")
    # After ten seconds of pause nyand gives the output back, which takes a few wakeups once.
    time.sleep(13)
    rows = rest("paused", nyand, floor)
    ours = memory(nyand.pid)
    nyand.stop()
    theirs = memory(floor.pid)
    return [*rows, *memory_rows("memory after all this, paused", ours, {"playbin3 + libdbus": theirs}, 1.3)]
