#!/usr/bin/python3
"""Death under full load: while tracks play and download, five people at once change the queue, the downloads, playlists, the
login, the settings and My Music, read the profile and look things up, and nyand is killed at random moments, also while it
starts and as files appear.

After each death all that was answered must be there, nothing may play by itself, the login must hold and its file be
nobody else's, and no core may be written. In the end every wished track is one file with VK's sound, index and folder
agree, nothing is left over, the databases are whole, and no byte was fetched twice beyond what a death may cost. Ends with
0 and one line, or with 1 and the promise that was broken. The same seed makes the same choices, though the moments are
the machine's. usage: storm.py [--rounds 100] [--seed N] [--programs DIR]
"""

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
import proof  # noqa: E402
import twice  # noqa: E402
from clients import Client, Editor, Importer, Listener, Visitor  # noqa: E402
from deaths import Watcher  # noqa: E402
from house import Broken, arguments, run_in_house  # noqa: E402
from sanitised import PATIENCE  # noqa: E402

MOMENTS = ["at any time"] * 5 + ["as a hidden file appears", "as a file appears", "at once"]
ENDS = ["kill"] * 8 + ["stop and kill", "crash", "asked"]
# Bytes that a death may have fetched for nothing on average: what was on its way, and of streams the segments under way.
# Some 40,000 are measured over many deaths.
LOST = 200_000
# A single one may cost all parts of two streams that were under way, which few deaths do not even out.
MOST_LOST = 2_000_000


class Downloader(Client):
    """Wishes for downloads, and takes back those of `loose`; those of `solid` are wished for once."""

    # It is done by now.
    fine = (5,)

    def __init__(self, house, seed, loose, solid):
        super().__init__(house, seed)
        self.loose, self.solid = loose, list(solid)
        self.wished, self.dropped, self.unsure = set(), set(), set()

    def wish(self):
        words, more, less = self.choice()
        self.unsure |= more | less
        if self.tell(*words) is not None:
            self.hold(more, less)
        self.over.wait(self.random.choice([0, 0.05, 0.2]))

    def hold(self, more, less):
        self.wished = (self.wished | more) - less
        self.dropped = (self.dropped - more) | less
        self.unsure -= more | less

    def choice(self):
        kind = self.random.choices(["loose", "solid", "cancel", "delete", "pause", "resume"], [5, 2, 2, 2, 1, 3])[0]
        if kind == "solid" and self.solid:
            return ["download", self.solid[0]], {self.solid.pop(0)}, set()
        some = self.random.sample(self.loose, self.random.randint(1, 6))
        if kind == "cancel":
            some = [id for id in some if id in self.rows_not_done()]
            if some:
                return ["cancel", *some], set(), set(some)
        if kind == "delete":
            some = [id for id in some if id in self.music()]
            if some:
                return ["delete", *some], set(), set(some)
        if kind in ("pause", "resume"):
            return ["downloads", kind], set(), set()
        some = self.random.sample(self.loose, self.random.randint(1, 6))
        return ["download", *some], set(some), set()

    def document(self, *words):
        status, output, _ = self.house.ctl("--json", *words)
        return json.loads(output) if status == 0 else []

    def music(self):
        return {row["id"]: row["path"] for row in self.document("music")}

    def rows_not_done(self):
        return {row["id"] for row in self.document("downloads") if row["state"] != "done"}

    def check(self):
        rows, music = {row["id"]: row for row in self.document("downloads")}, self.music()
        for id in sorted(self.wished - self.unsure):
            if id not in rows and id not in music:
                raise Broken(f"{id} was wished for, and is forgotten")
        for id in sorted(self.dropped - self.unsure):
            if id in rows or id in music:
                raise Broken(f"{id} was cancelled or deleted, and is back as {rows.get(id) or music[id]}")
        # What a death cut off holds or does not; a delete may have got half way.
        for id in sorted(self.unsure):
            if id in music and not os.path.exists(music[id]):
                self.house.ctl("delete", id)
                self.hold(set(), {id})
            else:
                there = id in rows or id in music
                self.hold({id} if there else set(), set() if there else {id})
        self.house.ctl("downloads", "resume")

    def settle(self):
        for id in self.solid:
            self.tell("download", id)
        self.wished |= set(self.solid)
        self.house.ctl("downloads", "resume")
        self.house.until("all downloads are done", self.is_done, 120, lambda: self.document("downloads")[:4])

    def is_done(self):
        rows = self.document("downloads")
        if any(row["error"] for row in rows):
            self.house.ctl("retry", "--all")
        return all(row["state"] == "done" for row in rows)


