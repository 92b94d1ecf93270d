#!/usr/bin/python3
"""Databases that something has damaged, or somebody: nyand must start with what can be saved, or say in words why not; no sound
file goes, what could not be read is kept, and the next start is an ordinary one.

    stored.py [--programs DIR] [--seed N] [--quick] [--only PATTERN]

Exit status 1 where a promise was broken."""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "soak")]
from house import Broken, House  # noqa: E402

FILES = {"library": "/data/nyand/library.db", "playback": "/state/nyand/playback.db"}
ASKED = (["status"], ["--json", "status"], ["profile"], ["music"], ["queue"], ["downloads"], ["history"], ["playlists"])
VALUES = {
    "long text": "ж" * 300_000, "long blob": b"\0" * (1 << 20), "rubbish": os.urandom(3000), "least": -(2**63),
    "most": 2**63 - 1, "infinite": float("inf"), "1e308": 1e308, "empty": "", "controls": "a\0b\x1b[2J\u202e", "null": None,
}  # fmt: skip


#: The description of each table, as it stands in the whole files.
SHAPES = {}


def readable(path):
    """What a reader who knows nothing of nyand finds in a library or a queue: the tracks by row, rows of the profile, and the
    queue's entries in order, each up to what cannot be read. Nothing of a table whose own description is damaged."""
    found = {"tracks": [], "profile": [], "entries": []}
    if not os.path.isfile(path):
        return found
    for table, order in (("tracks", "id"), ("profile", "position"), ("entries", "place, id")):
        try:
            one = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
            one.text_factory = bytes
            # Else nothing of a file that was cut off.
            one.execute("PRAGMA writable_schema = ON")
            shape = one.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [table]).fetchone()
            if shape is None or SHAPES.setdefault(table, shape) != shape:
                continue
            found[table] += one.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY {order}")
        except (sqlite3.Error, OverflowError):
            pass
    return found


