"""How the counts of `bench/budgets` are taken. Each function yields (name, value); limits has a line for each name."""

import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import time

import clients
import figures
from house import HERE, NYAND, PLACE, PLAYER, PROGRAMS, House, Missed, wait

# Seconds over which wakeups are counted.
WATCHED = 5
# Turns of a property over which one call is told; the stop-watch makes a hundred more to warm up.
TURNS = 200
ASKED = TURNS + 100
ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}


@dataclasses.dataclass
class Counts:
    """What one process did from its start to its end, all threads together."""

    instructions: int
    allocations: int
    calls: int


class Counted:
    """A program under callgrind, which runs its threads one at a time: what it counts does not depend on the load. System
    calls are those valgrind sees; no ptrace is needed, which a container may forbid. `stays`: it lives until it is ended."""

    taken = 0

    def __init__(self, house, *words, stays=False):
        # Debian's own `valgrind` is a script that has the loader search one folder more.
        if not (valgrind := shutil.which("valgrind.bin") or shutil.which("valgrind")):
            raise Missed("no valgrind: scripts/install-deps test")
        Counted.taken += 1
        self.counts_file = house.home / f"callgrind.{Counted.taken}"
        self.log = house.home / f"valgrind.{Counted.taken}"
        self.words = list(map(str, words))
        options = ["--tool=callgrind", f"--callgrind-out-file={self.counts_file}", "--trace-syscalls=yes"]
        begin = ["env", f"LD_PRELOAD={suspend(house.tools)}"] if stays else []
        begin += [valgrind, *options, f"--log-file={self.log}"]
        self.child = house.spawn([*begin, *self.words], stdout=subprocess.DEVNULL)

    def ended(self, status=0):
        """Waits for its end and reads what it counted; None as the status when it is told to end by a signal."""
        if (code := self.child.wait(60)) != status and status is not None:
            raise Missed(f"{' '.join(self.words[:2])} under valgrind ended with {code}")
        return Counts(*read_callgrind(self.counts_file), read_calls(self.log))


def read_callgrind(path):
    """(instructions, allocations) of a callgrind file. Names are written once and then by number."""
    names, called, allocations, instructions = {}, "", 0, None
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith(("fn=", "cfn=")):
            number, _, name = line.partition("=")[2].partition(" ")
            called = names.setdefault(number, name) if name else names.get(number, "")
        elif line.startswith("calls=") and called.partition("'")[0] in ALLOCATORS:
            allocations += int(line[6:].split()[0])
        elif line.startswith("totals:"):
            instructions = int(line.split()[1])
    if not instructions:
        raise Missed(f"callgrind counted nothing ({path.name})")
    return instructions, allocations


def read_calls(path):
    """System calls in valgrind's log."""
    return len(re.findall(r"^SYSCALL\[\d+,\d+\]\( *\d+\) \w", path.read_text(errors="replace"), re.MULTILINE))


def suspend(folder):
    """What lets valgrind run a program that waits as libdispatch does; compiled when it is not there."""
    library, source = folder / "suspend.so", HERE / "suspend.c"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    return library


def stripped(house, program):
    """A copy of one of our programs without what Swift writes for debuggers, which valgrind cannot read."""
    copy = house.home / program
    if not copy.exists():
        subprocess.run(["strip", "--strip-debug", "-o", copy, PROGRAMS / program], check=True)
    return copy


def property_words(name):
    """dbus-send for one property: the least a client can ask."""
    ask = ["org.freedesktop.DBus.Properties.Get", f"string:{PLAYER}", "string:PlaybackStatus"]
    return [shutil.which("dbus-send"), "--print-reply", f"--dest={name}", PLACE, *ask]


# --- the client

