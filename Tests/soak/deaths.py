#!/usr/bin/python3
"""Downloads through deaths: nyand is killed again and again in the middle of a mixed batch, also in the moments in which
a file becomes one, and in the end every wished track is exactly one file with the right sound, and nothing else is left.

A watcher lists the music folder all the while and reads every file at once: none may ever be seen before it is whole.
Ends with 0 and one line, or with 1 and the promise that was broken. The same seed makes the same choices, though the
moments are the machine's. usage: deaths.py [--rounds 100] [--seed N] [--programs DIR]
"""

import glob
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from house import Broken, arguments, run_in_house  # noqa: E402
from proof import sound  # noqa: E402
from sanitised import PATIENCE  # noqa: E402

FAULTS = [
    dict(fault="reset", at=20000),
    dict(fault="reset", at=-1),
    dict(fault="truncate", at=30000),
    dict(fault="stall", at=25000, seconds=2),
    dict(fault="etag-change"),
    dict(fault="ignore-range"),
    dict(fault="wrong-content-range"),
    dict(fault="html"),
    dict(fault="empty"),
    dict(fault="chunked"),
    dict(fault="status", value=503),
    dict(fault="error-page"),
    dict(fault="expire"),
    dict(fault="flip", at=list(range(0, 9000, 7))),
    dict(fault="drip", value=60000),
]
MOMENTS = ["while it runs", "as a hidden file appears", "as a file appears", "in mid-command", "at once"]
ENDS = ["kill"] * 7 + ["stop and kill", "stop and go on", "asked"]


class Watcher(threading.Thread):
    """Sees every file of the music folder as soon as it has its name."""

    def __init__(self, folder, good):
        super().__init__(daemon=True)
        self.folder, self.good = folder, good
        self.seen, self.broken, self.looks = {}, [], 0
        self.files = self.hidden = 0
        self.appeared = threading.Condition()
        self.ends = False

    def run(self):
        while not self.ends:
            self.looks += 1
            try:
                entries = list(os.scandir(self.folder))
            except FileNotFoundError:
                entries = []
            hidden = files = 0
            for entry in entries:
                if entry.name.startswith("."):
                    hidden += 1
                    continue
                files += 1
                try:
                    facts = entry.stat()
                    key = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
                    if self.seen.get(entry.name) == key:
                        continue
                    self.seen[entry.name] = key
                    if sound(entry.path) not in self.good:
                        self.broken.append(f"{entry.name} was seen with {facts.st_size} bytes, and its sound is none")
                except FileNotFoundError:
                    continue
            if (files, hidden) != (self.files, self.hidden):
                with self.appeared:
                    self.files, self.hidden = files, hidden
                    self.appeared.notify_all()
            time.sleep(0.001)

    def wait(self, hidden, within):
        """Returns when another file, or another hidden one, is there."""
        with self.appeared:
            before = self.hidden if hidden else self.files
            self.appeared.wait_for(lambda: (self.hidden if hidden else self.files) > before, within)