class Storm:
    def __init__(self, house, options):
        self.house, self.seed, self.within = house, options.seed, options.end * PATIENCE
        self.random = random.Random(options.seed)
        self.kills, self.deaths, self.ways = 0, [], []
        self.slowest = 0.0

    def fill(self):
        kinds = (("small", "second", False, 40), ("tone", "cbr", False, 10), ("piece", "hls-one", True, 10))
        large = (("long", "long", False, 8), ("stream", "long-hls", True, 8))

        def add(kinds):
            wishes = [
                dict(cmd="library-add", title=f"{name} {number}", artist=f"Storm {name}", media=media, hls=hls)
                for name, media, hls, count in kinds
                for number in range(count)
            ]
            return [id for added in self.house.control(*wishes)["answers"] for id in added["ids"]]

        loose, solid = add(kinds), add(large)
        self.house.control(dict(cmd="set", bandwidth=400_000, **{"rate-limit": 0, "web-token-lifetime": 6}))
        self.expected = {id: self.house.page(f"/_expected/{id}") for id in loose + solid}
        self.solid = list(solid)
        good = {facts["sha256"] for facts in self.expected.values()}
        self.watcher = Watcher(self.house.music, good)
        self.random.shuffle(solid)
        house, seed = self.house, self.seed
        self.downloader = Downloader(house, seed, loose, solid)
        self.clients = [
            self.downloader,
            Listener(house, seed, self.random.sample(loose, 20) + solid),
            Importer(house, seed, good),
            Editor(house, seed, loose),
            Visitor(house, seed),
        ]

    # Deaths.

    def round(self):
        over = threading.Event()
        moment, how = self.random.choice(MOMENTS), self.random.choice(ENDS)
        self.taken = f"{moment}: {how}"
        for client in self.clients:
            client.again(over)
        if moment == "at any time":
            time.sleep(self.random.uniform(0, 1.5))
        elif moment != "at once":
            self.watcher.wait("hidden" in moment, 2)
            time.sleep(self.random.choice([0, 0, 0.001, 0.004, 0.015]))
        if self.house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {self.house.daemon.returncode}")
        self.end(how, over)
        for client in self.clients:
            client.join(90)
            if client.is_alive():
                raise Broken(f"a command hangs: {client.taken[-1:]}")
            if client.trouble:
                raise Broken(f"{type(client).__name__}: {client.trouble}")
        while self.random.random() < 0.15:
            # In the midst of its start.
            self.house.start("debug", waits=False)
            time.sleep(self.random.uniform(0, 0.15))
            self.end("kill", over)
        self.come_again()

    def end(self, how, over):
        daemon = self.house.daemon
        self.deaths.append(time.monotonic())
        self.ways.append(how)
        if how == "stop and kill":
            daemon.send_signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0.05, 0.4))
        over.set()
        if how == "asked":
            daemon.send_signal(signal.SIGTERM)
            start = time.monotonic()
            if daemon.wait(20) != 0 or time.monotonic() - start > self.within:
                raise Broken(f"SIGTERM: status {daemon.returncode} after {time.monotonic() - start:.1f} s")
            return
        self.kills += 1
        daemon.send_signal(self.random.choice([signal.SIGSEGV, signal.SIGABRT]) if how == "crash" else signal.SIGKILL)
        daemon.wait(20)

    def come_again(self):
        start = time.monotonic()
        self.house.start("debug")
        self.slowest = max(self.slowest, time.monotonic() - start)
        if self.watcher.broken:
            raise Broken(self.watcher.broken[0])
        for client in self.clients:
            client.check()

    # The end.

    def prove(self):
        house, over = self.house, threading.Event()
        house.control(dict(cmd="set", bandwidth=0))
        for client in self.clients:
            client.over = over
            client.settle()
        for client in self.clients:
            client.check()
        wished = self.downloader.wished
        expected = {id: facts["sha256"] for id, facts in self.expected.items()}
        music = proof.files(house, expected)
        if lacking := wished - set(music):
            raise Broken(f"wished for, and not there: {sorted(lacking)}")
        if extra := (set(music) & set(expected)) - wished:
            raise Broken(f"nobody wished for {sorted(extra)}")
        self.refetched()
        self.end("asked", over)
        house.start("debug")
        if proof.files(house, expected) != music:
            raise Broken("My Music is another after a restart")
        if house.status()["state"] not in ("paused", "stopped"):
            raise Broken("it plays by itself")
        self.end("asked", over)
        proof.databases(house)
        proof.secrets(house)

    def refetched(self):
        """No byte twice, but for what was on its way when a death came."""
        self.resent = twice.resent(self.house.page("/_log"), set(self.solid), self.deaths)
        self.twice = sum(one.count for one in self.resent)
        if self.twice > len(self.deaths) * LOST + MOST_LOST:
            lines = "\n  ".join(twice.told(self.resent, self.ways))
            raise Broken(f"{self.twice} bytes were fetched twice over {len(self.deaths)} deaths\n  {lines}")


def run(house, options):
    storm, number, start = Storm(house, options), 0, time.monotonic()
    storm.taken = ""
    try:
        house.start("debug")
        storm.fill()
        house.sign_in()
        storm.watcher.start()
        for number in range(1, options.rounds + 1):
            storm.round()
        storm.prove()
        answered, cut_off = (sum(getattr(client, name) for client in storm.clients) for name in ("answered", "cut_off"))
        print(
            f"storm: seed {options.seed}, {number} rounds, {len(storm.deaths)} deaths, {storm.kills} of them kills, {answered} "
            f"answers hold, {cut_off} were cut off, {len(storm.downloader.wished)} downloads and "
            f"{len(storm.clients[2].titles_there)} imports right, {len(storm.clients[3].made)} playlists, {storm.clients[1].places} places, "
            f"{storm.twice // len(storm.deaths)} bytes fetched twice a death, slowest start {storm.slowest * 1000:.0f} ms, "
            f"{time.monotonic() - start:.0f} s"
        )
        print("  " + "\n  ".join(twice.told(storm.resent, storm.ways, options.dear)))
        return 0
    except (Broken, OSError, subprocess.SubprocessError, sqlite3.Error) as error:
        print(f"storm: round {number} ({storm.taken}) broke a promise: {error}")
        for client in getattr(storm, "clients", []):
            print("  " + "\n  ".join(client.taken[-6:]))
        print("  " + "\n  ".join(house.said().splitlines()[-options.log :]))
        print(f"again: Tests/soak/storm.py --seed {options.seed} --rounds {max(number, 1)}")
        return 1


def main():
    parser = arguments(__doc__)
    parser.add_argument("--end", type=float, default=3.2, help="seconds that an end that was asked for may take")
    parser.add_argument("--dear", type=int, default=2, help="deaths that cost most bytes to show")
    return run_in_house(run, parser.parse_args(), settings="parallel=3")


if __name__ == "__main__":
    sys.exit(main())