def client(house):
    """One `status` beside dbus-send, and what each track of a listing adds."""
    nyanctl = stripped(house, "nyanctl")
    lines = [[nyanctl, "status"], property_words(NYAND), [nyanctl, "profile"]]
    begun = [Counted(house, *words) for words in lines]
    status, least, listing = (one.ended() for one in begun)
    yield "status: instructions", status.instructions
    yield "status: instructions, of dbus-send's", status.instructions / least.instructions
    yield "status: allocations", status.allocations
    yield "status: system calls", status.calls
    yield "status: system calls, of dbus-send's", status.calls / least.calls
    yield "status: calls over the bus", next(iter(clients.messages(house))).ours[0]
    rows = len(json.loads(house.ctl("--json", "profile")))
    yield "profile: instructions a track", (listing.instructions - status.instructions) / rows
    yield "profile: allocations a track", (listing.allocations - status.allocations) / rows
    yield "profile: system calls", listing.calls


# --- the daemon's start and its answers

def starts(settings_from):
    """nyand and the floor under callgrind in a world of their own, while the other one rests: what a life costs, and a call
    in it."""
    house = House(settings_from.tools)
    try:
        # The first one makes the state and GStreamer's registry.
        first = house.nyand()
        rest(first.pid)
        first.stop()
        nyand = stripped(house, "nyand")
        loader = Counted(house, nyand, "--version").ended()
        ours, asked = life(house, NYAND, [nyand]), life(house, NYAND, [nyand], TURNS)
        name = figures.FLOOR
        words = [house.tools / "floor", name, house.sink]
        floor, floor_asked = life(house, name, words), life(house, name, words, TURNS)
    finally:
        house.close()
    yield "nyand --version: instructions", loader.instructions
    yield "nyand's life: instructions", ours.instructions
    yield "nyand's life: instructions, of the floor's", ours.instructions / floor.instructions
    yield "nyand's life: allocations", ours.allocations
    yield "nyand's life: system calls", ours.calls
    a_call = (asked.instructions - ours.instructions) / ASKED
    least = (floor_asked.instructions - floor.instructions) / ASKED
    yield "Get PlaybackStatus: instructions", a_call
    yield "Get PlaybackStatus: instructions, of the floor's", a_call / least
    yield "Get PlaybackStatus: allocations", (asked.allocations - ours.allocations) / ASKED
    yield "Get PlaybackStatus: system calls", (asked.calls - ours.calls) / ASKED


def life(house, name, words, turns=0, then=None, within=30):
    """Starts a player, asks it `turns` times or does something with it, and ends it when it has come to rest, within so many
    seconds."""
    player = Counted(house, *words, stays=True)
    has = ["dbus-send", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"]

    def owned():
        answer = subprocess.run([*has, f"string:{name}"], env=house.environment, capture_output=True, timeout=20)
        return b"true" in answer.stdout

    wait(f"{name} under valgrind", owned, 40, 0.1)
    if turns:
        house.probe("turns", turns, name)
    if then:
        then()
    rest(player.child.pid, within)
    player.child.terminate()
    return player.ended(None)


# How long the sound is that `playing` gets, in seconds.
SOUND = 40
# Seconds within which it must be over under callgrind on a busy machine.
PLAYED = 180
# Instructions that its second time costs at least if it was played at all.
LEAST = 1_000_000


def playing(settings_from, sound):
    """What a second of an MP3 costs, in nyand and in playbin3: the difference of a life with it twice and one with it once.
    The output keeps no pace, so nothing is waited for, and what the clock costs is not in it."""
    house = House(settings_from.tools)
    try:
        conf = house.home / "config/nyand/nyand.conf"
        conf.write_text(re.sub(r"(?m)^sink=.*$", "sink=fakesink sync=false", conf.read_text()))
        files = [house.home / "once.mp3", house.home / "twice.mp3"]
        for times, file in enumerate(files, 1):
            file.write_bytes(times * pathlib.Path(sound).read_bytes())
        first = house.nyand()
        rest(first.pid)
        first.stop()
        nyand, floor = stripped(house, "nyand"), [house.tools / "floor", figures.FLOOR, "fakesink sync=false"]

        def open_there(file):
            house.call(figures.FLOOR, "OpenUri", f"string:{file.as_uri()}")
            house.call(figures.FLOOR, "Play")

        def play_here(file):
            house.ctl("play", str(file))

        # Nothing is asked while it plays, as each answer would count.
        ours = [life(house, NYAND, [nyand], then=lambda: play_here(file), within=PLAYED) for file in files]
        theirs = [life(house, figures.FLOOR, floor, then=lambda: open_there(file), within=PLAYED) for file in files]
    finally:
        house.close()
    more = [twice.instructions - once.instructions for once, twice in (ours, theirs)]
    for name, count in zip((NYAND, figures.FLOOR), more):
        if count <= LEAST:
            raise Missed(f"{name} played nothing under valgrind")
    a_second = [count / SOUND for count in more]
    yield "playing: instructions a second", a_second[0]
    yield "playing: instructions, of the floor's", a_second[0] / a_second[1]


def rest(pid, within=30):
    """Waits until every thread of a process has slept for half a second; one that waits for a processor does not sleep."""
    def worked():
        threads = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
        asleep = all((thread / "stat").read_text().rpartition(")")[2].split()[0] == "S" for thread in threads)
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) if asleep else None

    settled(worked, within=within)