class Batch:
    def __init__(self, house, seed):
        self.house, self.random = house, random.Random(seed)
        self.wished = set()
        # Whose last wish was cut off by a death: whether it holds is seen afterwards.
        self.unsure = set()
        self.dropped = set()
        self.taken = []
        self.kills = self.faults = 0
        self.by_moment = dict.fromkeys(MOMENTS, 0)

    def fill(self):
        """What there is to download: many small files, so that deaths meet finishing ones, and some large ones."""
        answer = self.house.control(
            *[
                dict(cmd="library-add", title=f"{name} {number}", artist=f"Batch {name}", media=media, hls=hls)
                for name, media, hls, count in (
                    ("small", "second", False, 50),
                    ("tone", "cbr", False, 10),
                    ("piece", "hls-one", True, 10),
                    ("long", "long", False, 6),
                    ("stream", "long-hls", True, 6),
                )
                for number in range(count)
            ],
        )
        self.tracks = [id for added in answer["answers"] for id in added["ids"]]
        self.house.control(dict(cmd="set", bandwidth=700_000, **{"rate-limit": 0}))
        self.expected = {id: self.house.page(f"/_expected/{id}")["sha256"] for id in self.tracks}

    # Wishes.

    def ctl(self, *words, fine=(0,)):
        self.taken.append(" ".join(words)[:90])
        status, output, errors = self.house.ctl(*words)
        if status not in fine:
            raise Broken(f"nyanctl {' '.join(words)[:200]} ended with {status}: {errors}")
        return output

    def rows(self):
        return json.loads(self.ctl("--json", "downloads"))

    def music(self):
        return {row["id"]: row["path"] for row in json.loads(self.ctl("--json", "music"))}

    def unfinished(self):
        return sorted(row["id"] for row in self.rows() if row["state"] != "done")

    def choice(self):
        """One command and what it does to the wishes."""
        kind = self.random.choices(["download", "cancel", "pause", "resume", "retry", "delete"], [6, 3, 2, 3, 2, 2])[0]
        if kind == "download":
            some = self.random.sample(self.tracks, self.random.randint(2, 14))
            return ["download", *some], set(some), set()
        if kind == "cancel":
            some = [id for id in self.unfinished() if self.random.random() < 0.3]
            return (["cancel", *some], set(), set(some)) if some else (["downloads", "resume"], set(), set())
        if kind == "delete":
            some = [id for id in sorted(self.music()) if self.random.random() < 0.25]
            return (["delete", *some], set(), set(some)) if some else (["retry", "--all"], set(), set())
        if kind == "retry":
            return ["retry", "--all"], set(), set()
        some = [id for id in self.unfinished() if self.random.random() < 0.5]
        return ["downloads", kind, *some], set(), set()

    def wish(self):
        words, more, less = self.choice()
        # 5: it is done by now, or paused ones are gone. What was wished for meanwhile is seen from the answer.
        status, _, errors = self.house.ctl(*words)
        self.taken.append(f"{' '.join(words)[:90]} → {status}")
        if status not in (0, 5):
            raise Broken(f"nyanctl {' '.join(words)[:200]} ended with {status}: {errors}")
        if status:
            self.unsure |= more | less
        else:
            self.hold(more, less)

    def hold(self, more, less):
        self.wished = (self.wished | more) - less
        self.dropped = (self.dropped - more) | less
        self.unsure -= more | less

    # Deaths.

    def round(self, number):
        for _ in range(self.random.randint(0, 3)):
            self.wish()
        if self.random.random() < 0.6:
            self.trouble()
        moment = self.random.choice(MOMENTS)
        self.by_moment[moment] += 1
        how = self.random.choice(ENDS)
        self.taken.append(f"#{number}: {moment}: {how}")
        pending = None
        if moment == "while it runs":
            time.sleep(self.random.uniform(0, 0.5))
        elif moment == "in mid-command":
            words, more, less = self.choice()
            self.taken.append(f"{' '.join(words)[:90]} (cut off)")
            self.unsure |= more | less
            pending = subprocess.Popen(
                [self.house.programs + "/nyanctl", *words],
                env=self.house.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(self.random.uniform(0, 0.06))
        elif moment != "at once":
            self.watcher.wait("hidden" in moment, 1)
            time.sleep(self.random.choice([0, 0, 0.001, 0.004, 0.015]))
        self.end(how)
        if pending:
            pending.wait(20)
        if how != "stop and go on":
            self.house.start("debug")
        self.check()

    def end(self, how):
        daemon = self.house.daemon
        if how.startswith("stop"):
            daemon.send_signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0.05, 0.6))
            if how == "stop and go on":
                return daemon.send_signal(signal.SIGCONT)
        if how == "asked":
            daemon.send_signal(signal.SIGTERM)
            start = time.monotonic()
            if daemon.wait(10 * PATIENCE) != 0 or time.monotonic() - start > 3.2 * PATIENCE:
                raise Broken(f"SIGTERM: status {daemon.returncode} after {time.monotonic() - start:.1f} s")
            return None
        daemon.kill()
        self.kills += 1
        return daemon.wait()

    def trouble(self):
        self.faults += 1
        fault = dict(self.random.choice(FAULTS), times=self.random.randint(1, 3))
        self.taken.append(f"fault {fault}")
        self.house.control(dict(cmd="media-fault", kind=self.random.choice(["mp3", "segment", "key"]), **fault))

    # Promises.

    def check(self):
        if self.watcher.broken:
            raise Broken(self.watcher.broken[0])
        if self.house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {self.house.daemon.returncode}")
        rows, music = {row["id"]: row for row in self.rows()}, self.music()
        for id in sorted(self.wished - self.unsure):
            if id not in rows and id not in music:
                raise Broken(f"{id} was wished for, and is forgotten")
        for id in sorted(self.dropped - self.unsure):
            if id in rows or id in music:
                raise Broken(f"{id} was cancelled or deleted, and is back as {rows.get(id) or music[id]}")
        # A wish that a death cut off holds or does not; from here on it stays as it is. A delete may have got half way.
        for id in sorted(self.unsure):
            if id in music and not os.path.exists(music[id]):
                self.ctl("delete", id, fine=(0, 5))
                self.hold(set(), {id})
            else:
                there = id in rows or id in music
                self.hold({id} if there else set(), set() if there else {id})

    def settle(self):
        """Ends all faults and waits until all that is wished for is there."""
        self.house.control(dict(cmd="media-clear"), dict(cmd="set", bandwidth=0))
        self.ctl("downloads", "resume", fine=(0, 5))
        end = time.monotonic() + 60
        while True:
            rows = self.rows()
            if all(row["state"] == "done" for row in rows):
                return
            if any(row["error"] for row in rows):
                self.ctl("retry", "--all", fine=(0, 5))
            if time.monotonic() > end:
                raise Broken(f"not all came: {[row for row in rows if row['state'] != 'done'][:4]}")
            time.sleep(0.1)

    def prove(self):
        music = self.music()
        if set(music) != self.wished:
            raise Broken(f"missing {sorted(self.wished - set(music))}, too many {sorted(set(music) - self.wished)}")
        for id, path in music.items():
            if sound(path) != self.expected[id]:
                raise Broken(f"{id}: {path} is not what VK has")
        if len(set(music.values())) != len(music):
            raise Broken("two tracks have one file")
        if any(row["id"] not in self.wished for row in self.rows()):
            raise Broken(f"rows nobody wished for: {[r for r in self.rows() if r['id'] not in self.wished]}")
        # What is swept is swept at the start, if not before.
        self.end("asked")
        self.house.start("debug")
        self.house.until("nothing is left over", lambda: not self.rest(music), 5, lambda: self.rest(music))
        if self.music() != music:
            raise Broken("My Music is another after a restart")
        self.end("asked")
        for path in glob.glob(self.house.room + "/*/nyand/*.db"):
            with sqlite3.connect(path) as database:
                verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
            if verdict != "ok":
                raise Broken(f"{path}: {verdict}")
        if glob.glob(self.house.room + "/*/nyand/*broken*"):
            raise Broken("a database was set aside")

    def rest(self, music):
        """Files that are nobody's."""
        files = {os.path.join(at, name) for at, _, names in os.walk(self.house.music) for name in names}
        copies = {os.path.join(at, name) for at, _, names in os.walk(self.house.room + "/data/nyand/copies") for name in names}
        return sorted((files - set(music.values())) | copies)