class Stored:
    def __init__(self, words):
        self.words, self.problems, self.count = words, [], 0
        self.chance = random.Random(words.seed)
        self.slowness = 1 if "release" in words.programs or words.programs.startswith("/usr") else 6
        self.house = House(words.programs)
        self.house.start()
        self.house.sign_in()
        self.tracks = [one["id"] for one in json.loads(self.house.ctl("--json", "profile")[1]) if one["available"]]
        self.ctl("download", self.tracks[0], "--wait")
        self.ctl("queue", "add", *self.tracks[:30])
        self.ctl("play", *self.tracks[1:30])
        self.ctl("next")
        self.ctl("pause")
        self.ctl("volume", "30")
        self.stop()
        for file in FILES.values():
            # What is damaged is the file itself, and not what its log hides.
            one = sqlite3.connect(self.house.room + file)
            one.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            one.close()
        self.whole = self.house.home + "/whole"
        shutil.copytree(self.house.room, self.whole, symlinks=True)
        self.music = self.sounds()
        self.rows = readable(self.whole + FILES["library"])
        self.entries = readable(self.whole + FILES["playback"])["entries"]
        if len(self.rows["profile"]) < 450 or len(self.entries) < 28:
            raise Broken(f"{len(self.rows['profile'])} rows and {len(self.entries)} entries to begin with")

    def ctl(self, *words):
        status, output, errors = self.house.ctl("--timeout", "20", *words)
        if status:
            raise Broken(f"{' '.join(words)[:60]} ended with {status}: {errors[-300:]}")
        return output

    def stop(self):
        self.house.daemon.send_signal(signal.SIGTERM)
        if self.house.daemon.wait(30):
            raise Broken(f"it ended with {self.house.daemon.returncode}")

    def sounds(self):
        found = {}
        for folder, _, names in os.walk(self.house.music):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[name] = hashlib.sha256(file.read()).hexdigest()
        return found

    def held(self, path, bytes_before):
        """Whether what stood there is still in the folder, under any name."""
        folder = os.path.dirname(path)
        for name in os.listdir(folder):
            place = os.path.join(folder, name)
            if os.path.isfile(place) and os.path.getsize(place) == len(bytes_before):
                with open(place, "rb") as file:
                    if file.read() == bytes_before:
                        return True
        return False

    def begin(self):
        """Starts nyand; whether it answers. One that ends has said why."""
        self.house.line = None
        self.house.start("info", waits=False)
        end = time.monotonic() + 20 * self.slowness
        while time.monotonic() < end:
            if self.house.daemon.poll() is not None:
                return False
            if self.house.ctl("status")[0] == 0:
                return True
        raise Broken("it neither answers nor ends")

    def queue_held(self, entries):
        """All of the queue that anybody can read: `entries`."""
        listed = [one["id"].encode() for one in json.loads(self.ctl("--json", "queue"))]
        sound = [b"%d_%d" % one[2:4] for one in entries if one in self.entries]
        missing = [one for one in sound if one not in listed]
        if missing or len(listed) < len(sound):
            raise Broken(f"{len(listed)} entries are left of the queue, {len(sound)} can be read: {missing[:3]} …")
        if len(sound) == len(self.entries) == len(entries) and listed != sound:
            raise Broken(f"the queue has got {len(listed)} entries out of {len(sound)}, or another order: {listed[:3]} …")

    def rows_held(self, rows, left):
        """As many rows of the profile as anybody can read with their tracks in `left`; all, where nobody touched them."""
        tracks = {one[0] for one in set(left["tracks"]) & set(self.rows["tracks"])}
        sound = [one for one in set(left["profile"]) & set(self.rows["profile"]) if one[1] in tracks]
        is_whole = left["tracks"] == self.rows["tracks"] and left["profile"] == self.rows["profile"]
        if rows < len(sound) or is_whole and rows != len(sound):
            raise Broken(f"{rows} rows are left of the profile, {len(sound)} can be read")

    def look(self, name, path, before, left):
        """`left`: what can be read of the library and of the queue."""
        heard = len(self.house.said())
        if not self.begin():
            said = self.house.said()[heard:]
            if self.house.daemon.returncode != 1 or os.path.basename(path) not in said:
                raise Broken(f"it ended with {self.house.daemon.returncode}: {said[-600:]}")
            if before is not None and not self.held(path, before):
                raise Broken("it refused the file and changed it")
            return "refused: " + said.strip().splitlines()[-1][-150:].replace(self.house.home, "…")
        self.queue_held(left["entries"])
        for words in ASKED:
            self.ctl(*words)
        if (found := self.house.ctl("doctor"))[0] not in range(8):
            raise Broken(f"doctor ended with {found[0]}: {found[2][-200:]}")
        volume = self.house.status()["volume"]
        if not 0 <= volume <= 1:
            raise Broken(f"the volume is {volume}")
        self.house.until("My Music is known", lambda: self.tracks[0] in self.ctl("--json", "music"))
        self.ctl("play", self.tracks[0])
        self.house.until("it plays", lambda: self.house.status()["state"] == "playing", why=self.house.status)
        self.ctl("pause")
        with open(f"/proc/{self.house.daemon.pid}/status") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024
        if peak > 500:
            raise Broken(f"{peak} MB at the peak")
        self.stop()
        said = self.house.said()[heard:]
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", said) or any(len(line) > 6000 for line in said.splitlines()):
            raise Broken(f"the log holds {said[-300:]!r}")
        rows = sqlite3.connect(self.house.room + FILES["library"]).execute("SELECT count(*) FROM profile").fetchone()[0]
        self.rows_held(rows, left)
        aside = [one for one in os.listdir(os.path.dirname(path)) if ".broken-" in one]
        if not aside:
            return f"taken as it is, {rows} rows"
        # What is found only when something is asked for has been written to until then.
        late = re.search("everywhere|^no |another shape", name)
        if before is not None and not late and not self.held(path, before):
            raise Broken(f"what stood there is not kept: {aside}")
        if ".broken-" not in said:
            raise Broken("nobody was told")
        # The next start is an ordinary one.
        if not self.begin():
            raise Broken("the second start failed")
        self.stop()
        if len([name for name in os.listdir(os.path.dirname(path)) if ".broken-" in name]) != len(aside):
            raise Broken("the second start set it aside again")
        return f"set aside, {rows} rows saved"

    def case(self, name, file, do):
        """Damages `file` by `do(path)`, then starts nyand twice. `do` may return what is to be undone."""
        if not re.search(self.words.only, f"{file}: {name}"):
            return
        shutil.rmtree(self.house.room)
        shutil.copytree(self.whole, self.house.room, symlinks=True)
        path = self.house.room + FILES[file]
        self.count += 1
        begun = time.monotonic()
        try:
            undo = do(path)
            before = None
            if os.path.isfile(path):
                with open(path, "rb") as damaged:
                    before = damaged.read()
            room = self.house.room
            left = readable(room + FILES["library"]) | {"entries": readable(room + FILES["playback"])["entries"]}
            said = self.look(name, path, before or None, left)
            if undo:
                undo()
            if self.sounds() != self.music:
                raise Broken("My Music is not what it was")
            print(f"✔ {file}: {name}: {said} ({time.monotonic() - begun:.1f} s)", flush=True)
        except (Broken, subprocess.TimeoutExpired, sqlite3.Error, OSError) as error:
            print(f"✘ {file}: {name}: {type(error).__name__} {error}", flush=True)
            self.problems.append(name)
            if self.house.daemon.poll() is None:
                self.house.daemon.kill()
                self.house.daemon.wait()

    # Bytes.

    def cut(self, path):
        os.truncate(path, self.chance.randrange(os.path.getsize(path)))

    def flip(self, count, lower=0, upper=None):
        def do(path):
            with open(path, "r+b") as file:
                for _ in range(count):
                    place = self.chance.randrange(lower, upper or os.path.getsize(path))
                    file.seek(place)
                    byte = file.read(1)[0]
                    file.seek(place)
                    file.write(bytes([byte ^ 1 << self.chance.randrange(8)]))

        return do

    def kinds(self, path):
        """The first byte of pages, which says what they are."""
        with open(path, "r+b") as file:
            for page in range(1, os.path.getsize(path) // 4096):
                if self.chance.random() < 0.3:
                    file.seek(page * 4096)
                    file.write(bytes([self.chance.choice([0, 2, 5, 10, 13, 255])]))

    def free(self, path):
        """The list of free pages leads in a circle and away."""
        with open(path, "r+b") as file:
            file.seek(32)
            file.write((2).to_bytes(4, "big") + (2**31).to_bytes(4, "big"))

    @staticmethod
    def empty(path):
        os.truncate(path, 0)

    @staticmethod
    def folder(path):
        os.unlink(path)
        os.mkdir(path)
        with open(path + "/x", "w") as file:
            file.write("x")

    @staticmethod
    def unreadable(path):
        os.chmod(path, 0)

    @staticmethod
    def link(path):
        os.unlink(path)
        os.symlink("/dev/zero", path)

    @staticmethod
    def pipe(path):
        os.unlink(path)
        os.mkfifo(path)

    @staticmethod
    def missing(path):
        os.unlink(path)

    def beside(self, ending, bytes_of):
        """A log or an index of another database."""

        def do(path):
            with open(path + ending, "wb") as file:
                file.write(bytes_of(path))

        return do

    @staticmethod
    def other_log(path):
        """The log of a database that is open."""
        other = path + ".other"
        one = sqlite3.connect(other)
        one.execute("PRAGMA journal_mode = WAL")
        one.execute("CREATE TABLE x (a)")
        one.executemany("INSERT INTO x VALUES (?)", [("y" * 500,)] * 2000)
        one.commit()
        with open(other + "-wal", "rb") as file:
            log = file.read()
        one.close()
        os.unlink(other)
        return log

    @staticmethod
    def other_journal(path):
        """The journal of a database in the middle of a change."""
        other = path + ".other"
        one = sqlite3.connect(other, isolation_level=None)
        one.execute("CREATE TABLE x (a)")
        one.executemany("INSERT INTO x VALUES (?)", [("y" * 500,)] * 100)
        one.execute("PRAGMA cache_spill = 1")
        one.execute("PRAGMA cache_size = 1")
        one.execute("BEGIN")
        one.execute("UPDATE x SET a = 'z'")
        with open(other + "-journal", "rb") as file:
            journal = file.read()
        one.execute("ROLLBACK")
        one.close()
        os.unlink(other)
        return journal

    def files(self):
        rubbish = lambda _: self.chance.randbytes(50_000)  # noqa: E731
        ways = {
            "empty": self.empty, "missing": self.missing, "a folder": self.folder, "a link to /dev/zero": self.link,
            "a pipe": self.pipe, "unreadable": self.unreadable, "kinds of pages": self.kinds, "free pages": self.free,
            "rubbish as log": self.beside("-wal", rubbish), "rubbish as index": self.beside("-shm", rubbish),
            "another's log": self.beside("-wal", self.other_log),
            "rubbish as journal": self.beside("-journal", rubbish),
            "another's journal": self.beside("-journal", self.other_journal),
        }  # fmt: skip
        rounds = 1 if self.words.quick else 6
        for number in range(rounds):
            ways[f"cut {number}"] = self.cut
            ways[f"the header {number}"] = self.flip(2, 0, 100)
            ways[f"one bit {number}"] = self.flip(1)
            ways[f"a hundred bits {number}"] = self.flip(100, 100)
            ways[f"five thousand bits {number}"] = self.flip(5000)
        return ways

    # Contents.

    @staticmethod
    def sql(*statements):
        def do(path):
            one = sqlite3.connect(path)
            for statement in statements:
                one.execute(statement)
            one.commit()
            one.close()

        return do

    @staticmethod
    def columns(value, places=None):
        """The value in every column (`places`: of a table), where the table takes it."""

        def do(path):
            one = sqlite3.connect(path, isolation_level=None)
            one.execute("PRAGMA ignore_check_constraints = on")
            tables = [row[0] for row in one.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for table in tables:
                if table.startswith(("words_", "sqlite_")) or table == "words":
                    continue
                for _, column, *_ in one.execute(f"PRAGMA table_info({table})").fetchall():
                    try:
                        row = "rowid = (SELECT max(rowid) FROM %s)" % table
                        one.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {row}", (value,))
                    except sqlite3.Error:
                        pass
            one.close()

        return do

    def contents(self, file):
        ways = {
            "foreign": self.sql("PRAGMA user_version = 0"), "of the future": self.sql("PRAGMA user_version = 999"),
            "negative": self.sql("PRAGMA user_version = -5"),
        }  # fmt: skip
        ways |= {f"{name} everywhere": self.columns(value) for name, value in VALUES.items()}
        tables = [
            row[0]
            for row in sqlite3.connect(self.whole + FILES[file]).execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not row[0].startswith("sqlite_")
        ]
        for table in tables:
            if not table.startswith("words_"):
                ways[f"no {table}"] = self.sql("PRAGMA foreign_keys = off", f"DROP TABLE {table}")
        for table in tables[:6]:
            if not table.startswith("words"):
                ways[f"{table} of another shape"] = self.sql(f"DROP TABLE {table}", f"CREATE TABLE {table} (a, b)")
        if file == "playback":
            for column, value in (("volume", 1e9), ("volume", "'loud'"), ("position", -5), ("position", 1e300), ("current", 77)):
                ways[f"{column} {value}"] = self.sql(f"UPDATE state SET {column} = {value}")
        return ways

    QUICK = "library: another's log|playback: no state"

    def all(self):
        for file in FILES:
            for name, do in (self.files() | self.contents(file)).items():
                if not self.words.quick or re.search(self.QUICK, f"{file}: {name}"):
                    self.case(name, file, do)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build/release"))
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--quick", action="store_true")
    words.add_argument("--only", default="", help="a pattern of names")
    words = words.parse_args()
    words.programs = os.path.abspath(words.programs)
    stored = Stored(words)
    try:
        stored.all()
    finally:
        stored.house.close()
    print(f"{'BROKEN' if stored.problems else 'held'}: {stored.count} damaged files, {len(stored.problems)} broken", flush=True)
    return 1 if stored.problems else 0


if __name__ == "__main__":
    sys.exit(main())