# --- wakeups and memory

def wakeups(what, nyand, floor):
    """Wakeups a second; both are watched at once."""
    figures.REST = WATCHED
    ours, theirs = figures.wakeups([nyand.pid, floor.pid])
    yield f"{what}: wakeups a second", ours
    if what == "playing":
        yield "playing: wakeups, of the floor's", ours / theirs


def idle_memory(nyand):
    """What is the process's own, not mapped from a file; readable for everybody, as its smaps are not."""
    status = open(f"/proc/{nyand.pid}/status", encoding="ascii").read()
    yield "idle: anonymous memory, KiB", int(re.search(r"RssAnon:\s+(\d+)", status)[1])
    yield "idle: threads", int(re.search(r"Threads:\s+(\d+)", status)[1])


# --- what others hear

# What is done before, and the command whose signals are counted.
HEARD = {
    "pause": (["play"], ["pause"]),
    "next": (["play"], ["next"]),
    "volume": (["volume", "50"], ["volume", "60"]),
    "shuffle": (["shuffle", "off"], ["shuffle", "on"]),
    "stop": (["play"], ["stop"]),
}


def signals(house):
    """PropertiesChanged of the player for each command: one that needs two has every desktop draw twice. The fewer of two
    takes, as what came late belongs to the command before."""
    rule = f"type='signal',interface='org.freedesktop.DBus.Properties',path='{PLACE}'"
    heard = house.home / "signals"
    with open(heard, "wb") as file:
        monitor = house.spawn(["dbus-monitor", "--profile", rule], stdout=file)
        wait("dbus-monitor", lambda: b"NameLost" in heard.read_bytes(), 10)
        count = lambda: heard.read_bytes().count(b"PropertiesChanged")
        for name, (first, command) in HEARD.items():
            taken = []
            for _ in range(2):
                house.ctl(*first)
                before = settled(count, 3)
                house.ctl(*command)
                taken.append(settled(count, 3) - before)
            yield f"{name}: signals", min(taken)
        monitor.terminate()


def settled(count, still=5, within=30):
    """What was counted once it has stood still for `still` tenths of a second; None never does."""
    number, quiet, end = count(), 0, time.monotonic() + within
    while quiet < still:
        if time.monotonic() > end:
            raise Missed(f"no rest within {within} s")
        time.sleep(0.1)
        now = count()
        quiet, number = (quiet + 1 if now == number and now is not None else 0), now
    return number


# --- the network

def network(house):
    """Bytes and requests for a track that is played, downloaded and played again, once as MP3 and once as HLS."""
    before = house.page("/_stats")["requests"]
    for row in figures.fetched(house):
        kind = "HLS" if "HLS" in row.what else "MP3"
        yield f"fetched, {kind}: bytes, of its size", row.ratio
    after = house.page("/_stats")["requests"]
    for kind in sorted(after):
        if grown := after[kind] - before.get(kind, 0):
            yield f"fetched, both: requests for {kind}", grown
