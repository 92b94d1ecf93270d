"""The figures of a large library: reading it from VK, and what listing, filtering, starting and memory become as it
grows, beside mpd with one of the same size."""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import time
import wave

from figures import MPD
from house import PROGRAMS, Missed, Running, wait
from table import Row

ROUNDS, SERVED, STARTS = 21, 20, 5
SIZES = (1_000, 10_000, 100_000)


def processor_time(pid):
    """Seconds of processor time a process has used."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident(pid):
    """MiB of a process in memory, a moment after it was last busy."""
    time.sleep(1.5)
    lines = open(f"/proc/{pid}/status").read().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def most_in_a_second(house):
    """The most API calls that arrived within any one second."""
    times = sorted(entry["time"] for entry in house.page("/_log?kind=api"))
    return max(sum(1 for other in times if at <= other < at + 1) for at in times)


def sync(house, nyand):
    """10,000 tracks from nothing with pacing off, then again with nothing changed."""
    house.page("/_control", [{"cmd": "library-fill", "count": 10000}])
    settings = house.home / "config/nyand/nyand.conf"
    settings.write_text(settings.read_text().replace("[vk]", "[vk]\nmin-interval-ms=0"))
    house.ctl("reload")
    house.page("/_control", [{"cmd": "clear-log"}])
    took, used = [], []
    for _ in range(2):
        begin, before = time.perf_counter(), processor_time(nyand.pid)
        house.ctl("sync")
        took.append(time.perf_counter() - begin)
        used.append((processor_time(nyand.pid) - before) * 1e3)
    calls = len(house.page("/_log?kind=api")) / 2
    # Nothing can be quicker than the calls at three a second.
    floor = [(calls - 3) / 3]
    yield Row("sync of 10,000, pacing off", "s", [took[0]], "its calls at 3 a second", floor, goal=1.1)
    yield Row("sync of 10,000 again, nothing changed", "s", [took[1]], "its calls at 3 a second", floor, goal=1.1)
    yield Row("sync of 10,000, processor time", "ms", [used[0]], "", [], limit=3000)
    yield Row("sync of 10,000 again, processor time", "ms", [used[1]], "", [])
    yield Row("sync, calls in any second, most", "", [most_in_a_second(house)], "", [], limit=3)
    yield Row("sync, resident after both", "MiB", [resident(nyand.pid)], "", [])


def sized(house, nyand, count):
    """Stops nyand, gives its profile so many rows, and starts it again: VK itself ends at 10,000."""
    nyand.stop()
    file, whole = house.home / "data/nyand/library.db", house.home / "library-of-10000.db"
    if not whole.exists():  # what was read from VK; every size is made from it
        at_once(file, "VACUUM INTO ?", str(whole))
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    shutil.copyfile(whole, file)
    have = at_once(file, "SELECT count(*) FROM profile")
    if count < have:
        at_once(file, "DELETE FROM profile WHERE position NOT IN (SELECT position FROM profile ORDER BY position LIMIT ?)",
                count)
    elif count > have:
        grow(file, count)
    return house.nyand()


def at_once(file, words, *values):
    """One statement on a database nobody else has open; the first value it answers."""
    library = sqlite3.connect(file, isolation_level=None)
    try:
        row = library.execute(words, values).fetchone()
        return row[0] if row else None
    finally:
        library.close()


def grow(file, count):
    """Writes further rows behind the profile."""
    library = sqlite3.connect(file, isolation_level=None)
    have = library.execute("SELECT count(*) FROM profile").fetchone()[0]
    first = library.execute("SELECT max(id) FROM tracks").fetchone()[0] + 1
    lowest = library.execute("SELECT min(position) FROM profile").fetchone()[0]
    # Not every number is a track: some were taken off again.
    library.execute("CREATE TEMP TABLE song AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, artist, title, album,"
                    " duration, folded FROM tracks ORDER BY id LIMIT 10000")
    library.execute("CREATE INDEX temp.song_n ON song (n)")
    songs = library.execute("SELECT count(*) FROM song").fetchone()[0]
    library.execute("BEGIN")
    # Only what tells them apart: the songs are the first ten thousand over and over.
    library.execute(
        "INSERT INTO tracks (id, owner, audio, artist, title, album, duration, available, explicit, folded)"
        " WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)"
        " SELECT ?2 + i, 55, i + 1, s.artist, s.title || ' ' || i, s.album, s.duration, 1, 0, s.folded || ' ' || i"
        " FROM n JOIN song s ON s.n = i % ?3", (count - have, first, songs))
    library.execute(
        "INSERT INTO profile (position, track) SELECT ?1 - 1 - (id - ?2), id FROM tracks WHERE id >= ?2",
        (lowest, first))
    library.execute("COMMIT")
    library.close()


def songs(house):
    """(artist, title, seconds) of every row of the profile."""
    return [(t["artist"], t["title"], t["duration"] or 1) for t in json.loads(house.ctl("--json", "profile"))]


class Mpd:
    """mpd with a database file of these songs; nothing of them is on the disk."""

    def __init__(self, house, rows):
        folder = house.home / f"mpd-{len(rows)}"
        (folder / "m").mkdir(parents=True)
        self.socket = folder / "socket"
        self.folder = folder
        (folder / "mpd.conf").write_text(
            f'music_directory "{folder}/m"\ndb_file "{folder}/db"\nbind_to_address "{self.socket}"\n'
            f'auto_update "no"\nzeroconf_enabled "no"\nlog_file "{folder}/log"\nmax_output_buffer_size "262144"\n'
            'filesystem_charset "UTF-8"\naudio_output {\ntype "null"\nname "o"\nmixer_type "null"\n}\n')
        lines = self.header(house, folder)
        for start in range(0, len(rows), 100):  # a folder is searched from its begin for every song that is put into it
            name = f"{start:06}"
            lines += [f"directory: {name}", "mtime: 1700000000", f"begin: {name}"]
            for number, (artist, title, seconds) in enumerate(rows[start:start + 100], start):
                clean = [text.replace("\n", " ").replace("\r", " ") for text in (artist, title)]
                lines += [f"song_begin: {number:06}.mp3", f"Time: {seconds}.000", f"Artist: {clean[0]}",
                          f"Title: {clean[1]}", "mtime: 1700000000", "song_end"]
            lines += [f"end: {name}"]
        (folder / "db").write_text("\n".join(lines) + "\n")
        self.start(house, folder)
        found = len(self.ask(house, "listall").splitlines())
        if found != len(rows):
            raise Missed(f"mpd has {found} of {len(rows)} songs")

    def start(self, house, folder):
        """Starts it, and waits until it answers."""
        self.log = folder / "log"
        self.socket.unlink(missing_ok=True)
        self.child = house.spawn(["mpd", "--no-daemon", str(folder / "mpd.conf")])
        wait("mpd", self.socket.exists, 20)

    def header(self, house, folder):
        """The lines in front of the songs, which name what this mpd was built for: from a database it makes itself."""
        with wave.open(str(folder / "m/one.wav"), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(bytes(16000))
        self.start(house, folder)
        self.ask(house, "--wait", "update")
        self.stop()
        (folder / "m/one.wav").unlink()
        made = (folder / "db").read_bytes()
        text = (gzip.decompress(made) if made[:2] == b"\x1f\x8b" else made).decode()
        return text[:text.index("info_end")].splitlines() + ["info_end"]

    def words(self, *words):
        """mpc with these words; `-f` gives what nyanctl shows."""
        return ["mpc", "-h", str(self.socket), "-f", "[%artist% - ]%title%  %time%", *words]

    def ask(self, house, *words):
        """What mpc prints."""
        done = subprocess.run(self.words(*words), env=house.environment, capture_output=True, text=True, timeout=90)
        if done.returncode:
            raise Missed(f"mpc {words[0]}: {done.stderr.strip()[-100:]}")
        return done.stdout

    def stop(self):
        """Ends it."""
        self.child.terminate()
        self.child.wait(10)

    def whole(self, house):
        """The words that start mpd over this library, and mpDris2 as soon as it answers."""
        settings = house.home / "config/mpDris2"
        settings.mkdir(parents=True, exist_ok=True)
        (settings / "mpDris2.conf").write_text(f"[Connection]\nhost = {self.socket}\n[Bling]\nnotify = False\n")
        return ["/bin/sh", "-c", f"mpd --no-daemon {self.folder}/mpd.conf & until mpc -q -h {self.socket} version;"
                " do sleep 0.002; done >/dev/null 2>&1; exec mpDris2"]


class Turns:
    """Each command by turns, so that a busy machine is busy for all: milliseconds, and processor time of the client."""

    def __init__(self, house, commands):
        self.took = {name: [] for name in commands}
        self.used = {name: [] for name in commands}
        nowhere = os.open(os.devnull, os.O_WRONLY)
        actions = [(os.POSIX_SPAWN_DUP2, nowhere, 1), (os.POSIX_SPAWN_DUP2, nowhere, 2)]
        for turn in range(ROUNDS):
            for name, words in commands.items():
                begin = time.perf_counter()
                pid = os.posix_spawn(shutil.which(words[0]), words, house.environment, file_actions=actions)
                used = os.wait4(pid, 0)[2]
                if turn:
                    self.took[name].append((time.perf_counter() - begin) * 1e3)
                    self.used[name].append((used.ru_utime + used.ru_stime) * 1e3)
        os.close(nowhere)


def serving(house, pids, words):
    """Milliseconds of processor time that these processes spend on one run of a client, from twenty."""
    before = [processor_time(pid) for pid in pids]
    for _ in range(SERVED):
        subprocess.run(words, env=house.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    return [sum(processor_time(pid) - then for pid, then in zip(pids, before)) / SERVED * 1e3]


def starts(house, nyand, mpd):
    """exec → answers on the bus of both over their libraries, in turns. Returns (nyand's, mpd's, the running nyand)."""
    ours, theirs = [], []
    whole = mpd and shutil.which("mpDris2") and mpd.whole(house)
    for _ in range(STARTS):
        nyand.stop()
        nyand = house.nyand()
        ours.append(nyand.answered)
        if whole:
            mpd.socket.unlink(missing_ok=True)
            try:
                player = Running(house, MPD, whole)
                theirs.append(player.answered)
                player.stop()
            except Missed:
                whole = None
    return ours, theirs, nyand


def listing(house, nyand):
    """Each size in turn: `nyanctl profile` and a filter against `mpc listall` and `mpc search`; start; memory."""
    for count in SIZES:
        nyand = sized(house, nyand, count)
        rows, mpd, why = songs(house), None, ""
        before = len(house.children)
        try:
            if lacks := [name for name in ("mpd", "mpc") if not shutil.which(name)]:
                raise Missed(f"not installed: {', '.join(lacks)}")
            mpd = Mpd(house, rows)
        except (Missed, OSError, ValueError, subprocess.SubprocessError) as missed:
            house.end(house.children[before:])
            why = f"mpd did not take this library: {missed!s:.80}"
        yield from of_size(house, nyand, mpd, rows, why)
        if mpd:
            mpd.stop()
        ours, theirs, nyand = starts(house, nyand, mpd)
        yield Row(f"start with {len(rows):,}", "ms", ours, "mpd + mpDris2", theirs, goal=1, note=why,
                  curve="start, exec → answers on the bus", x=len(rows))
    nyand.stop()


def of_size(house, nyand, mpd, rows, why):
    """Listing, filtering and memory of one size; without mpd its cells stay empty."""
    nyanctl, count = str(PROGRAMS / "nyanctl"), f"{len(rows):,}"
    word = sorted(rows[len(rows) // 2][1].split(), key=len)[-1]
    commands = {"list": [nyanctl, "profile"], "JSON": [nyanctl, "--json", "profile"], "filter": [nyanctl, "profile", word]}
    if mpd:
        commands |= {"mpd list": mpd.words("listall"), "mpd filter": mpd.words("search", "title", word)}
    turns = Turns(house, commands)
    took, used = ({name: of.get(name, []) for name in (*commands, "mpd list", "mpd filter")} for of in (turns.took, turns.used))
    yield Row(f"list of {count}", "ms", took["list"], "mpc listall", took["mpd list"], goal=1, note=why,
              curve="list", x=len(rows))
    yield Row(f"list of {count}, processor time of the client", "ms", used["list"], "mpc", used["mpd list"], goal=1, note=why)
    theirs = serving(house, [mpd.child.pid], mpd.words("listall")) if mpd else []
    ours = serving(house, [nyand.pid, house.bus.pid], [nyanctl, "profile"])
    yield Row(f"list of {count}, of the daemon and the bus", "ms", ours, "mpd", theirs, note=why)
    yield Row(f"list of {count} as JSON", "ms", took["JSON"], "mpc listall, no JSON", took["mpd list"], note=why)
    yield Row(f"filter of {count}", "ms", took["filter"], "mpc search", took["mpd filter"], goal=1, note=why,
              curve="filter", x=len(rows))
    # What a long list took is given back a second after it.
    time.sleep(2)
    yield Row(f"resident after lists of {count}", "MiB", [resident(nyand.pid)], "mpd",
              [resident(mpd.child.pid)] if mpd else [], note=why, curve="resident after lists", x=len(rows))