def run(house, options):
    batch = Batch(house, options.seed)
    number, start = 0, time.monotonic()
    try:
        house.start("debug")
        batch.fill()
        house.sign_in()
        batch.watcher = Watcher(house.music, set(batch.expected.values()))
        batch.watcher.start()
        for number in range(1, options.rounds + 1):
            batch.round(number)
        batch.settle()
        batch.watcher.ends = True
        batch.check()
        batch.prove()
        print(
            f"deaths: seed {options.seed}, {number} rounds, {batch.kills} kills, {batch.faults} faults, "
            f"{len(batch.wished)} files right, {len(batch.dropped)} stay away, {len(batch.watcher.seen)} names seen in "
            f"{batch.watcher.looks} looks, {time.monotonic() - start:.0f} s"
        )
        return 0
    except (Broken, OSError, subprocess.TimeoutExpired, sqlite3.Error) as error:
        print(f"deaths: round {number} broke a promise: {error}\n  " + "\n  ".join(batch.taken[-25:]))
        print("  " + "\n  ".join(house.said().splitlines()[-options.log :]))
        print(f"again: Tests/soak/deaths.py --seed {options.seed} --rounds {max(number, 1)}")
        return 1


def main():
    return run_in_house(run, arguments(__doc__).parse_args(), settings="parallel=3")


if __name__ == "__main__":
    sys.exit(main())
